public import Foundation

/// Purchases to be delivered together: one purchase, or all that one restore brought.
public struct DeliveryRequest: Sendable, Hashable {
    /// One purchase.
    public struct Item: Sendable, Hashable {
        /// The transaction: purchased, or restored.
        public let transaction: StoreTransaction
        /// Stays the same when the purchase is reported again, restored, or delivered in another launch.
        public let key: String
        /// Whether it has been delivered, or tried, before in this process. After a relaunch only the key tells.
        public let isRedelivery: Bool
    }

    /// Why there is something to deliver.
    public enum Cause: Sendable, Hashable {
        /// A call of `purchase`.
        case purchase
        /// A call of `restore`.
        case restore
        /// Nobody asked: a renewal, an approval, an interrupted purchase, another device, an earlier launch.
        case unsolicited
    }

    /// The purchases; at least one.
    public let items: [Item]
    /// Why they are here.
    public let cause: Cause
    /// How often these have been tried before; 0 the first time.
    public let attempt: Int
    /// The receipt on the device at this moment; `nil` when there is none.
    public let receipt: Data?
    let refresh: ReceiptRefresh

    /// Asks the App Store for a new receipt, for when ``receipt`` does not hold the purchases yet; people may be asked for
    /// their password.
    ///
    /// Deliveries and callers of ``PurchaseStore/refreshReceipt()`` at the same time share one request.
    /// - Throws: What ``PurchaseStore/refreshReceipt()`` throws, and ``StoreError/Code/receiptUnavailable`` when there is still none.
    public func refreshedReceipt() async throws(StoreError) -> Data {
        try await refresh()
    }
}
