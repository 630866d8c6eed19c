package import AppStoreSimulator
public import Foundation

/// An entry of the payment queue.
///
/// The queue keeps one object for each entry and changes it as the entry moves on, just before it tells its observers.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents are behind a lock, and the payment in them is never changed.
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

    private let contents = Protected(Contents())

    /// Makes an object for an entry as it was reported.
    package convenience init(_ report: SimulatedTransaction) {
        self.init()
        update(to: report)
    }

    /// Why the transaction failed; only when it failed.
    open var error: (any Error)? {
        contents.current.error
    }

    /// The transaction that this one restores; only when restored, and even then not always.
    open var original: SKPaymentTransaction? {
        contents.current.original
    }

    /// What was asked for.
    open var payment: SKPayment {
        contents.current.payment
    }

    /// The hosted content; only when purchased or restored.
    @available(iOS, deprecated: 16.0)
    open var downloads: [SKDownload] {
        contents.current.downloads
    }

    /// When the transaction was paid; only when purchased or restored.
    open var transactionDate: Date? {
        contents.current.transactionDate
    }

    /// The App Store's identifier; only in the states `purchased` and `restored`.
    open var transactionIdentifier: String? {
        contents.current.transactionIdentifier
    }

    /// The state.
    open var transactionState: SKPaymentTransactionState {
        contents.current.state
    }

    /// The entry of the simulated queue; `nil` for an object that did not come from it.
    package var entry: SimulatedTransaction.ID? {
        contents.current.entry
    }

    /// Takes over what was reported. Objects that stand for the same thing as before stay: the payment, the original, the downloads.
    func update(to report: SimulatedTransaction) {
        contents.withLock { contents in
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
        contents.withLock {
            $0.state = .purchased
            $0.payment = SKPayment(original.payment)
            $0.transactionIdentifier = original.transactionID
            $0.transactionDate = original.transactionDate
        }
    }
}
