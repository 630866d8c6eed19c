/// The outcome of a purchase, set by a test before the purchase; see ``SimulatedAppStore/setNextPurchaseOutcome(_:for:)``.
public enum SimulatedOutcome: Sendable, Hashable {
    /// Paid.
    case purchased
    /// Fails; nothing is paid.
    case failed(SimulatedError)
    /// Waits for an approval.
    case deferred
    /// Fails, and is paid as another transaction once the issue is resolved.
    case interrupted
    /// Answered with an earlier purchase, as restored. StoreKit 2 sells the product if there's no earlier purchase.
    case restored
    /// Never answered, after or without a report that it is purchasing. Forgotten at the next launch.
    case neverAnswered(afterPurchasing: Bool)
    /// Leaves the queue without having reached a terminal state.
    case removed
    /// Makes no transaction: the older one of the product that is still unfinished is reported anew. Without such a transaction, paid.
    case returnsUnfinishedTransaction

    /// Paid, but the signature of the transaction does not check out, which StoreKit 1 does not look at. See
    /// ``SimulatedAppStore/setSignatureIsValid(_:forTransactionID:)``.
    case unverified

    /// The customer cancels: ``failed(_:)`` with ``SimulatedError/paymentCancelled``.
    public static let userCancelled = SimulatedOutcome.failed(.paymentCancelled)
}
