/// Something that came to nothing, and that no call was waiting for: an Ask to Buy that was declined, a payment that failed
/// after its wait had been cancelled, a purchase that the installed delivery refused.
public struct PurchaseFailure: Sendable, Hashable {
    /// The transaction, as far as it is known.
    public let transaction: StoreTransaction
    /// Why.
    public let error: StoreError
    /// The purchase that waited for approval.
    public let pendingPurchase: PendingPurchase?
}

/// A purchase that waits for somebody's approval.
public struct PendingPurchase: Sendable, Hashable, Identifiable {
    /// Tells this purchase from every other of this launch.
    public struct ID: Sendable, Hashable {
        let call: CallID
    }

    /// Tells this purchase from every other of this launch.
    public let id: ID
    /// What is to be bought.
    public let productID: String
    /// How many.
    public let quantity: Int

    init(call: CallID, productID: String, quantity: Int) {
        id = ID(call: call)
        self.productID = productID
        self.quantity = quantity
    }
}
