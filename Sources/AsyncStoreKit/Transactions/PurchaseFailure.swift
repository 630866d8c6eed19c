/// A failed transaction that no call was waiting for: a declined Ask to Buy request, a payment that failed after its
/// call was canceled, or a purchase that the installed delivery rejected.
public struct PurchaseFailure: Sendable, Hashable {
    /// The product.
    public var productID: String { transaction.productID }
    /// The transaction, if known.
    public let transaction: StoreTransaction
    /// The reason of the failure.
    public let error: StoreError
    /// The purchase that waited for approval.
    public let pendingPurchase: PendingPurchase?
}

/// A purchase that waits for approval.
public struct PendingPurchase: Sendable, Hashable, Identifiable {
    /// Identifies a pending purchase within this launch.
    public struct ID: Sendable, Hashable {
        let token: TransactionToken
    }

    /// The identifier, unique within this launch.
    public let id: ID
    /// The product.
    public let productID: String
    /// The quantity.
    public let quantity: Int

    /// Whether a call of this launch has returned `.pending` for it.
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
    public var description: String { "\(productAndQuantity(productID, quantity)): pending" }
}
