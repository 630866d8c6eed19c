import AppReceipt
public import Foundation

/// A consumable that the customer bought, whether or not it's used up. You can rebuild a balance from all of them.
public struct ConsumablePurchase: Sendable, Hashable, Identifiable {
    /// The App Store's identifier of the transaction.
    public let id: String
    /// The product.
    public let productID: String
    /// The quantity, from 1 to 10.
    public let quantity: Int
    /// When the customer paid.
    public let purchaseDate: Date
    /// Whether the purchase was refunded. Subtract it from the balance, as far as possible.
    public let isRevoked: Bool
    /// The UUID that the app gave with the payment; `nil` if it gave none.
    public let appAccountToken: UUID?
    /// The transaction as Apple signed it, a JSON Web Signature, for a server.
    public let jws: String?

    /// The key of the ``StorePurchase`` that was delivered. Don't credit the same key twice.
    public var deliveryKey: String { id }

    /// - Returns: `nil` for a transaction that isn't a consumable.
    init?(_ statement: SignedStatement<ReceiptTransaction>) {
        let row = statement.value
        guard row.productKind == .consumable else { return nil }
        id = row.transactionID
        productID = row.productID
        quantity = row.quantity
        purchaseDate = row.purchaseDate
        isRevoked = row.isRevoked
        appAccountToken = VerifiedTransaction(statement).appAccountToken
        jws = statement.jws
    }
}
