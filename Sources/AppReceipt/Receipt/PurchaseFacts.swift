public import Foundation

/// The facts about a purchase, or about one period of a subscription, that determine access. Receipts and signed
/// transactions both contain them.
public struct PurchaseFacts: Hashable, Sendable, Codable {
    /// The product identifier.
    public var productID: String
    /// The transaction identifier. Restored purchases and renewals have their own.
    public var transactionID: String
    /// The identifier of the first transaction of the purchase or subscription; ``transactionID`` if a receipt from
    /// Xcode doesn't contain it.
    public var originalTransactionID: String
    /// When the customer was charged, or when the subscription period starts.
    public var purchaseDate: Date
    /// The date of the first transaction; ``purchaseDate`` if Apple doesn't say.
    public var originalPurchaseDate: Date
    /// When the period of an auto-renewable subscription ends; `nil` for other products.
    public var expirationDate: Date?
    /// The quantity; 1 if Apple doesn't say.
    public var quantity: Int
    /// The kind of the product; `nil` in the JSON of `verifyReceipt`.
    public var productKind: ProductKind?
    /// The identifier of the subscription group. PKCS#7 files don't name groups.
    public var subscriptionGroupID: String?
    /// The identifier of a subscription period across devices, which a period shares with its restored copies.
    public var webOrderLineItemID: String?
    /// Whether the customer, a family member, or an organization bought the product; `nil` if Apple doesn't say.
    public var ownershipType: OwnershipType?
    /// The UUID that the app added to the payment, if any.
    public var appAccountToken: UUID?
    /// The identifier of the customer's download of the app. It is the same on all of the customer's devices.
    ///
    /// `nil` in receipts, and in transactions signed before Apple added the field.
    public var appTransactionID: String?
    /// Whether the customer upgraded to a higher level of the group during the period. An upgraded transaction is no
    /// longer valid.
    public var isUpgraded: Bool
    /// When Apple revoked the transaction because of a refund, a change in the family or an upgrade; `nil` if the
    /// transaction isn't revoked.
    public var revocationDate: Date?
    /// The reason for the revocation.
    public var revocationReason: RevocationReason?
    /// The offer for the period.
    public var offer: TransactionOffer?
    /// How the subscription is billed; only in signed transactions.
    public var billingPlan: BillingPlan?
    /// The commitment that the transaction belongs to; only in signed transactions.
    public var commitment: SignedTransactionCommitment?
    /// When Apple signed the transaction; `nil` in receipts, which are signed as a whole.
    public var signedDate: Date?

    /// Creates facts, for receipts from other sources and for tests. By default, the purchase is its own original.
    public init(
        productID: String, transactionID: String, purchaseDate: Date, quantity: Int = 1,
        originalTransactionID: String? = nil, originalPurchaseDate: Date? = nil, expirationDate: Date? = nil,
        revocationDate: Date? = nil, isUpgraded: Bool = false, productKind: ProductKind? = nil
    ) {
        self.productID = productID
        self.transactionID = transactionID
        self.purchaseDate = purchaseDate
        self.quantity = quantity
        self.originalTransactionID = originalTransactionID ?? transactionID
        self.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        self.expirationDate = expirationDate
        self.revocationDate = revocationDate
        self.isUpgraded = isUpgraded
        self.productKind = productKind
    }

    /// Whether Apple revoked the transaction for a reason other than an upgrade.
    public var isRevoked: Bool { revocationDate != nil && !isReplaced }

    /// Whether the customer upgraded to a higher level of the group, or to a bundle that includes the subscription.
    public var isReplaced: Bool { isUpgraded || revocationReason == .upgradedToBundle }

    /// Whether the transaction is neither revoked nor upgraded. An expired period stays valid.
    public var isValid: Bool { revocationDate == nil && !isUpgraded }

    /// Whether a family member bought and shares the product.
    public var isFamilyShared: Bool { ownershipType == .familyShared }

    /// Whether an organization bought the product and assigned it to the customer.
    public var isAssigned: Bool { ownershipType == .assigned }

    /// Whether a family member or an organization has paid.
    package var isPaidByOthers: Bool { isFamilyShared || isAssigned }
}
