public import Foundation

/// One transaction in a receipt: a purchase, or one period of a subscription.
///
/// Fields that only one kind of receipt can contain (``productKind``, ``appTransactionID``, ``unknownFields``) aren't
/// compared by `==`, so a transaction in a PKCS#7 file equals the same transaction in JSON.
public struct ReceiptTransaction: Hashable, Sendable, Codable, Identifiable {
    /// The product identifier.
    public var productID: String {
        get { shared.value.productID }
        set { change { $0.productID = newValue } }
    }
    /// The quantity; 1 if the receipt doesn't say.
    public var quantity: Int {
        get { shared.value.quantity }
        set { change { $0.quantity = newValue } }
    }
    /// The transaction identifier. Restored purchases and renewals have their own.
    public var transactionID: String {
        get { shared.value.transactionID }
        set { change { $0.transactionID = newValue } }
    }
    /// The identifier of the first transaction of the purchase or subscription; ``transactionID`` if a receipt from
    /// Xcode doesn't contain it.
    public var originalTransactionID: String {
        get { shared.value.originalTransactionID }
        set { change { $0.originalTransactionID = newValue } }
    }
    /// When the customer was charged, or when the subscription period starts.
    public var purchaseDate: Date {
        get { shared.value.purchaseDate }
        set { change { $0.purchaseDate = newValue } }
    }
    /// The date of the first transaction; ``purchaseDate`` if a receipt from Xcode doesn't contain it.
    public var originalPurchaseDate: Date {
        get { shared.value.originalPurchaseDate }
        set { change { $0.originalPurchaseDate = newValue } }
    }
    /// When the period of an auto-renewable subscription ends; `nil` for other products.
    public var expirationDate: Date? {
        get { shared.value.expirationDate }
        set { change { $0.expirationDate = newValue } }
    }
    /// When Apple revoked the transaction because of a refund, a change in the family or an upgrade; `nil` if the
    /// transaction isn't revoked.
    ///
    /// In a ``Receipt``, a refund applies to all copies of the purchase or period. A copy without its own date has the
    /// date of the refunded transaction.
    public var revocationDate: Date? {
        get { shared.value.revocationDate ?? inherited.value?.value.date }
        set {
            inherited.value = nil
            change { $0.revocationDate = newValue }
        }
    }
    /// The reason for the revocation.
    public var revocationReason: RevocationReason? {
        get { shared.value.revocationReason ?? inherited.value?.value.reason }
        set { change { $0.revocationReason = newValue } }
    }
    /// Whether the customer upgraded to a higher level of the group during the period. An upgraded
    /// transaction is no longer valid.
    public var isUpgraded: Bool {
        get { shared.value.isUpgraded }
        set { change { $0.isUpgraded = newValue } }
    }
    /// Whether the period is a free trial.
    public var isTrialPeriod: Bool {
        get { shared.value.isTrialPeriod }
        set { change { $0.isTrialPeriod = newValue } }
    }
    /// Whether the period has the introductory price.
    public var isInIntroductoryOfferPeriod: Bool {
        get { shared.value.isInIntroductoryOfferPeriod }
        set { change { $0.isInIntroductoryOfferPeriod = newValue } }
    }
    /// The identifier of the promotional offer for the period.
    public var promotionalOfferID: String? {
        get { shared.value.promotionalOfferID }
        set { change { $0.promotionalOfferID = newValue } }
    }
    /// The reference name of the offer code for the period.
    public var offerCodeReferenceName: String? {
        get { shared.value.offerCodeReferenceName }
        set { change { $0.offerCodeReferenceName = newValue } }
    }
    /// The identifier of the subscription group.
    public var subscriptionGroupID: String? {
        get { shared.value.subscriptionGroupID }
        set { change { $0.subscriptionGroupID = newValue } }
    }
    /// The identifier of a subscription period across devices, which a period shares with its restored copies.
    public var webOrderLineItemID: String? {
        get { shared.value.webOrderLineItemID }
        set { change { $0.webOrderLineItemID = newValue } }
    }
    /// Whether the customer or a family member bought the product; `nil` if the receipt doesn't say.
    public var ownershipType: OwnershipType? {
        get { shared.value.ownershipType }
        set { change { $0.ownershipType = newValue } }
    }
    /// The UUID that the app added to the payment, if any.
    public var appAccountToken: UUID? {
        get { shared.value.appAccountToken }
        set { change { $0.appAccountToken = newValue } }
    }

    // Copy-on-write: rows are large and rarely mutated.
    private var shared: Shared<Fields>
    /// The revocation of another copy of the same purchase or period. Each receipt determines it again, so it is
    /// neither compared nor encoded.
    private var inherited = ExcludedFromEquality<Shared<Revocation>?>(nil)

