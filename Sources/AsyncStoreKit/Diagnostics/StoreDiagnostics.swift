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
    /// The number of payments that wait for their turn.
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
}
