/// The outcome of a purchase, set by a test before the purchase; see
/// ``SimulatedAppStore/setNextPurchaseOutcome(_:for:)``.
public enum SimulatedOutcome: Sendable, Hashable {
    /// The purchase is paid.
    case purchased
    /// The purchase fails, and the customer isn't charged.
    case failed(SimulatedError)
    /// The purchase waits for approval.
    case deferred
    /// The purchase fails, and is paid with another transaction when the issue is resolved.
    case interrupted
    /// StoreKit answers with an earlier purchase, as restored. Without an earlier purchase, StoreKit 2 sells the
    /// product.
    case restored
    /// StoreKit never answers, with or without a report of the state purchasing. The next launch removes the payment.
    case neverAnswered(afterPurchasing: Bool)
    /// The transaction leaves the queue without a terminal state.
    case removed
    /// StoreKit reports the product's older, unfinished transaction again and creates no new transaction. Without such
    /// a transaction, the purchase is paid.
    case returnsUnfinishedTransaction

    /// The purchase is paid, but the signature of the transaction is invalid. StoreKit 1 doesn't check the signature.
    /// See ``SimulatedAppStore/setSignatureIsValid(_:forTransactionID:)``.
    case unverified

    /// The customer cancels: ``failed(_:)`` with ``SimulatedError/paymentCancelled``.
    public static let userCancelled = SimulatedOutcome.failed(.paymentCancelled)
}
