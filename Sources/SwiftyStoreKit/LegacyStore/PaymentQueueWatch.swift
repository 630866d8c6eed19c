import Foundation
import StoreKit

/// Observes StoreKit 1's payment queue for payments that the app itself adds, while the store uses StoreKit 2.
///
/// StoreKit 2 also lists paid transactions of the queue. For these transactions, the watch makes the store read the
/// unfinished transactions, and doesn't finish them. StoreKit 2 doesn't list failed transactions, so the watch finishes
/// them.
final class PaymentQueueWatch: NSObject, SKPaymentTransactionObserver, Sendable {
    private let refresh: @Sendable () -> Void

    /// Creates an observer.
    ///
    /// - Parameter refresh: Makes the store read the unfinished transactions.
    init(refresh: @escaping @Sendable () -> Void) {
        self.refresh = refresh
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .failed {
            queue.finishTransaction(transaction)
        }
        let isPaid = transactions.contains { $0.transactionState == .purchased || $0.transactionState == .restored }
        if isPaid { refresh() }
    }

    #if !os(watchOS)
        /// Returns `false`: StoreKit 2 reports purchases from the App Store.
        func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct)
            -> Bool
        {
            false
        }
    #endif
}
