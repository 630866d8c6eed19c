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
