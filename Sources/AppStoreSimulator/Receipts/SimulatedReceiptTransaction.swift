public import Foundation

/// One purchase in a receipt of the simulated App Store; what is `nil` is left out of the receipt.
public struct SimulatedReceiptTransaction: Sendable, Hashable {
    /// The product bought.
    public var productID: String
    /// How many of it.
    public var quantity: Int64
    /// The transaction's identifier.
    public var transactionID: String
    /// When it was bought, renewed or restored.
    public var purchaseDate: Date
    /// The identifier of the transaction that was restored or renewed; its own for a first purchase.
    public var originalTransactionID: String?
    /// When the original transaction was made.
    public var originalPurchaseDate: Date?
    /// The number receipts use for the kind of product.
    public var productType: Int64?
    /// When the paid period of a subscription ends.
    public var expirationDate: Date?
    /// The number of a subscription's purchase event across devices.
    public var webOrderLineItemID: Int64?
    /// When Apple's support cancelled the purchase, or an upgrade replaced it.
    public var revocationDate: Date?
    /// Whether the period is a free trial.
    public var isTrialPeriod: Bool?
    /// Whether the period is one of an introductory price.
    public var isInIntroductoryOfferPeriod: Bool?
    /// The identifier of a promotional offer.
    public var promotionalOfferID: String?
    /// Further attributes by number, with the octets of their values.
    public var additionalAttributes: [Int64: [UInt8]]

    /// Makes a first purchase of one product.
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
