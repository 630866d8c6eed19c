/// What the payment queue reports to its observers.
public enum SimulatedQueueEvent: Sendable, Hashable {
    /// Transactions are new, or changed; the batch belongs together.
    case updatedTransactions([SimulatedTransaction])
    /// Transactions left the queue.
    case removedTransactions([SimulatedTransaction])
    /// A restore has completed.
    case restoreFinished
    /// A restore has failed; part of its transactions may have been reported before.
    case restoreFailed(SimulatedError)
    /// Downloads changed their state or progress.
    case updatedDownloads([SimulatedDownload])
    /// Purchases of these products were refunded, or are no longer shared in the family.
    case revokedEntitlements(productIDs: [String])
    /// The account moved to another country's store.
    case changedStorefront
}