    /// A revocation.
    struct Revocation: Hashable, Sendable, Codable {
        var date: Date
        var reason: RevocationReason?
        var type: RevocationType?
        var percentage: Decimal?
    }

    /// The revocation of this copy; `nil` if only another copy was revoked, or for an upgrade.
    var ownRevocation: Revocation? {
        guard let date = shared.value.revocationDate, !isReplaced else { return nil }
        return Revocation(
            date: date, reason: shared.value.revocationReason, type: shared.value.later.revocationType,
            percentage: shared.value.later.revocationPercentage)
    }

    /// Whether the row has the revocation of another copy.
    var hasInheritedRevocation: Bool { inherited.value != nil }

    /// Sets or removes the revocation of another copy.
    mutating func inherit(_ revocation: Shared<Revocation>?) {
        inherited.value = revocation
    }

    // Not inlined, because every property has a setter.
    @inline(never)
    private mutating func change(_ body: (inout Fields) -> Void) {
        var fields = shared.value
        body(&fields)
        shared = Shared(fields)
    }

    /// The fields of a row.
    package struct Fields: Hashable, Sendable, Codable {
        var productID: String
        package var quantity = 1
        var transactionID: String
        package var originalTransactionID: String
        var purchaseDate: Date
        package var originalPurchaseDate: Date
        package var expirationDate: Date?
        package var revocationDate: Date?
        package var revocationReason: RevocationReason?
        package var isUpgraded = false
        package var isTrialPeriod = false
        package var isInIntroductoryOfferPeriod = false
        package var promotionalOfferID: String?
        package var offerCodeReferenceName: String?
        package var subscriptionGroupID: String?
        package var webOrderLineItemID: String?
        package var ownershipType: OwnershipType?
        package var appAccountToken: UUID?
        private var metadata = ExcludedFromEquality(Metadata())

        private struct Metadata: Sendable, Codable {
            var productKind: ReceiptProductKind?
            var signedDate: Date?
            var appTransactionID: String?
            var unknownFields: [String: ReceiptValue]?
            // Rows of receipts have none of these fields and stay small.
            var later: Shared<Later>?
        }

        /// Fields of StoreKit 2 transactions only.
        struct Later: Hashable, Sendable, Codable {
            var billingPlan: BillingPlan?
            var commitment: SignedTransactionCommitment?
            var bundle: ReceiptBundle?
            var revocationType: RevocationType?
            var revocationPercentage: Decimal?
            var signedOffer: SignedTransactionOffer?
            var price: Decimal?
            var currencyCode: String?
            var reason: TransactionReason?
        }

        var later: Later {
            get { metadata.value.later?.value ?? Later() }
            set { metadata.value.later = newValue == Later() ? nil : Shared(newValue) }
        }

        package init(productID: String, transactionID: String, purchaseDate: Date) {
            self.productID = productID
            self.transactionID = transactionID
            self.purchaseDate = purchaseDate
            originalTransactionID = transactionID
            originalPurchaseDate = purchaseDate
        }

        var productKind: ReceiptProductKind? {
            get { metadata.value.productKind }
            set { metadata.value.productKind = newValue }
        }

        var signedDate: Date? {
            get { metadata.value.signedDate }
            set { metadata.value.signedDate = newValue }
        }

        var appTransactionID: String? {
            get { metadata.value.appTransactionID }
            set { metadata.value.appTransactionID = newValue }
        }

        /// Returns whether all fields are equal, including those of StoreKit 2.
        func hasSameContent(as other: Fields) -> Bool { self == other && later == other.later }

        package var unknownFields: [String: ReceiptValue] {
            get { metadata.value.unknownFields ?? [:] }
            set { metadata.value.unknownFields = newValue.isEmpty ? nil : newValue }
        }
    }

    package init(_ fields: Fields) {
        shared = Shared(fields)
    }

    /// Creates a transaction, for receipts from other sources and for tests.
    public init(
        productID: String, transactionID: String, purchaseDate: Date, quantity: Int = 1,
        originalTransactionID: String? = nil,
        originalPurchaseDate: Date? = nil, expirationDate: Date? = nil, revocationDate: Date? = nil,
        isUpgraded: Bool = false,
        productKind: ReceiptProductKind? = nil
    ) {
        var fields = Fields(productID: productID, transactionID: transactionID, purchaseDate: purchaseDate)
        fields.quantity = quantity
        fields.originalTransactionID = originalTransactionID ?? transactionID
        fields.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        fields.expirationDate = expirationDate
        fields.revocationDate = revocationDate
        fields.isUpgraded = isUpgraded
        fields.productKind = productKind
        self.init(fields)
    }

    /// The transaction identifier and the product identifier, which together identify a row.
    public var id: [String] { [transactionID, productID] }

