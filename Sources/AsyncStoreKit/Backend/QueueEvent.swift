/// What a payment queue tells its observer, as values. A batch stays together.
public enum QueueEvent: Sendable {
    /// Transactions are new, or changed.
    case updatedTransactions([StoreTransaction])
    /// Entries left the queue, because they were finished here or elsewhere.
    case removedTransactions([TransactionToken])
    /// A restore has come to its end.
    case restoreFinished
    /// A restore has failed; some of it may have come before.
    case restoreFailed(StoreError)
    /// The account moved to another country's store.
    case storefrontChanged
    /// Downloads of hosted content have moved on.
    case updatedDownloads([StoreDownload])
    /// Products were taken away.
    case revokedEntitlements(PurchaseRevocation)
    /// A customer has begun a purchase in the App Store.
    indirect case promotedPayment(PromotedPayment)
    /// The queue is gone: nothing more will come, and nothing can be done with it.
    case terminated(StoreError)
}
