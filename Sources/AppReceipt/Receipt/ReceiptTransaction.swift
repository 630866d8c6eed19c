public import Foundation

/// One transaction in a receipt: a purchase, or one period of a subscription.
///
/// Two rows are equal when they state the same transaction. What only one kind of receipt can carry (``productKind``,
/// ``appTransactionID``, ``unknownFields``) is not compared, so a row read from a PKCS#7 file equals the same row
/// read from JSON.
public struct ReceiptTransaction: Hashable, Sendable, Codable, Identifiable {
    /// The product bought.
    public var productID: String {
        get { shared.value.productID }
        set { change { $0.productID = newValue } }
    }
    /// How many; 1 when the receipt does not say.
    public var quantity: Int {
        get { shared.value.quantity }
        set { change { $0.quantity = newValue } }
    }
    /// The transaction's identifier; a restored purchase and every renewal have their own.
    public var transactionID: String {
        get { shared.value.transactionID }
        set { change { $0.transactionID = newValue } }
    }
    /// The identifier of the first transaction of this purchase or subscription; ``transactionID`` when the receipt
    /// (Xcode's) does not say.
    public var originalTransactionID: String {
        get { shared.value.originalTransactionID }
        set { change { $0.originalTransactionID = newValue } }
    }
    /// When the customer was charged, or when this period of the subscription begins.
    public var purchaseDate: Date {
        get { shared.value.purchaseDate }
        set { change { $0.purchaseDate = newValue } }
    }
    /// When the first transaction was made; ``purchaseDate`` when the receipt (Xcode's) does not say.
    public var originalPurchaseDate: Date {
        get { shared.value.originalPurchaseDate }
        set { change { $0.originalPurchaseDate = newValue } }
    }
    /// When this period of an auto-renewable subscription ends; `nil` for everything else.
    public var expirationDate: Date? {
        get { shared.value.expirationDate }
        set { change { $0.expirationDate = newValue } }
    }
    /// When Apple took the purchase back, for a refund, a family change or an upgrade; `nil` while it stands.
    ///
    /// In a ``Receipt``, a refund reaches every copy of the purchase or period that it refunds: a copy without a date
    /// of its own has the date of the refunded one.
    public var revocationDate: Date? {
        get { shared.value.revocationDate ?? inherited.value?.value.date }
        set {
            inherited.value = nil
            change { $0.revocationDate = newValue }
        }
    }
    /// Why Apple took it back.
    public var revocationReason: RevocationReason? {
        get { shared.value.revocationReason ?? inherited.value?.value.reason }
        set { change { $0.revocationReason = newValue } }
    }
    /// Whether the customer has moved on to a higher product of the group within this period; it no longer counts then.
    public var isUpgraded: Bool {
        get { shared.value.isUpgraded }
        set { change { $0.isUpgraded = newValue } }
    }
    /// Whether this period is the free trial.
    public var isTrialPeriod: Bool {
        get { shared.value.isTrialPeriod }
        set { change { $0.isTrialPeriod = newValue } }
    }
    /// Whether this period is at the introductory price.
    public var isInIntroductoryOfferPeriod: Bool {
        get { shared.value.isInIntroductoryOfferPeriod }
        set { change { $0.isInIntroductoryOfferPeriod = newValue } }
    }
    /// The promotional offer under which this period was bought.
    public var promotionalOfferID: String? {
        get { shared.value.promotionalOfferID }
        set { change { $0.promotionalOfferID = newValue } }
    }
    /// The reference name of the offer code under which this period was bought.
    public var offerCodeReferenceName: String? {
        get { shared.value.offerCodeReferenceName }
        set { change { $0.offerCodeReferenceName = newValue } }
    }
    /// The subscription group in App Store Connect.
    public var subscriptionGroupID: String? {
        get { shared.value.subscriptionGroupID }
        set { change { $0.subscriptionGroupID = newValue } }
    }
    /// Identifies a period of a subscription across devices; the same for a period and its restored copies.
    public var webOrderLineItemID: String? {
        get { shared.value.webOrderLineItemID }
        set { change { $0.webOrderLineItemID = newValue } }
    }
    /// Whether the customer or a family member bought it; `nil` when the receipt does not say.
    public var ownershipType: OwnershipType? {
        get { shared.value.ownershipType }
        set { change { $0.ownershipType = newValue } }
    }
    /// The UUID that the app gave with the payment; `nil` when it gave none.
    public var appAccountToken: UUID? {
        get { shared.value.appAccountToken }
        set { change { $0.appAccountToken = newValue } }
    }

