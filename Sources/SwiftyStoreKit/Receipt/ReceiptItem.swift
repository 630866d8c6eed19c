import AppReceipt
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

extension ReceiptItem {
    /// Reads an element of `in_app` or `latest_receipt_info`.
    ///
    /// `nil` when it names no product, no transaction or no purchase date, or when its cancellation date cannot be read. What else
    /// is missing or cannot be read has its usual value: a quantity of 1, the original transaction the transaction itself.
    public init?(receiptInfo: ReceiptInfo) {
        if let plain = ReceiptItem(plainRow: receiptInfo) {
            self = plain
            return
        }
        var text = ReceiptInfoText()
        text.append(receiptInfo)
        guard let purchase = try? ReceiptTransaction(leniently: text.bytes) else { return nil }
        self.init(purchase)
    }

    init(_ purchase: ReceiptTransaction) {
        self.init(
            productId: purchase.productID, quantity: purchase.quantity, transactionId: purchase.transactionID,
            originalTransactionId: purchase.originalTransactionID, purchaseDate: purchase.purchaseDate,
            originalPurchaseDate: purchase.originalPurchaseDate, webOrderLineItemId: purchase.webOrderLineItemID,
            subscriptionExpirationDate: purchase.expirationDate, cancellationDate: purchase.revocationDate,
            isTrialPeriod: purchase.isTrialPeriod, isInIntroOfferPeriod: purchase.isInIntroductoryOfferPeriod,
            isUpgraded: purchase.isUpgraded)
    }
}
