public import Foundation

/// A signed transaction: Apple's `JWSTransactionDecodedPayload`. Prices are in the currency's unit.
///
/// Fields that determine access must be readable, or the transaction is malformed: the identifiers of the transaction,
/// the app, the product, the subscription group, the line item, the account and the download, the dates of purchase,
/// signature, expiration and revocation, the reason of a revocation, `isUpgraded`, `quantity`, `type`,
/// `inAppOwnershipType`, `environment` and the two fields that tie the text to a device. Every other field is
/// auxiliary: the price and currency, the offer, the storefront, the reason, the billing plan and commitment, the
/// bundle, the type and percentage of a revocation, seats and invitations. An auxiliary field that can't be read counts
/// as missing and is kept in ``unknownFields``.
public struct SignedTransactionInfo: Hashable, Sendable, Codable {
    /// The transaction's identifier.
    public let transactionID: String
    /// The identifier of the first transaction of the purchase or subscription.
    public let originalTransactionID: String
    /// The app.
    public let bundleID: String
    /// The product.
    public let productID: String
    /// When the customer was charged.
    public let purchaseDate: Date
    /// When the App Store signed the payload.
    public let signedDate: Date
    /// The date of the first transaction.
    public let originalPurchaseDate: Date?
    /// When the subscription expires or renews.
    public let expirationDate: Date?
    /// The quantity.
    public let quantity: Int
    /// The kind of product.
    public let productType: ProductType?
    /// How the customer obtained the purchase.
    public let ownershipType: OwnershipType?
    /// The store.
    public let environment: ReceiptEnvironment?
    /// The subscription's group.
    public let subscriptionGroupID: String?
    /// The identifier of the subscription's purchase event across devices.
    public let webOrderLineItemID: String?
    /// The UUID that the app added to the purchase.
    public let appAccountToken: UUID?
    /// The identifier of the app's download.
    public let appTransactionID: String?
    /// Whether the customer upgraded to a higher level of the subscription.
    public let isUpgraded: Bool
    /// The revocation date.
    public let revocationDate: Date?
    /// The reason for the revocation.
    public let revocationReason: RevocationReason?
    /// The extent of the revocation.
    public let revocationType: RevocationType?
    /// The percentage of the price that was refunded, from 0 to 100.
    public let revocationPercentage: Decimal?
    /// The offer for the purchase.
    public let offer: SignedTransactionOffer?
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
    /// The billing plan of the subscription.
    public let billingPlan: BillingPlan?
    /// The commitment that the transaction belongs to; `nil` for every other transaction.
    public let commitment: SignedTransactionCommitment?
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
    public let deviceVerification: SignedDeviceVerification?
    /// The unchanged object of the Advanced Commerce API.
    public let advancedCommerceInfo: ReceiptValue?
    /// The unchanged fields that this library doesn't know, and auxiliary fields that it can't read.
    public let unknownFields: [String: ReceiptValue]

    /// The kinds of products, an open set (`type`).
    public struct ProductType: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: String
        /// Creates a kind from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// Bought and used up.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// Bought once and owned permanently.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// A subscription with a duration that the app manages.
        public static let nonRenewingSubscription = ProductType(rawValue: "Non-Renewing Subscription")
        /// A subscription that renews until the customer cancels.
        public static let autoRenewableSubscription = ProductType(rawValue: "Auto-Renewable Subscription")
    }

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
    /// Hashes the identifier and the signed date.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(transactionID)
        hasher.combine(signedDate)
    }

    /// Decodes the payload of a signed transaction, without its signature.
    package init(payload: Data) throws(MalformedReceiptError) {
        var fields = try SignedPayloadFields([UInt8](payload), "the payload of a transaction")
        try self.init(&fields)
    }

    init(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) {
        transactionID = try fields.requiredString("transactionId")
        originalTransactionID = try fields.requiredString("originalTransactionId")
        bundleID = try fields.requiredString("bundleId")
        productID = try fields.requiredString("productId")
        purchaseDate = try fields.requiredDate("purchaseDate")
        signedDate = try fields.requiredDate("signedDate")
        originalPurchaseDate = try fields.date("originalPurchaseDate")
        expirationDate = try fields.date("expiresDate")
        quantity = try fields.count("quantity") ?? 1
        productType = try fields.string("type").map(ProductType.init)
        ownershipType = try fields.string("inAppOwnershipType").map(OwnershipType.init)
        environment = try fields.environment("environment")
        subscriptionGroupID = try fields.string("subscriptionGroupIdentifier")
        webOrderLineItemID = try fields.string("webOrderLineItemId")
        appAccountToken = try fields.uuid("appAccountToken")
        appTransactionID = try fields.string("appTransactionId")
        isUpgraded = try fields.bool("isUpgraded") ?? false
        revocationDate = try fields.date("revocationDate")
        revocationReason = try fields.integer("revocationReason").map { RevocationReason(rawValue: Int(clamping: $0)) }
        deviceVerification = try SignedDeviceVerification.read(&fields)
        // The following fields don't affect access.
        fields.keepsUnreadable = true
        revocationType = try fields.string("revocationType").map(RevocationType.init)
        revocationPercentage = try fields.integer("revocationPercentage").map { Decimal($0) / 1_000 }
        offer = try SignedTransactionOffer.read(&fields)
        storefrontCountryCode = try fields.string("storefront")
        storefrontID = try fields.string("storefrontId")
        reason = try fields.string("transactionReason").map(TransactionReason.init)
        price = try fields.price("price")
        currency = try fields.string("currency")
        billingPlan = try fields.string("billingPlanType").map(BillingPlan.init)
        commitment = try fields.object("commitmentInfo") { (fields) throws(MalformedReceiptError) in
            try SignedTransactionCommitment(&fields)
        }
        bundle = try ReceiptBundle.read(&fields)
        previousOriginalTransactionID = try fields.identifier("previousOriginalTransactionId")
        additionalTransactionReason = try fields.string("additionalTransactionReason").map(
            AdditionalTransactionReason.init)
        invitationManagement = try fields.string("invitationManagement").map(InvitationManagement.init)
        multiSeatInfo = try fields.value("multiSeatInfo")
        advancedCommerceInfo = try fields.value("advancedCommerceInfo")
        unknownFields = try fields.unread()
    }
}
