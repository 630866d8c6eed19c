package import AppStoreSimulator
public import Foundation

/// An entry of the payment queue.
///
/// The queue keeps one object for each entry, and updates that object just before it notifies its observers.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents are behind a lock, and the payment in them never changes.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    private struct Contents {
        var entry: SimulatedTransaction.ID?
        var state = SKPaymentTransactionState.purchasing
        var payment = SKPayment()
        var transactionIdentifier: String?
        var transactionDate: Date?
        var error: NSError?
        var original: SKPaymentTransaction?
        var downloads: [SKDownload] = []
    }

    // Not `Protected`, whose code is generic outside its own module and would make each property several times as slow.
    private let lock = NSLock()
    // Unchecked because the lock excludes overlapping accesses.
    @exclusivity(unchecked) private var contents = Contents()

    /// Creates the object for a reported entry.
    package convenience init(_ report: SimulatedTransaction) {
        self.init()
        update(to: report)
    }

    /// The error of a failed transaction.
    open var error: (any Error)? {
        withContents { $0.error }
    }

    /// The transaction that this transaction restores. Only restored transactions can have one, and not all of them do.
    open var original: SKPaymentTransaction? {
        withContents { $0.original }
    }

    /// The payment that the transaction is for.
    open var payment: SKPayment {
        withContents { $0.payment }
    }

    /// The downloads of hosted content. Empty unless the transaction is purchased or restored.
    @available(iOS, deprecated: 16.0)
    open var downloads: [SKDownload] {
        withContents { $0.downloads }
    }

    /// The date of the payment. `nil` unless the transaction is purchased or restored.
    open var transactionDate: Date? {
        withContents { $0.transactionDate }
    }

    /// The App Store's identifier. `nil` unless the transaction is purchased or restored.
    open var transactionIdentifier: String? {
        withContents { $0.transactionIdentifier }
    }

    /// The state of the transaction.
    open var transactionState: SKPaymentTransactionState {
        withContents { $0.state }
    }

    /// The identifier of the simulator's entry; `nil` for an object that the queue didn't create.
    package var entry: SimulatedTransaction.ID? {
        withContents { $0.entry }
    }

    private func withContents<Result>(_ body: (inout Contents) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&contents)
    }

    /// Updates the transaction. The payment, the original and the downloads keep their identity unless they changed.
    func update(to report: SimulatedTransaction) {
        withContents { contents in
            if contents.entry != report.id || contents.payment.simulatedPayment != report.payment {
                contents.payment = SKPayment(report.payment)
            }
            contents.entry = report.id
            contents.state = SKPaymentTransactionState(report.state)
            contents.transactionIdentifier = report.transactionID
            contents.transactionDate = report.transactionDate
            contents.error = report.error?.foundationError
            if contents.original?.transactionIdentifier != report.original?.transactionID {
                contents.original = report.original.map { SKPaymentTransaction($0) }
            }
            contents.downloads = report.downloads.map { download in
                let object = contents.downloads.first { $0.entry == download.id } ?? SKDownload(of: self)
                object.update(to: download, of: report)
                return object
            }
        }
    }

    private convenience init(_ original: SimulatedTransaction.Original) {
        self.init()
        withContents {
            $0.state = .purchased
            $0.payment = SKPayment(original.payment)
            $0.transactionIdentifier = original.transactionID
            $0.transactionDate = original.transactionDate
        }
    }
}
