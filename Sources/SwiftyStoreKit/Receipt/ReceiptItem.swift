import AppReceipt
import AppStoreServer
public import Foundation

/// One transaction in a receipt: a purchase, or one period of a subscription.
public struct ReceiptItem: Purchased, Codable {
    /// The identifier of the product.
    public var productId: String
    /// The number of items; 1 if the receipt contains no number.
    public var quantity: Int
    /// The transaction's identifier.
    public var transactionId: String
    /// The identifier of the first transaction of this purchase or subscription.
    public var originalTransactionId: String
    /// The date of the payment, or the start of this period.
    public var purchaseDate: Date
    /// The date of the first transaction.
    public var originalPurchaseDate: Date
    /// The identifier of a subscription's period, the same on all devices.
    public var webOrderLineItemId: String?
    /// The end of this period; `nil` for products other than auto-renewable subscriptions.
    public var subscriptionExpirationDate: Date?
    /// The date on which Apple revoked the purchase; `nil` for a valid purchase.
    public var cancellationDate: Date?
    /// Whether this period is a free trial.
    public var isTrialPeriod: Bool
    /// Whether this period has the introductory price.
    public var isInIntroOfferPeriod: Bool
    /// Whether the customer upgraded to a higher level of the group in this period.
    public var isUpgraded: Bool

    /// Creates an item.
    public init(
        productId: String, quantity: Int, transactionId: String, originalTransactionId: String, purchaseDate: Date,
        originalPurchaseDate: Date, webOrderLineItemId: String?, subscriptionExpirationDate: Date?,
        cancellationDate: Date?,
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
    /// Returns `nil` without a product, a transaction identifier or a purchase date, and for an unreadable cancellation
    /// date. Other missing or unreadable fields have default values: a quantity of 1, and the transaction itself as its
    /// original.
    public init?(receiptInfo: ReceiptInfo) {
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
