import Foundation
import StoreKit
import Support

/// Records the events of the queue without finishing transactions.
final class RecordingObserver: NSObject, SKPaymentTransactionObserver, Sendable {
    // @unchecked because: values are read only after they were recorded.
    private struct Downloads: @unchecked Sendable {
        let list: [SKDownload]
    }

    private let recorded = Recorder<String>()
    private let batches = Recorder<[SKPaymentTransaction]>()
    private let failures = Recorder<any Error>()
    private let downloaded = Recorder<Downloads>()
    private let addsStorePayments: Bool
    private let keepsTransactions: Bool

    init(addsStorePayments: Bool = false, keepsTransactions: Bool = true) {
        self.addsStorePayments = addsStorePayments
        self.keepsTransactions = keepsTransactions
    }

    /// Short descriptions of the events, in order.
    var events: [String] { recorded.elements }
    var updates: [[SKPaymentTransaction]] { batches.elements }
    /// The last reported object.
    var latest: SKPaymentTransaction? { updates.last?.last }
    var restoreFailures: [any Error] { failures.elements }
    var downloads: [SKDownload] { downloaded.elements.flatMap(\.list) }

    private func record(_ event: String) {
        recorded.record(event)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        if keepsTransactions { batches.record(transactions) }
        record(transactions.map { "\($0.payment.productIdentifier) \($0.transactionState)" }.joined(separator: ", "))
    }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        record("removed " + transactions.map(\.payment.productIdentifier).joined(separator: ", "))
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        failures.record(error)
        record("restore failed")
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        record("restored")
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        downloaded.record(Downloads(list: downloads))
    }

    func paymentQueue(_ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct) -> Bool
    {
        record("asked for \(payment.productIdentifier), \(product.productIdentifier)")
        return addsStorePayments
    }

    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        record("storefront \(queue.storefront?.countryCode ?? "none")")
    }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String])
    {
        record("revoked \(productIdentifiers.joined(separator: ", "))")
    }
}
