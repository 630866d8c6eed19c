public import Foundation

/// What a store holds, and waits for, at one moment.
public struct StoreDiagnostics: Sendable, Hashable {
    /// A transaction that is not finished.
    public struct Held: Sendable, Hashable {
        /// Why it is not finished.
        public enum Reason: Sendable, Hashable {
            /// Offered on ``PurchaseStore/transactions``; nobody has finished it.
            case offered
            /// Given to the caller of `purchase` or `restore`, who has not finished it.
            case returnedToCaller
            /// Being delivered.
            case delivering
            /// To be delivered or offered again after a pause.
            case pendingRetry
            /// Delivered; its hosted content is still being downloaded.
            case downloading
        }

        /// The transaction.
        public let transaction: StoreTransaction
        /// Why it is not finished.
        public let reason: Reason
        /// Since when.
        public let since: Date
    }

    /// A payment that is with StoreKit.
    public struct Payment: Sendable, Hashable {
        /// What is to be paid.
        public let productID: String
        /// How many.
        public let quantity: Int
    }

    /// The transactions that are paid for and not finished, oldest first.
    public let held: [Held]
    /// The payment that is with StoreKit and whose turn it is.
    public let inFlight: Payment?
    /// Payments of which StoreKit has said nothing for so long that others have had their turn since. Their calls still wait, and are
    /// answered when their transactions come.
    public let unresponsivePayments: [Payment]
    /// How many payments wait for their turn.
    public let waitingPayments: Int
    /// What waits for somebody's approval; see ``PurchaseStore/pendingPurchases``.
    public let pendingPurchases: [PendingPurchase]
    /// How many transactions are to be delivered or offered again after a pause.
    public let pendingRetries: Int
    /// Whether a restore is running.
    public let isRestoring: Bool
    /// Why the delivery ledger can't be read or written, or what was damaged in it. `nil` when everything is written, and without a
    /// ledger. Purchases are delivered and finished all the same.
    public let deliveryLedgerError: StoreError?
}
