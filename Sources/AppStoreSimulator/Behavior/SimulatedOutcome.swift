/// How a payment ends when a test says so beforehand.
public enum SimulatedOutcome: Sendable, Hashable {
    /// Paid.
    case purchased
    /// Comes to nothing.
    case failed(SimulatedError)
    /// Waits for an approval.
    case deferred
    /// Fails, and is paid later, as another transaction.
    case interrupted
    /// Answered as a purchase of old that is given again.
    case restored
    /// Never answered, after or without a report that it is purchasing. Forgotten at the next launch.
    case neverAnswered(afterPurchasing: Bool)
    /// Leaves the queue without having reached an end.
    case removed
    /// Makes no transaction: the older one of the product that is still unfinished is reported anew. Without such a transaction, paid.
    case answeredByOlder
}
