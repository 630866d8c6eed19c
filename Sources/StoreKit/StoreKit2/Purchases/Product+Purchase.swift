import AppStoreSimulator
public import Foundation

extension Product {
    /// What came of a purchase.
    public enum PurchaseResult: Sendable {
        /// Paid, or owned already.
        case success(VerificationResult<Transaction>)
        /// The customer did not want to.
        case userCancelled
        /// It waits for somebody, and comes by ``Transaction/updates`` if it comes.
        case pending
    }

    /// Why something cannot be bought.
    public enum PurchaseError: Error, LocalizedError, Hashable, Sendable {
        /// The quantity is not 1 to 10.
        case invalidQuantity
        /// The product is not for sale.
        case productUnavailable
        /// The device may not pay.
        case purchaseNotAllowed
        /// The customer may not use the offer.
        case ineligibleForOffer
        /// The product has no such offer.
        case invalidOfferIdentifier
        /// The price of the offer is not valid.
        case invalidOfferPrice
        /// The signature of the offer is not valid.
        case invalidOfferSignature
        /// Part of the offer is missing.
        case missingOfferParameters
        /// The purchase needs a payment method that the customer has to set up.
        case paymentMethodBindingConfigurationRequired

        /// What a customer may read about the error.
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
            }
        }
    }

    /// Has the customer buy the product.
    ///
    /// - Throws: ``PurchaseError``, ``StoreKitError``; `CancellationError` when nobody waits for the answer any more.
    @MainActor public func purchase(options: Set<Product.PurchaseOption> = []) async throws -> Product.PurchaseResult {
        try await purchase(with: options)
    }

    /// Has the customer buy the product, on whatever actor the caller is.
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
    /// The error of a purchase, if it is one of these.
    init?(_ error: SimulatedError) {
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
