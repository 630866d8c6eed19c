public import Foundation

/// What a store holds, and waits for, at one moment.
public struct StoreDiagnostics: Sendable, Hashable {
    /// A transaction that is not finished.
    public struct Held: Sendable, Hashable {
        /// Why it is not finished.
        public enum Reason: Sendable, Hashable {
            /// Offered on ``PurchaseStore/transactions``; nobody has finished it.
            case offered
            /// Handed to the caller of `purchase` or `restore`, who has not finished it.
            case handedOver
            /// Being delivered.
            case delivering
            /// To be tried again by the installed delivery.
            case owed
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

    /// The transactions that are paid for and not finished, oldest first.
    public let held: [Held]
    /// The payment that is with StoreKit.
    public let inFlight: PaymentRequest?
    /// How many payments wait for their turn.
    public let waitingPayments: Int
    /// What waits for somebody's approval.
    public let pendingApprovals: [PendingPurchase]
    /// How many transactions the installed delivery still owes.
    public let owed: Int
    /// Whether a restore is running.
    public let isRestoring: Bool
}
