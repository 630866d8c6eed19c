public import Foundation

/// Receives the events of the payment queue. The queue holds its observers weakly.
///
/// Methods that Apple declares as optional have default implementations here. Therefore the queue calls a method of a
/// subclass only if the conforming base class declares the method, too.
@available(iOS, deprecated: 18.0)
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    /// Reports new and changed transactions.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
    /// Reports transactions that left the queue.
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction])
    /// Reports that a restore failed. Some restored transactions may have been reported before.
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error)
    /// Reports that a restore is complete.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue)
    /// Reports changed downloads.
    @available(iOS, deprecated: 16.0)
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload])
    /// Asks whether to continue a purchase from the App Store immediately. The default is `false`, which defers the
    /// purchase.
    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool
    /// Reports that the storefront of the account changed.
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue)
    /// Reports products that the customer lost by a refund or a change in Family Sharing.
    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String])
}

// Apple declares these requirements as optional.
extension SKPaymentTransactionObserver {
    /// Does nothing.
    public func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {}

    /// Does nothing.
    public func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {}

    /// Does nothing.
    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {}

    /// Does nothing.
    @available(iOS, deprecated: 16.0)
    public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {}

    /// Returns `false`: the purchase is deferred.
    public func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct)
        -> Bool
    {
        false
    }

    /// Does nothing.
    public func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {}

    /// Does nothing.
    public func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {}
}
