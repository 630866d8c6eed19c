public import Foundation

/// One transaction in a receipt: a purchase, or one period of a subscription.
public struct ReceiptItem: Purchased, Codable {
    /// The product bought.
    public var productId: String
    /// How many; 1 where the receipt does not say.
    public var quantity: Int
    /// The transaction's identifier.
    public var transactionId: String
    /// The identifier of the first transaction of this purchase or subscription.
    public var originalTransactionId: String
    /// When the customer was charged, or when this period begins.
    public var purchaseDate: Date
    /// When the first transaction was made.
    public var originalPurchaseDate: Date
    /// Identifies a period of a subscription across devices.
    public var webOrderLineItemId: String?
    /// When this period ends; `nil` for everything but auto-renewable subscriptions.
    public var subscriptionExpirationDate: Date?
    /// When Apple took the purchase back; `nil` while it stands.
    public var cancellationDate: Date?
    /// Whether this period is the free trial.
    public var isTrialPeriod: Bool
    /// Whether this period is at the introductory price.
    public var isInIntroOfferPeriod: Bool
    /// Whether the customer has moved on to a higher product of the group within this period.
    public var isUpgraded: Bool

    /// Creates an item.
    public init(
        productId: String, quantity: Int, transactionId: String, originalTransactionId: String, purchaseDate: Date,
        originalPurchaseDate: Date, webOrderLineItemId: String?, subscriptionExpirationDate: Date?, cancellationDate: Date?,
        isTrialPeriod: Bool, isInIntroOfferPeriod: Bool, isUpgraded: Bool
    ) {
        self.productId = productId
        self.quantity = quantity
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.webOrderLineItemId = webOrderLineItemId
        self.subscriptionExpirationDate = subscriptionExpirationDate
        self.cancellationDate = cancellationDate
        self.isTrialPeriod = isTrialPeriod
        self.isInIntroOfferPeriod = isInIntroOfferPeriod
        self.isUpgraded = isUpgraded
    }
}
