public import Foundation

/// One transaction in a receipt: a purchase, or one period of a subscription.
///
/// Two rows are equal when they state the same transaction. What only one kind of receipt can carry (``productKind``,
/// ``unknownFields``) is not compared, so a row read from a PKCS#7 file equals the same row read from JSON.
public struct ReceiptTransaction: Hashable, Sendable, Codable, Identifiable {
    /// The product bought.
    public var productID: String
    /// How many; 1 when the receipt does not say.
    public var quantity: Int
    /// The transaction's identifier; a restored purchase and every renewal have their own.
    public var transactionID: String
    /// The identifier of the first transaction of this purchase or subscription; ``transactionID`` when the receipt (Xcode's) does not say.
    public var originalTransactionID: String
    /// When the customer was charged, or when this period of the subscription begins.
    public var purchaseDate: Date
    /// When the first transaction was made; ``purchaseDate`` when the receipt (Xcode's) does not say.
    public var originalPurchaseDate: Date
    /// When this period of an auto-renewable subscription ends; `nil` for everything else.
    public var expirationDate: Date?
    /// When Apple took the purchase back, for a refund, a family change or an upgrade; `nil` while it stands.
    public var revocationDate: Date?
    /// Why Apple took it back.
    public var revocationReason: RevocationReason?
    /// Whether the customer has moved on to a higher product of the group within this period; it no longer counts then.
    public var isUpgraded: Bool
    /// Whether this period is the free trial.
    public var isTrialPeriod: Bool
    /// Whether this period is at the introductory price.
    public var isInIntroductoryOfferPeriod: Bool
    /// The promotional offer under which this period was bought.
    public var promotionalOfferID: String?
    /// The reference name of the offer code under which this period was bought.
    public var offerCodeReferenceName: String?
    /// The subscription group in App Store Connect.
    public var subscriptionGroupID: String?
    /// Identifies a period of a subscription across devices; the same for a period and its restored copies.
    public var webOrderLineItemID: String?
    /// Whether the customer or a family member bought it; `nil` when the receipt does not say.
    public var ownershipType: OwnershipType?
    /// The UUID that the app gave with the payment; `nil` when it gave none.
    public var appAccountToken: UUID?

    private var carried: Uncompared<Carried>

    private struct Carried: Sendable, Codable {
        var productKind: ReceiptProductKind?
        var signedDate: Date?
        var unknownFields: [String: ReceiptValue]?
    }

    /// Creates a row; for receipts that come from elsewhere, and for tests.
    public init(
        productID: String, transactionID: String, purchaseDate: Date, quantity: Int = 1, originalTransactionID: String? = nil,
        originalPurchaseDate: Date? = nil, expirationDate: Date? = nil, revocationDate: Date? = nil, isUpgraded: Bool = false,
        productKind: ReceiptProductKind? = nil
    ) {
        self.productID = productID
        self.quantity = quantity
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID ?? transactionID
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        self.expirationDate = expirationDate
        self.revocationDate = revocationDate
        self.isUpgraded = isUpgraded
        isTrialPeriod = false
        isInIntroductoryOfferPeriod = false
        carried = Uncompared(Carried(productKind: productKind))
    }

    /// The transaction's identifier and the product: what tells rows apart.
    public var id: [String] { [transactionID, productID] }

    /// The kind of the product; `nil` in `verifyReceipt`'s JSON, which does not say. Not compared by `==`.
    public var productKind: ReceiptProductKind? {
        get { carried.value.productKind }
        set { carried.value.productKind = newValue }
    }

    /// When Apple signed this statement about the transaction; `nil` in receipts, which are signed as a whole. Not compared by `==`.
    public var signedDate: Date? {
        get { carried.value.signedDate }
        set { carried.value.signedDate = newValue }
    }

    /// Fields this library does not know, by JSON key or by attribute number, as they came. Not compared by `==`.
    public var unknownFields: [String: ReceiptValue] {
        get { carried.value.unknownFields ?? [:] }
        set { carried.value.unknownFields = newValue.isEmpty ? nil : newValue }
    }

    /// Whether Apple took the purchase back for another reason than an upgrade.
    public var isRevoked: Bool { revocationDate != nil && !isUpgraded }

    /// Whether the purchase counts: neither taken back nor upgraded away. An expired period still counts as bought.
    public var isValid: Bool { revocationDate == nil && !isUpgraded }

    /// Whether a family member bought it and shares it.
    public var isFamilyShared: Bool { ownershipType == .familyShared }

    /// The offer under which this period was bought; the most specific one that the receipt names.
    public var offer: ReceiptOffer? {
        if let promotionalOfferID { return .promotional(identifier: promotionalOfferID) }
        if let offerCodeReferenceName { return .offerCode(referenceName: offerCodeReferenceName) }
        if isTrialPeriod { return .freeTrial }
        return isInIntroductoryOfferPeriod ? .introductory : nil
    }
}

/// The offer under which a period of a subscription was bought.
public enum ReceiptOffer: Hashable, Sendable, Codable {
    /// The free trial.
    case freeTrial
    /// The introductory price.
    case introductory
    /// A promotional offer, by its identifier in App Store Connect.
    case promotional(identifier: String)
    /// An offer code, by its reference name in App Store Connect.
    case offerCode(referenceName: String)
}
