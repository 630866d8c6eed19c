import Foundation
import StoreKit

/// Writes down what the queue says; finishes nothing.
// @unchecked because: everything that changes is behind a lock.
final class RecordingObserver: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [String] = []
    private var batches: [[SKPaymentTransaction]] = []
    private var failures: [any Error] = []
    private var downloaded: [SKDownload] = []
    private let addsStorePayments: Bool
    private let keepsTransactions: Bool

    init(addsStorePayments: Bool = false, keepsTransactions: Bool = true) {
        self.addsStorePayments = addsStorePayments
        self.keepsTransactions = keepsTransactions
    }

    /// What was said, in order, in short.
    var events: [String] { lock.withLock { recorded } }
    var updates: [[SKPaymentTransaction]] { lock.withLock { batches } }
    /// The object that was reported last.
    var latest: SKPaymentTransaction? { updates.last?.last }
    var restoreFailures: [any Error] { lock.withLock { failures } }
    var downloads: [SKDownload] { lock.withLock { downloaded } }

    private func record(_ event: String) {
        lock.withLock { recorded.append(event) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        if keepsTransactions { lock.withLock { batches.append(transactions) } }
        record(transactions.map { "\($0.payment.productIdentifier) \($0.transactionState)" }.joined(separator: ", "))
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        record("removed " + transactions.map(\.payment.productIdentifier).joined(separator: ", "))
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        lock.withLock { failures.append(error) }
        record("restore failed")
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        record("restored")
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        lock.withLock { downloaded += downloads }
    }

    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool {
        record("asked for \(payment.productIdentifier), \(product.productIdentifier)")
        return addsStorePayments
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        record("storefront \(queue.storefront?.countryCode ?? "none")")
    }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]) {
        record("revoked \(productIdentifiers.joined(separator: ", "))")
    }
}