    // A row is large, there are many, and they hardly ever change: copies share what it says.
    private var shared: Shared<Facts>
    /// The revocation of another copy of the same purchase or period. A receipt finds it each time it is built,
    /// so it is neither compared nor encoded.
    private var inherited = ExcludedFromEquality<Shared<Revocation>?>(nil)

    /// What a revocation says.
    struct Revocation: Hashable, Sendable, Codable {
        var date: Date
        var reason: RevocationReason?
        var type: RevocationType?
        var percentage: Decimal?
    }

    /// What the revocation of this copy says; `nil` unless the copy itself was revoked, and not for an upgrade.
    var ownRevocation: Revocation? {
        guard let date = shared.value.revocationDate, !isReplaced else { return nil }
        return Revocation(
            date: date, reason: shared.value.revocationReason, type: shared.value.later.revocationType,
            percentage: shared.value.later.revocationPercentage)
    }

    /// Whether the row has the revocation of another copy.
    var hasInheritedRevocation: Bool { inherited.value != nil }

    /// Takes on the revocation of another copy, or gives it up.
    mutating func inherit(_ revocation: Shared<Revocation>?) {
        inherited.value = revocation
    }

    // Not inlined: there is a setter for each property.
    @inline(never)
    private mutating func change(_ body: (inout Facts) -> Void) {
        var facts = shared.value
        body(&facts)
        shared = Shared(facts)
    }

    /// What a row says, while it is being read.
    struct Facts: Hashable, Sendable, Codable {
        var productID: String
        var quantity = 1
        var transactionID: String
        var originalTransactionID: String
        var purchaseDate: Date
        var originalPurchaseDate: Date
        var expirationDate: Date?
        var revocationDate: Date?
        var revocationReason: RevocationReason?
        var isUpgraded = false
        var isTrialPeriod = false
        var isInIntroductoryOfferPeriod = false
        var promotionalOfferID: String?
        var offerCodeReferenceName: String?
        var subscriptionGroupID: String?
        var webOrderLineItemID: String?
        var ownershipType: OwnershipType?
        var appAccountToken: UUID?
        private var carried = ExcludedFromEquality(Carried())

        private struct Carried: Sendable, Codable {
            var productKind: ReceiptProductKind?
            var signedDate: Date?
            var appTransactionID: String?
            var unknownFields: [String: ReceiptValue]?
            // Receipts have none of these fields: their rows stay small.
            var later: Shared<Later>?
        }

        /// The fields that only transactions of StoreKit 2 have.
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
            get { carried.value.later?.value ?? Later() }
            set { carried.value.later = newValue == Later() ? nil : Shared(newValue) }
        }

        init(productID: String, transactionID: String, purchaseDate: Date) {
            self.productID = productID
            self.transactionID = transactionID
            self.purchaseDate = purchaseDate
            originalTransactionID = transactionID
            originalPurchaseDate = purchaseDate
        }

        var productKind: ReceiptProductKind? {
            get { carried.value.productKind }
            set { carried.value.productKind = newValue }
        }

        var signedDate: Date? {
            get { carried.value.signedDate }
            set { carried.value.signedDate = newValue }
        }

        var appTransactionID: String? {
            get { carried.value.appTransactionID }
            set { carried.value.appTransactionID = newValue }
        }

        /// Whether both say the same, including what only StoreKit 2 says.
        func hasSameContent(as other: Facts) -> Bool { self == other && later == other.later }

