public import Foundation

/// One purchase in a receipt of the simulated App Store. The receipt omits fields that are `nil`.
public struct SimulatedReceiptTransaction: Sendable, Hashable {
    /// The identifier of the product.
    public var productID: String
    /// The number of items.
    public var quantity: Int64
    /// The transaction's identifier.
    public var transactionID: String
    /// The date of the purchase, renewal or restore.
    public var purchaseDate: Date
    /// The identifier of the restored or renewed transaction; for a first purchase, the transaction's own identifier.
    public var originalTransactionID: String?
    /// The date of the original transaction.
    public var originalPurchaseDate: Date?
    /// The number of the product's kind in receipts.
    public var productType: Int64?
    /// The end of a subscription's paid period.
    public var expirationDate: Date?
    /// The number of a subscription's purchase event across devices.
    public var webOrderLineItemID: Int64?
    /// The date on which Apple's support canceled the purchase or an upgrade replaced it.
    public var revocationDate: Date?
    /// Whether the period is a free trial.
    public var isTrialPeriod: Bool?
    /// Whether the period has an introductory price.
    public var isInIntroductoryOfferPeriod: Bool?
    /// The identifier of a promotional offer.
    public var promotionalOfferID: String?
    /// Further attributes, as octets by attribute number.
    public var additionalAttributes: [Int64: [UInt8]]

    /// Creates a first purchase of a product.
    public init(productID: String, transactionID: String, purchaseDate: Date, quantity: Int64 = 1) {
        self.productID = productID
        self.quantity = quantity
        self.transactionID = transactionID
        self.purchaseDate = purchaseDate
        originalTransactionID = transactionID
        originalPurchaseDate = purchaseDate
        additionalAttributes = [:]
    }
}
