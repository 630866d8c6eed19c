/// A purchase that waits for somebody's approval.
public struct PendingPurchase: Sendable, Hashable, Identifiable {
    /// Tells this purchase from every other of this launch.
    public struct ID: Sendable, Hashable {
        let token: TransactionToken
    }

    /// Tells this purchase from every other of this launch.
    public let id: ID
    /// What is to be bought.
    public let productID: String
    /// How many.
    public let quantity: Int

    /// Whether a call of this launch has been told that it waits.
    let isKnownToCall: Bool

    init(_ transaction: StoreTransaction, isKnownToCall: Bool) {
        id = ID(token: transaction.token)
        productID = transaction.productID
        quantity = transaction.quantity
        self.isKnownToCall = isKnownToCall
    }
}
