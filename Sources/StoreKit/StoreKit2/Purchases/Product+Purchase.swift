package import AppStoreSimulator
public import Foundation

extension Product {
    /// The result of a purchase.
    public enum PurchaseResult: Sendable {
        /// The customer paid or already owns the product.
        case success(VerificationResult<Transaction>)
        /// The customer canceled.
        case userCancelled
        /// The purchase is waiting for approval. An approved purchase arrives in ``Transaction/updates``.
        case pending
    }

    /// An error of a purchase.
    public enum PurchaseError: Error, LocalizedError, Hashable, Sendable {
        /// The quantity isn't in the range 1 to 10.
        case invalidQuantity
        /// The product isn't for sale.
        case productUnavailable
        /// The device isn't allowed to make payments.
        case purchaseNotAllowed
        /// The customer isn't eligible for the offer.
        case ineligibleForOffer
        /// The product has no such offer.
        case invalidOfferIdentifier
        /// The price of the offer is not valid.
        case invalidOfferPrice
        /// The signature of the offer is not valid.
        case invalidOfferSignature
        /// A parameter of the offer is missing.
        case missingOfferParameters
        /// The purchase needs a payment method that the customer has to set up.
        case paymentMethodBindingConfigurationRequired
        /// The product has no seats.
        case multiSeatPurchaseDisabled

        /// The error message for customers.
        public var errorDescription: String? {
            switch self {
            case .invalidQuantity: "The quantity is not valid."
            case .productUnavailable: "The product is not available."
            case .purchaseNotAllowed: "This device is not allowed to make purchases."
            case .ineligibleForOffer: "The offer is not available to this customer."
            case .invalidOfferIdentifier: "There is no such offer."
            case .invalidOfferPrice: "The price of the offer is not valid."
            case .invalidOfferSignature: "The signature of the offer is not valid."
            case .missingOfferParameters: "Part of the offer is missing."
            case .paymentMethodBindingConfigurationRequired: "A payment method has to be set up."
            case .multiSeatPurchaseDisabled: "The product can't be bought for several people."
            }
        }
    }

    /// Starts a purchase of the product and returns its result. Every call starts a new purchase.
    ///
    /// - Throws: ``PurchaseError``, ``StoreKitError``, or `CancellationError` if the task is canceled and the simulator
    ///   abandons the call.
    @MainActor public func purchase(options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult {
        try await purchase(with: options)
    }

    /// Starts a purchase of the product on the caller's actor.
    package func purchase(with options: Set<PurchaseOption>) async throws -> PurchaseResult {
        let payment = try SimulatedPayment(id, options)
        let policies = options.compactMap { option in
            if case .storefrontPolicy(let policy) = option.content { policy } else { nil }
        }
        let launch = launch
        let pending = PendingAnswer<SimulatedAnswer>()
        let mayContinue: @Sendable (SimulatedStorefront) -> Bool = { storefront in
            policies.allSatisfy { $0.shouldContinue(Storefront(storefront)) }
        }
        let call = launch.purchase(payment, mayContinue: policies.isEmpty ? nil : mayContinue) { pending.answer($0) }
        let answer = await withTaskCancellationHandler {
            await pending.value
        } onCancel: {
            launch.cancelPurchase(call)
        }
        switch answer {
        case .purchased(let transaction): return .success(Transaction.result(transaction, launch))
        case .pending: return .pending
        case .userCancelled where launch.store.behavior.cancellingThrows: throw StoreKitError.userCancelled
        case .userCancelled: return .userCancelled
        case .failed(let error): throw PurchaseError(error) ?? StoreKitError(error)
        case .completed: throw StoreKitError.unknown
        case .abandoned: throw CancellationError()
        }
    }
}

extension Product.PurchaseError {
    /// Converts an error of the simulator; `nil` for an error without a case.
    package init?(_ error: SimulatedError) {
        if error == .multiSeatPurchaseDisabled {
            self = .multiSeatPurchaseDisabled
            return
        }
        guard error.domain == SimulatedError.storeKitDomain else { return nil }
        switch error.code {
        case 3: self = .invalidQuantity
        case 4: self = .purchaseNotAllowed
        case 5: self = .productUnavailable
        case 11: self = .invalidOfferIdentifier
        case 12: self = .invalidOfferSignature
        case 13: self = .missingOfferParameters
        case 14: self = .invalidOfferPrice
        case 18: self = .ineligibleForOffer
        case 21: self = .paymentMethodBindingConfigurationRequired
        default: return nil
        }
    }
}
