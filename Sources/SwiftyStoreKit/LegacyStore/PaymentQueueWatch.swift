import Foundation
import StoreKit

/// Watches StoreKit 1's payment queue beside a store over StoreKit 2, for payments that the app itself adds to the queue.
///
/// StoreKit 2 lists paid transactions of the queue, too. So the watch has the store read the unfinished transactions, and doesn't finish
/// them. StoreKit 2 doesn't list failed transactions, so the watch finishes these.
final class PaymentQueueWatch: NSObject, SKPaymentTransactionObserver, Sendable {
    private let refresh: @Sendable () -> Void

    /// - Parameter refresh: Has the store read the unfinished transactions.
    init(refresh: @escaping @Sendable () -> Void) {
        self.refresh = refresh
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .failed { queue.finishTransaction(transaction) }
        let isPaid = transactions.contains { $0.transactionState == .purchased || $0.transactionState == .restored }
        if isPaid { refresh() }
    }

    #if !os(watchOS)
        /// Returns `false`: StoreKit 2 asks about purchases that are begun in the App Store.
        func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
            false
        }
    #endif
}
