public import Foundation

/// A signed transaction: Apple's `JWSTransactionDecodedPayload`. Prices are in the currency's unit.
///
/// The type has every property of ``PurchaseFacts``, and the fields that only signed transactions have.
///
/// Fields that determine access must be readable, or the transaction is malformed: the identifiers of the transaction,
/// the app, the product, the subscription group and the download, the dates of purchase, signature, expiration and
/// revocation, `isUpgraded`, `quantity`, `type`, `inAppOwnershipType` and `environment`. Every other field is
/// auxiliary: the line item, the account token, the price and currency, the offer, the storefront, the reason, the
/// billing plan and commitment, the bundle, the reason, type and percentage of a revocation, seats, invitations, and
/// the two fields that tie the text to a device. An auxiliary field that can't be read is treated as missing and is
/// kept in ``unknownFields``.
@dynamicMemberLookup
public struct SignedTransactionInfo: Hashable, Sendable, Codable {
    /// The facts that determine access: identifiers, dates, the kind of the product, and others. Every fact is also a
    /// property of the transaction, such as `productID` and `expirationDate`.
    public package(set) var facts: PurchaseFacts
    /// The app.
    public let bundleID: String
    /// The store.
    public let environment: ReceiptEnvironment?
    /// The extent of the revocation.
    public let revocationType: RevocationType?
    /// The percentage of the price that was refunded, from 0 to 100.
    public let revocationPercentage: Decimal?
    /// The three-letter code of the storefront's country or region.
    public let storefrontCountryCode: String?
    /// The storefront's identifier.
    public let storefrontID: String?
    /// Whether the customer bought it or the App Store renewed it.
    public let reason: TransactionReason?
    /// The price.
    public let price: Decimal?
    /// The price's currency, ISO 4217.
    public let currency: String?
    /// The bundle through which the customer has the subscription; `nil` outside a bundle.
    public let bundle: ReceiptBundle?
    /// The first transaction of the subscription that this one continues: after a switch between a single subscription
    /// and a bundle, or after a migration to the Advanced Commerce API.
    public let previousOriginalTransactionID: String?
    /// Why several transactions represent the period; `nil` for the only transaction of a period.
    public let additionalTransactionReason: AdditionalTransactionReason?
    /// Who invites the members of a group that shares the seats of the subscription.
    public let invitationManagement: InvitationManagement?
    /// The unchanged prices of the seats; only in a purchase of several seats.
    public let multiSeatInfo: ReceiptValue?
    /// The device verification data; only in payloads from StoreKit.
    public private(set) var deviceVerification: SignedDeviceVerification?
    /// The unchanged fields that this library doesn't know, such as `advancedCommerceInfo`, and auxiliary fields that
    /// it can't read.
    public let unknownFields: [String: ReceiptValue]

    /// The reasons that several transactions represent a period, an open set (`additionalTransactionReason`).
    public struct AdditionalTransactionReason: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: String
        /// Creates a reason from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// The customer added seats during the period. The transaction covers only some of the seats.
        public static let seatAddition = AdditionalTransactionReason(rawValue: "SEAT_ADDITION")
    }

    /// Who invites the members of a group that shares the seats of a subscription, an open set
    /// (`invitationManagement`).
    public struct InvitationManagement: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: String
        /// Creates a value from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// Apple invites the members.
        public static let apple = InvitationManagement(rawValue: "APPLE")
        /// The app's server invites the members, who get no transactions of their own.
        public static let developer = InvitationManagement(rawValue: "DEVELOPER")
    }
}

extension SignedTransactionInfo {
    /// Returns a property of ``facts``.
    public subscript<Property>(dynamicMember property: KeyPath<PurchaseFacts, Property>) -> Property {
        facts[keyPath: property]
    }

    /// When the App Store signed the payload.
    public var signedDate: Date { facts.signedDate ?? .distantPast }

    /// Hashes the identifier and the signed date.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(facts.transactionID)
        hasher.combine(facts.signedDate)
    }

    /// Returns whether both say the same, even if Apple signed one of them later or for another device.
    package func hasSameContent(as other: SignedTransactionInfo) -> Bool {
        var other = other
        other.facts.signedDate = facts.signedDate
        other.deviceVerification = deviceVerification
        return self == other
    }

    /// Decodes the payload of a signed transaction, without its signature.
    package init(payload: Data) throws(MalformedReceiptError) {
        var fields = try SignedPayloadFields([UInt8](payload), "the payload of a transaction")
        try self.init(&fields)
    }

    init(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) {
        bundleID = try fields.requiredString("bundleId")
        var facts = PurchaseFacts(
            productID: try fields.requiredString("productId"),
            transactionID: try fields.requiredString("transactionId"),
            purchaseDate: try fields.requiredDate("purchaseDate"))
        facts.originalTransactionID = try fields.requiredString("originalTransactionId")
        facts.signedDate = try fields.requiredDate("signedDate")
        facts.originalPurchaseDate = try fields.date("originalPurchaseDate") ?? facts.purchaseDate
        facts.expirationDate = try fields.date("expiresDate")
        facts.quantity = try fields.count("quantity") ?? 1
        facts.productKind = try fields.string("type").map(ProductKind.init)
        facts.ownershipType = try fields.string("inAppOwnershipType").map(OwnershipType.init)
        environment = try fields.environment("environment")
        facts.subscriptionGroupID = try fields.string("subscriptionGroupIdentifier")
        facts.appAccountToken = try fields.uuid("appAccountToken")
        facts.appTransactionID = try fields.string("appTransactionId")
        facts.isUpgraded = try fields.bool("isUpgraded") ?? false
        facts.revocationDate = try fields.date("revocationDate")
        deviceVerification = try SignedDeviceVerification.read(&fields)
        // The following fields don't affect access.
        fields.keepsUnreadable = true
        facts.webOrderLineItemID = try fields.identifier("webOrderLineItemId")
        facts.revocationReason = try fields.integer("revocationReason").map {
            RevocationReason(rawValue: Int(clamping: $0))
        }
        revocationType = try fields.string("revocationType").map(RevocationType.init)
        revocationPercentage = try fields.integer("revocationPercentage").map { Decimal($0) / 1_000 }
        facts.offer = try TransactionOffer.read(&fields)
        storefrontCountryCode = try fields.string("storefront")
        storefrontID = try fields.string("storefrontId")
        reason = try fields.string("transactionReason").map(TransactionReason.init)
        price = try fields.price("price")
        currency = try fields.string("currency")
        facts.billingPlan = try fields.string("billingPlanType").map(BillingPlan.init)
        facts.commitment = try fields.object("commitmentInfo") { (fields) throws(MalformedReceiptError) in
            try SignedTransactionCommitment(&fields)
        }
        bundle = try ReceiptBundle.read(&fields)
        previousOriginalTransactionID = try fields.identifier("previousOriginalTransactionId")
        additionalTransactionReason = try fields.string("additionalTransactionReason").map(
            AdditionalTransactionReason.init)
        invitationManagement = try fields.string("invitationManagement").map(InvitationManagement.init)
        multiSeatInfo = try fields.value("multiSeatInfo")
        unknownFields = try fields.unread()
        self.facts = facts
    }
}

extension ReceiptTransaction {
    /// Creates a receipt's transaction from a signed transaction. For example, a server can create a ``Receipt`` from
    /// a customer's transaction history.
    public init(_ transaction: SignedTransactionInfo) {
        self.init(transaction.facts, unknownFields: transaction.unknownFields)
    }
}
