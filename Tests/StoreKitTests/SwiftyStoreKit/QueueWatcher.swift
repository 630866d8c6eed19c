import StoreKit
import Support

/// An observer that an app itself adds to the payment queue.
final class QueueWatcher: NSObject, SKPaymentTransactionObserver {
    /// The reported transactions.
    let seen = Recorder<SKPaymentTransaction>()
    /// The transactions that left the queue.
    let removed = Recorder<SKPaymentTransaction>()

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        transactions.forEach(seen.record)
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        transactions.forEach(removed.record)
    }
}
