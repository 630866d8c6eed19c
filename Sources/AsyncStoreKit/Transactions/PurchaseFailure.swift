/// Something that came to nothing, and that no call was waiting for: an Ask to Buy that was declined, a payment that failed
/// after its wait had been cancelled, a purchase that the installed delivery refused.
public struct PurchaseFailure: Sendable, Hashable {
    /// What was to be bought.
    public var productID: String { transaction.productID }
    /// The transaction, as far as it is known.
    public let transaction: StoreTransaction
    /// Why.
    public let error: StoreError
    /// The purchase that waited for approval.
    public let pendingPurchase: PendingPurchase?
}
