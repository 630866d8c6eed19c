/// An event that the payment queue reports to its observers.
public enum SimulatedQueueEvent: Sendable, Hashable {
    /// Transactions are new or changed. The queue reports the batch together.
    case updatedTransactions([SimulatedTransaction])
    /// Transactions left the queue.
    case removedTransactions([SimulatedTransaction])
    /// A restore is complete.
    case restoreFinished
    /// A restore failed. Some of its transactions may have been reported before.
    case restoreFailed(SimulatedError)
    /// Downloads changed their state or progress.
    case updatedDownloads([SimulatedDownload])
    /// Purchases of these products were refunded, or the family no longer shares them.
    case revokedEntitlements(productIDs: [String])
    /// The storefront of the account changed.
    case changedStorefront
}

/// A call that Apple forbids. On a device, some of these calls raise an exception. The simulator records and ignores
/// them.
public enum SimulatorMisuse: Sendable, Hashable {
    /// The app finished a transaction in the state purchasing.
    case finishedWhilePurchasing(SimulatedTransaction.ID)
    /// The app finished a transaction in the state deferred.
    case finishedWhileDeferred(SimulatedTransaction.ID)
    /// A payment had a quantity outside 1 to 10.
    case quantityOutOfRange(productID: String, quantity: Int)
    /// A payment had no product identifier.
    case emptyProductID
    /// The app started, paused, resumed or canceled a download that isn't in the queue.
    case downloadNotInQueue(SimulatedDownload.ID)
}
