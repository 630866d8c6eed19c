public import StoreKit

/// A purchase that a call has asked for.
public struct PurchaseDetails {
    /// What was bought.
    public let productId: String
    /// How many.
    public let quantity: Int
    /// What was bought, as the App Store describes it.
    public let product: SKProduct
    /// The transaction.
    public let transaction: any PaymentTransaction
    /// The transaction that a restored one gives again.
    public let originalTransaction: (any PaymentTransaction)?
    /// Whether ``SwiftyStoreKit/finishTransaction(_:)`` has to be called when the content is delivered.
    public let needsFinishTransaction: Bool

    /// Describes a purchase.
    public init(
        productId: String, quantity: Int, product: SKProduct, transaction: any PaymentTransaction,
        originalTransaction: (any PaymentTransaction)?, needsFinishTransaction: Bool
    ) {
        self.productId = productId
        self.quantity = quantity
        self.product = product
        self.transaction = transaction
        self.originalTransaction = originalTransaction
        self.needsFinishTransaction = needsFinishTransaction
    }
}
