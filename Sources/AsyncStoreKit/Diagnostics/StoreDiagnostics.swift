public import Foundation

/// The unfinished transactions and waiting payments of a store at one moment.
public struct StoreDiagnostics: Sendable, Hashable {
    /// A transaction that is not finished.
    public struct Held: Sendable, Hashable {
        /// Why a transaction isn't finished.
        public enum Reason: Sendable, Hashable {
            /// The transaction was offered on ``PurchaseStore/transactions``.
            case offered
            /// The transaction was returned by `purchase` or `restore`.
            case returnedToCaller
            /// The transaction is being delivered.
            case delivering
            /// The transaction is delivered or offered again after a pause.
            case pendingRetry
            /// The transaction is delivered, and its hosted content is still downloading.
            case downloading
        }

        /// The transaction.
        public let transaction: StoreTransaction
        /// Why the transaction isn't finished.
        public let reason: Reason
        /// The start of this state.
        public let since: Date
        /// The number of attempts to deliver the transaction that have failed in this launch.
        public internal(set) var attempts = 0
        /// Why the last attempt failed: the status and the content type of your server's response, the error of the
        /// network, or the reason of your delivery. `nil` if none has failed.
        public internal(set) var lastError: String?
        /// The date of the next attempt, if it's known. It may be earlier, when the app returns or the customer buys.
        public internal(set) var nextAttempt: Date?
    }

    /// A payment that StoreKit is processing.
    public struct Payment: Sendable, Hashable {
        /// The product.
        public let productID: String
        /// The quantity.
        public let quantity: Int
    }

    /// The paid transactions that aren't finished, oldest first.
    public let held: [Held]
    /// The payment that StoreKit is processing and the next payments wait for.
    public let inFlight: Payment?
    /// Payments about which StoreKit has been silent for so long that the next ones have started. Their calls still
    /// wait, and return when their transactions arrive.
    public let unresponsivePayments: [Payment]
    /// The number of payments that wait for earlier ones.
    public let waitingPayments: Int
    /// The purchases that wait for approval; see ``PurchaseStore/pendingPurchases``.
    public let pendingPurchases: [PendingPurchase]
    /// The number of transactions that are delivered or offered again after a pause.
    public let pendingRetries: Int
    /// Whether a restore is running.
    public let isRestoring: Bool
    /// Why the delivery ledger can't be read or written, or the damage that was found. `nil` when everything is
    /// written, and without a ledger. Purchases are still delivered and finished.
    public let deliveryLedgerError: StoreError?
    /// The last 100 events of the store's log in this launch, without details for debugging, oldest first: which
    /// purchases were delivered, rejected and tried again, with the time of each.
    public internal(set) var recentEvents: [String] = []
}

extension StoreDiagnostics: CustomStringConvertible {
    /// One line for each transaction, payment and running call, or "nothing waits". ``recentEvents`` isn't part of it.
    public var description: String {
        var lines = held.map(\.description)
        if let inFlight { lines.append("paying \(inFlight)") }
        lines += unresponsivePayments.map { "without an answer: \($0)" }
        if waitingPayments > 0 { lines.append("payments that wait for earlier ones: \(waitingPayments)") }
        lines += pendingPurchases.map(\.description)
        if pendingRetries > 0 { lines.append("deliveries that wait for a retry: \(pendingRetries)") }
        if isRestoring { lines.append("restoring") }
        if let deliveryLedgerError { lines.append("delivery ledger: \(deliveryLedgerError)") }
        return lines.isEmpty ? "nothing waits" : lines.map(\.escapedForLog).joined(separator: "\n")
    }
}

extension StoreDiagnostics.Held: CustomStringConvertible {
    /// The transaction, the reason, the start of the state, and the attempts.
    public var description: String {
        var text = "\(transaction), \(reason.words) since \(since.formatted(.iso8601))"
        if attempts > 0 { text += ", \(attempts) failed \(attempts == 1 ? "attempt" : "attempts")" }
        if let lastError { text += ", the last: \(lastError)" }
        if let nextAttempt { text += ", next attempt \(nextAttempt.formatted(.iso8601))" }
        return text
    }
}

extension StoreDiagnostics.Held.Reason {
    /// The reason in words, such as "waits for a retry".
    fileprivate var words: String {
        switch self {
        case .offered: "offered to loops"
        case .returnedToCaller: "returned to the caller"
        case .delivering: "being delivered"
        case .pendingRetry: "waits for a retry"
        case .downloading: "downloading"
        }
    }
}

extension StoreDiagnostics.Payment: CustomStringConvertible {
    /// The product, with a quantity other than 1, such as "5 × coins".
    public var description: String { quantity == 1 ? productID : "\(quantity) × \(productID)" }
}
