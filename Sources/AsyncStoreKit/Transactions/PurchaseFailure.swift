/// A failed transaction that no call was awaiting: an Ask to Buy that was declined, a payment that failed
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

extension PurchaseFailure: CustomStringConvertible {
    /// The product and the error, on one line.
    public var description: String { "\(productID): \(error)" }
}

extension PendingPurchase: CustomStringConvertible {
    /// The product and its quantity, on one line.
    public var description: String { "\(counted(productID, quantity)): pending" }
}