    /// The kind of the product; `nil` in the JSON of `verifyReceipt`. Not compared by `==`.
    public var productKind: ReceiptProductKind? {
        get { shared.value.productKind }
        set { change { $0.productKind = newValue } }
    }

    /// When Apple signed the transaction; `nil` in receipts, which are signed as a whole. Not compared by `==`.
    public var signedDate: Date? {
        get { shared.value.signedDate }
        set { change { $0.signedDate = newValue } }
    }

    /// The identifier of the customer's download of the app. It is the same on all of the customer's devices.
    ///
    /// `nil` in receipts, and in transactions signed before Apple added the field. Not compared by `==`.
    public var appTransactionID: String? {
        get { shared.value.appTransactionID }
        set { change { $0.appTransactionID = newValue } }
    }

    /// How the subscription is billed; only in transactions of StoreKit 2. Not compared by `==`.
    public var billingPlan: BillingPlan? {
        get { shared.value.later.billingPlan }
        set { change { $0.later.billingPlan = newValue } }
    }

    /// The commitment that the transaction belongs to; only in transactions of StoreKit 2. Not compared by `==`.
    public var commitment: SignedTransactionCommitment? {
        get { shared.value.later.commitment }
        set { change { $0.later.commitment = newValue } }
    }

    /// The bundle through which the customer has the subscription; only in transactions of StoreKit 2. Not compared by
    /// `==`.
    public var bundle: ReceiptBundle? {
        get { shared.value.later.bundle }
        set { change { $0.later.bundle = newValue } }
    }

    /// The extent of the revocation; only in transactions of StoreKit 2. Not compared by `==`.
    public var revocationType: RevocationType? {
        get { shared.value.later.revocationType ?? inherited.value?.value.type }
        set { change { $0.later.revocationType = newValue } }
    }

    /// The percentage of the price that was refunded, from 0 to 100; only in transactions of StoreKit 2. Not compared
    /// by `==`.
    public var revocationPercentage: Decimal? {
        get { shared.value.later.revocationPercentage ?? inherited.value?.value.percentage }
        set { change { $0.later.revocationPercentage = newValue } }
    }

    /// The signed offer for the period; only in transactions of StoreKit 2. Not compared by `==`. ``appliedOffer`` also
    /// returns the offers in receipts.
    public var signedOffer: SignedTransactionOffer? {
        get { shared.value.later.signedOffer }
        set { change { $0.later.signedOffer = newValue } }
    }

    /// The price that the customer paid, in ``currencyCode``; only in transactions of StoreKit 2. Not compared by `==`.
    public var price: Decimal? {
        get { shared.value.later.price }
        set { change { $0.later.price = newValue } }
    }

    /// The currency of ``price``, ISO 4217. Not compared by `==`.
    public var currencyCode: String? {
        get { shared.value.later.currencyCode }
        set { change { $0.later.currencyCode = newValue } }
    }

    /// Whether the customer bought this period or the App Store renewed it; only in transactions of StoreKit 2. Not
    /// compared by `==`.
    public var reason: TransactionReason? {
        get { shared.value.later.reason }
        set { change { $0.later.reason = newValue } }
    }

    /// Returns whether all fields are equal, including those of StoreKit 2.
    package func hasSameContent(as other: ReceiptTransaction) -> Bool {
        inherited.value == other.inherited.value
            && (shared === other.shared || shared.value.hasSameContent(as: other.shared.value))
    }

    /// The unchanged fields that this library doesn't know, by JSON key or attribute number. Not compared by `==`.
    public var unknownFields: [String: ReceiptValue] {
        get { shared.value.unknownFields }
        set { change { $0.unknownFields = newValue } }
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

    /// The offer for the period: the signed offer, or the most specific offer in the receipt.
    ///
    /// Receipts contain the reference name of an offer code, and don't contain win-back offers.
    public var appliedOffer: SignedTransactionOffer? {
        if let signedOffer { return signedOffer }
        if let promotionalOfferID { return SignedTransactionOffer(kind: .promotional, identifier: promotionalOfferID) }
        if let offerCodeReferenceName {
            return SignedTransactionOffer(kind: .offerCode, identifier: offerCodeReferenceName)
        }
        if isTrialPeriod { return SignedTransactionOffer(kind: .introductory, payment: .freeTrial) }
        return isInIntroductoryOfferPeriod ? SignedTransactionOffer(kind: .introductory) : nil
    }
}

extension ReceiptTransaction {
    /// Decodes the value of each property.
    public init(from decoder: any Decoder) throws {
        shared = Shared(try Fields(from: decoder))
    }

    /// Encodes the value of each property.
    public func encode(to encoder: any Encoder) throws {
        try shared.value.encode(to: encoder)
    }
}
