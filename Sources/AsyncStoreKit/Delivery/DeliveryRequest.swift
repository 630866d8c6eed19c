public import Foundation

/// Purchases to be delivered together: one purchase, or all that one restore brought.
public struct DeliveryRequest: Sendable, Hashable {
    /// The purchases; at least one. ``StorePurchase/finish()`` does nothing on them: the decision finishes.
    public let purchases: [StorePurchase]
    /// How they came about.
    public let cause: StorePurchase.Cause
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
