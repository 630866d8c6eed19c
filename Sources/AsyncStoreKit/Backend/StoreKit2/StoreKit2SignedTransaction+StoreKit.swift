import AppReceipt
import Foundation
package import StoreKit

// Conversions from StoreKit's types. Compiled against Apple's StoreKit and against this package's own.

extension StoreKit2SignedTransaction {
    init(_ result: VerificationResult<StoreKit.Transaction>) {
        let transaction = result.unsafePayloadValue
        var verificationError: StoreError?
        if case .unverified(_, let error) = result {
            verificationError = .unverified(transaction.productID, error.reason, underlying: error)
        }
        self.init(
            version: Version(
                id: transaction.id, signedDate: transaction.signedDate, expirationDate: transaction.expirationDate,
                revocationDate: transaction.revocationDate, isUpgraded: transaction.isUpgraded),
            productID: transaction.productID, purchaseDate: transaction.purchaseDate,
            verificationError: verificationError, payload: { result.payloadData },
            jws: { result.jwsRepresentation }, finish: { await transaction.finish() })
    }
}

extension VerificationResult.VerificationError {
    var reason: String {
        let reasons: [(error: Self, text: String)] = [
            (.revokedCertificate, "a certificate was revoked."),
            (.invalidCertificateChain, "the certificates don't lead to Apple's root."),
            (.invalidDeviceVerification, "it was signed for another device."),
            (.invalidEncoding, "it can't be decoded."),
            (.invalidSignature, "the signature doesn't match."),
            (.missingRequiredProperties, "something that it must have is missing."),
        ]
        return reasons.first { $0.error == self }?.text ?? "StoreKit doesn't say why."
    }
}

extension StoreKit2Status {
    init(_ status: Product.SubscriptionInfo.Status) {
        self.init(
            state: SubscriptionState(storeKit2State: status.state.rawValue),
            transaction: StoreKit2SignedTransaction(status.transaction), renewal: Renewal(status.renewalInfo))
    }
}

extension StoreKit2Status.Renewal {
    fileprivate init(_ result: VerificationResult<Product.SubscriptionInfo.RenewalInfo>) {
        var isVerified = false
        if case .verified = result { isVerified = true }
        self.init(isVerified: isVerified, payload: { result.payloadData }, jws: { result.jwsRepresentation })
    }
}

extension StoreKit2Product {
    /// Calls one of StoreKit's functions that present the sheet.
    typealias PurchaseCall =
        @concurrent @Sendable (Product, Set<Product.PurchaseOption>, PresentationAnchor?) async throws ->
        Product.PurchaseResult

    init(_ product: Product, purchase: @escaping PurchaseCall) {
        let value = StoreProduct(product)
        self.init(value: value) { (payment, policy) throws(StoreError) -> Purchase in
            var options = try StoreKit2PurchaseOptions(payment, for: value).options(for: product)
            if let policy { options.insert(.onStorefrontChange { policy(AppStorefront($0)) }) }
            return Purchase { [options] (anchor) async throws(StoreError) in
                try await convertingErrors(during: "The purchase of \"\(product.id)\"") {
                    do {
                        return StoreKit2PurchaseResult(try await purchase(product, options, anchor))
                    } catch StoreKitError.unknown {
                        throw StoreError.purchaseInterrupted(product.id, underlying: StoreKitError.unknown)
                    }
                }
            }
        }
    }
}

extension StoreKit2PurchaseResult {
    fileprivate init(_ result: Product.PurchaseResult) {
        switch result {
        case .success(let transaction): self = .success(StoreKit2SignedTransaction(transaction))
        case .pending: self = .pending
        case .userCancelled: self = .userCancelled
        @unknown default: self = .unknown
        }
    }
}

extension StoreKit2PurchaseOptions {
    /// Returns StoreKit's options.
    /// - Throws: ``StoreError/Code/offerUnavailable`` for offers that need a later system or a later Xcode, and
    ///   ``StoreError/Code/seatsUnavailable`` for seats that need a later Xcode.
    func options(for product: Product) throws(StoreError) -> Set<Product.PurchaseOption> {
        var options: Set<Product.PurchaseOption> = [
            try requested.seats.map { (seats) throws(StoreError) in try .seatCount(seats) }
                ?? .quantity(requested.quantity)
        ]
        if requested.simulatesAskToBuy { options.insert(.simulatesAskToBuyInSandbox(true)) }
        if let accountToken { options.insert(.appAccountToken(accountToken)) }
        if let offer = requested.offer { options.formUnion(try offer.options(for: product, billingPlan)) }
        if let billingPlan { options.formUnion(try Product.PurchaseOption.billing(billingPlan)) }
        if let jws = requested.introductoryOfferEligibilityJWS {
            options.formUnion(try Product.PurchaseOption.introductory(jws: jws))
        }
        return options
    }
}

extension PurchaseOffer {
    fileprivate func options(
        for product: Product, _ plan: BillingPlan?
    ) throws(StoreError) -> [Product.PurchaseOption] {
        switch form {
        case .promotional(let signed):
            return [
                .promotionalOffer(
                    offerID: id, keyID: signed.keyID, nonce: signed.nonce, signature: try signed.data(of: id),
                    timestamp: try signed.integerTimestamp())
            ]
        case .signed(let jws): return try Product.PurchaseOption.promotional(id, jws: jws)
        case .winBack:
            guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else {
                throw StoreError(.offerUnavailable, "Win-back offers need a later system.")
            }
            // The options were checked against the value of this product.
            let offers =
                plan.flatMap { product.subscription?.winBackOffers(of: $0) } ?? product.subscription?.winBackOffers
                ?? []
            guard let offer = offers.first(where: { $0.id == id }) else {
                throw StoreError(.invalidOfferIdentifier, "\"\(product.id)\" has no win-back offer \"\(id)\".")
            }
            return [.winBackOffer(offer)]
        }
    }
}

extension StoreKit2Backend {
    /// Records a transaction that one of Apple's views has handed to the app.
    package func adopt(_ result: VerificationResult<StoreKit.Transaction>) {
        adopt(StoreKit2SignedTransaction(result))
    }
}

extension SystemStoreKit2 {
    /// Returns the transactions of a listing; those that have arrived, if the task is canceled.
    static func read(_ transactions: StoreKit.Transaction.Transactions) async -> [StoreKit2SignedTransaction] {
        var signedTransactions: [StoreKit2SignedTransaction] = []
        for await result in transactions { signedTransactions.append(StoreKit2SignedTransaction(result)) }
        return signedTransactions
    }
}

/// Returns the products of an answer, unless the task is canceled and the answer is empty.
///
/// A request for products uses the network, so a canceled caller ends the request. The empty answer of such a request
/// doesn't mean that the products are unknown.
/// - Throws: `CancellationError`.
func uncancelledAnswer<Value>(_ products: [Value]) throws -> [Value] {
    if products.isEmpty { try Task.checkCancellation() }
    return products
}
