package import AppReceipt
package import Foundation

/// A signed transaction, as StoreKit 2 returned it: the facts by which transactions are compared, and the text that
/// contains everything else.
///
/// The engine decides on these values only. An environment makes them: from Apple's types, or from a simulated App
/// Store. A new field of transactions is decoded from ``payload`` and costs the environments nothing.
package struct StoreKit2SignedTransaction: Sendable {
    /// Identifies the signed content: two signed transactions with equal versions have the same content.
    package struct Version: Sendable, Hashable {
        package let id: UInt64
        package let signedDate: Date
        package let expirationDate: Date?
        package let revocationDate: Date?
        package let isUpgraded: Bool

        package init(
            id: UInt64, signedDate: Date, expirationDate: Date? = nil, revocationDate: Date? = nil,
            isUpgraded: Bool = false
        ) {
            self.id = id
            self.signedDate = signedDate
            self.expirationDate = expirationDate
            self.revocationDate = revocationDate
            self.isUpgraded = isUpgraded
        }
    }

    package let version: Version
    package let productID: String
    package let purchaseDate: Date
    /// Why the signature isn't valid; `nil` if StoreKit has verified it.
    package let verificationError: StoreError?
    /// Returns the JSON that is signed.
    package let payload: @Sendable () -> Data
    /// Returns the JSON Web Signature.
    package let jws: @Sendable () -> String
    /// Finishes the transaction, and returns when StoreKit has been told.
    package let finish: @concurrent @Sendable () async -> Void

    package init(
        version: Version, productID: String, purchaseDate: Date, verificationError: StoreError? = nil,
        payload: @escaping @Sendable () -> Data, jws: @escaping @Sendable () -> String,
        finish: @escaping @Sendable () async -> Void
    ) {
        self.version = version
        self.productID = productID
        self.purchaseDate = purchaseDate
        self.verificationError = verificationError
        self.payload = payload
        self.jws = jws
        self.finish = finish
    }

    package var id: UInt64 { version.id }
    package var isVerified: Bool { verificationError == nil }
}

/// The status of a subscription: its state, its latest transaction, and how it continues.
package struct StoreKit2Status: Sendable {
    /// Signed renewal information.
    package struct Renewal: Sendable {
        /// Whether StoreKit has verified the signature.
        package let isVerified: Bool
        /// Returns the JSON that is signed.
        package let payload: @Sendable () -> Data
        /// Returns the JSON Web Signature.
        package let jws: @Sendable () -> String

        package init(
            isVerified: Bool, payload: @escaping @Sendable () -> Data, jws: @escaping @Sendable () -> String
        ) {
            self.isVerified = isVerified
            self.payload = payload
            self.jws = jws
        }
    }

    /// The state. The App Store doesn't sign it.
    package let state: SubscriptionState
    package let transaction: StoreKit2SignedTransaction
    package let renewal: Renewal

    package init(state: SubscriptionState, transaction: StoreKit2SignedTransaction, renewal: Renewal) {
        self.state = state
        self.transaction = transaction
        self.renewal = renewal
    }
}

extension SubscriptionState {
    /// Creates the state for a raw value of `Product.SubscriptionInfo.RenewalState`. The raw value of an unknown state
    /// is the number as a text.
    package init(storeKit2State state: Int) {
        switch state {
        case 1: self = .subscribed
        case 2: self = .expired
        case 3: self = .inBillingRetryPeriod
        case 4: self = .inGracePeriod
        case 5: self = .revoked
        default: self.init(rawValue: "\(state)")
        }
    }
}

/// The signed texts that have been decoded, so that each is decoded once: most are the same in the next read.
final class DecodedTransactions: Sendable {
    private let known = Locked<
        [UInt64: (version: StoreKit2SignedTransaction.Version, info: Shared<SignedTransactionInfo>)]
    >([:]
    )
    /// The latest renewal information of each subscription.
    private let renewals = Locked<[String: (payload: Data, renewal: VerifiedRenewal)]>([:])

    /// Returns the decoded content of a signed transaction; `nil` if it isn't verified, or isn't a transaction.
    func info(of signedTransaction: StoreKit2SignedTransaction) -> Shared<SignedTransactionInfo>? {
        guard signedTransaction.isVerified else { return nil }
        let version = signedTransaction.version
        if let known = known.withLock({ $0[version.id] }), known.version == version { return known.info }
        guard let info = try? SignedTransactionInfo(payload: signedTransaction.payload()) else { return nil }
        let shared = Shared(info)
        known.withLock { known in
            // More than any customer has bought.
            if known.count >= 50_000 { known = [:] }
            // Only the latest signature of a transaction is kept.
            known[version.id] = (version, shared)
        }
        return shared
    }

    /// Forgets a finished transaction if no later read lists it: a consumable.
    func forgetFinished(_ id: UInt64) {
        known.withLock { known in
            if known[id]?.info.value.facts.productKind == .consumable { known[id] = nil }
        }
    }

    /// Returns the renewal information of a subscription; `nil` if its payload isn't renewal information.
    /// - Parameter id: Identifies the subscription.
    func renewal(_ signed: StoreKit2Status.Renewal, of id: String) -> VerifiedRenewal? {
        let payload = signed.payload()
        if let known = renewals.withLock({ $0[id] }), known.payload == payload { return known.renewal }
        guard let info = try? SignedRenewalInfo(payload: payload) else { return nil }
        let renewal = VerifiedRenewal(info, text: signed.jws)
        renewals.withLock { $0[id] = (payload, renewal) }
        return renewal
    }
}

extension StoreTransaction {
    /// A transaction whose text can't be decoded is still delivered, with the values of its signed transaction.
    /// - Parameter isRestored: Whether the transaction is a row of a restore.
    init(
        _ signedTransaction: StoreKit2SignedTransaction, _ info: Shared<SignedTransactionInfo>?,
        token: TransactionToken,
        isRestored: Bool
    ) {
        let id = "\(signedTransaction.id)"
        let facts = info?.value.facts
        let originalID = facts?.originalTransactionID ?? id
        let isLater = originalID != id
        self.init(
            token: token, state: isRestored ? .restored : .purchased, productID: signedTransaction.productID,
            quantity: facts?.quantity ?? 1, applicationUsername: facts?.appAccountToken?.uuidString,
            offerID: facts?.offer?.id, id: id, purchaseDate: signedTransaction.purchaseDate,
            original: isLater || isRestored
                ? Original(id: originalID, purchaseDate: facts?.originalPurchaseDate ?? signedTransaction.purchaseDate)
                : nil,
            signedText: SignedText(
                id: id, jws: signedTransaction.jws, payload: signedTransaction.payload, info: info))
    }

    /// Creates the value for a payment that has no transaction yet.
    init(_ payment: PaymentRequest) {
        self.init(
            token: .none, state: .purchasing, productID: payment.productID, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, offerID: payment.offer?.id)
    }
}

extension PaymentRequest {
    /// Creates the request that a transaction answers, from the values that it has. Approvals are recognized by it.
    init(answeredBy transaction: StoreTransaction) {
        self.init(
            productID: transaction.productID, quantity: transaction.quantity,
            applicationUsername: transaction.applicationUsername)
    }

    /// The same part of a payment that has no transaction yet.
    var recognizable: PaymentRequest {
        PaymentRequest(
            productID: productID, quantity: quantity,
            applicationUsername: applicationUsername.flatMap(UUID.init(uuidString:))?.uuidString)
    }
}
