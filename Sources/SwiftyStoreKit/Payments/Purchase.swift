/// A transaction that was restored, or that no call has asked for.
public struct Purchase {
    /// What was bought.
    public let productId: String
    /// How many.
    public let quantity: Int
    /// The transaction.
    public let transaction: any PaymentTransaction
    /// The transaction that a restored one gives again.
    public let originalTransaction: (any PaymentTransaction)?
    /// Whether ``SwiftyStoreKit/finishTransaction(_:)`` has to be called when the content is delivered.
    public let needsFinishTransaction: Bool

    /// Describes a purchase.
    public init(
        productId: String, quantity: Int, transaction: any PaymentTransaction, originalTransaction: (any PaymentTransaction)?,
        needsFinishTransaction: Bool
    ) {
        self.productId = productId
        self.quantity = quantity
        self.transaction = transaction
        self.originalTransaction = originalTransaction
        self.needsFinishTransaction = needsFinishTransaction
    }
}
