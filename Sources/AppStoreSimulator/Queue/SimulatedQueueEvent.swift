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

/// Something an app did that Apple forbids; some of it raises an exception on a device. Here it is recorded, and has no effect.
public enum SimulatorMisuse: Sendable, Hashable {
    /// A transaction was finished while it was purchasing.
    case finishedWhilePurchasing(SimulatedTransaction.ID)
    /// A transaction was finished while it waited for an approval.
    case finishedWhileDeferred(SimulatedTransaction.ID)
    /// A payment had a quantity outside 1 to 10.
    case quantityOutOfRange(productID: String, quantity: Int)
    /// A payment named no product.
    case emptyProductID
    /// A download was started, paused, resumed or cancelled that is not in the queue (any more).
    case downloadNotInQueue(SimulatedDownload.ID)
}
