/// What the payment queue tells its observers.
public enum SimulatedQueueEvent: Sendable, Hashable {
    /// Transactions are new, or changed; the batch belongs together.
    case updatedTransactions([SimulatedTransaction])
    /// Transactions left the queue.
    case removedTransactions([SimulatedTransaction])
    /// A restore has come to its end.
    case restoreFinished
    /// A restore has failed; some of it may have come before.
    case restoreFailed(SimulatedError)
    /// Downloads moved on.
    case updatedDownloads([SimulatedDownload])
    /// Refunds, and changes in a family's sharing, took these products away.
    case revokedEntitlements(productIdentifiers: [String])
    /// The account moved to another country's store.
    case changedStorefront
}

/// Somebody who is told what happens to the payment queue. The queue holds its observers weakly.
public protocol SimulatedQueueObserver: AnyObject, Sendable {
    /// Tells what happened. Which thread calls is up to ``SimulatorBehavior/deliveryThread``.
    func paymentQueue(_ launch: SimulatedLaunch, didReceive event: SimulatedQueueEvent)
    /// Asks whether a purchase begun in the App Store is to go on at once.
    func paymentQueue(_ launch: SimulatedLaunch, shouldAddStorePayment payment: SimulatedPayment, for product: SimulatedProduct) -> Bool
    /// Asks whether a transaction is to go on in the storefront to which the account has just moved.
    func paymentQueue(_ launch: SimulatedLaunch, shouldContinue transaction: SimulatedTransaction, in storefront: SimulatedStorefront)
        -> Bool
}