        var unknownFields: [String: ReceiptValue] {
            get { carried.value.unknownFields ?? [:] }
            set { carried.value.unknownFields = newValue.isEmpty ? nil : newValue }
        }
    }

    init(_ facts: Facts) {
        shared = Shared(facts)
    }

    /// Creates a row; for receipts that come from elsewhere, and for tests.
    public init(
        productID: String, transactionID: String, purchaseDate: Date, quantity: Int = 1, originalTransactionID: String? = nil,
        originalPurchaseDate: Date? = nil, expirationDate: Date? = nil, revocationDate: Date? = nil, isUpgraded: Bool = false,
        productKind: ReceiptProductKind? = nil
    ) {
        var facts = Facts(productID: productID, transactionID: transactionID, purchaseDate: purchaseDate)
        facts.quantity = quantity
        facts.originalTransactionID = originalTransactionID ?? transactionID
        facts.originalPurchaseDate = originalPurchaseDate ?? purchaseDate
        facts.expirationDate = expirationDate
        facts.revocationDate = revocationDate
        facts.isUpgraded = isUpgraded
        facts.productKind = productKind
        self.init(facts)
    }

    /// The transaction's identifier and the product: what tells rows apart.
    public var id: [String] { [transactionID, productID] }

    /// The kind of the product; `nil` in `verifyReceipt`'s JSON, which does not say. Not compared by `==`.
    public var productKind: ReceiptProductKind? {
        get { shared.value.productKind }
        set { change { $0.productKind = newValue } }
    }

    /// When Apple signed this statement about the transaction; `nil` in receipts, which are signed as a whole. Not
    /// compared by `==`.
    public var signedDate: Date? {
        get { shared.value.signedDate }
        set { change { $0.signedDate = newValue } }
    }

    /// The identifier of the customer's download of the app, which is the same on all of the customer's devices.
    ///
    /// `nil` in receipts, and in transactions that were signed before Apple added the field. Not compared by `==`.
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

    /// How much of the purchase Apple took back; only in transactions of StoreKit 2. Not compared by `==`.
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

    /// The offer under which this period was bought, as the App Store signed it; only in transactions of StoreKit 2.
    /// Not compared by `==`. ``appliedOffer`` also has the offers that receipts name.
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

    /// Returns whether both say the same, including what only StoreKit 2 says.
    package func hasSameContent(as other: ReceiptTransaction) -> Bool {
        inherited.value == other.inherited.value
            && (shared === other.shared || shared.value.hasSameContent(as: other.shared.value))
    }

    /// Fields this library does not know, by JSON key or by attribute number, as they came. Not compared by `==`.
    public var unknownFields: [String: ReceiptValue] {
        get { shared.value.unknownFields }
        set { change { $0.unknownFields = newValue } }
    }

    /// Whether Apple took the purchase back for another reason than an upgrade.
    public var isRevoked: Bool { revocationDate != nil && !isReplaced }

    /// Whether the customer has moved on to a higher product of the group, or to a bundle that includes the
    /// subscription.
    public var isReplaced: Bool { isUpgraded || revocationReason == .upgradedToBundle }

    /// Whether the purchase counts: neither taken back nor upgraded away. An expired period still counts as bought.
    public var isValid: Bool { revocationDate == nil && !isUpgraded }

    /// Whether a family member bought it and shares it.
    public var isFamilyShared: Bool { ownershipType == .familyShared }

    /// Whether an organization bought it and assigned it to the customer.
    public var isAssigned: Bool { ownershipType == .assigned }

    /// The offer under which this period was bought: what the App Store signed, or the most specific offer that a
    /// receipt names.
    ///
    /// A receipt names an offer code by its reference name, and doesn't name win-back offers.
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
    /// Reads what `encode(to:)` wrote.
    public init(from decoder: any Decoder) throws {
        shared = Shared(try Facts(from: decoder))
    }

    /// Writes one value for each property.
    public func encode(to encoder: any Encoder) throws {
        try shared.value.encode(to: encoder)
    }
}
