public import Foundation

/// Signed renewal information: Apple's `JWSRenewalInfoDecodedPayload`. Prices are in the currency's unit.
///
/// The type has every property of ``RenewalFacts``, and the fields that only signed renewal information has.
///
/// Renewal information doesn't name an app. Accept it only with a verified transaction of your app that has the same
/// ``originalTransactionID``.
///
/// Fields that determine access must be readable, or the renewal information is malformed: the identifiers of the
/// subscription, the products and the download, the signed date, `autoRenewStatus`, `isInBillingRetryPeriod`,
/// `gracePeriodExpiresDate` and `environment`. Every other field is auxiliary. An auxiliary field that can't be read is
/// treated as missing and is kept in ``unknownFields``.
@dynamicMemberLookup
public struct SignedRenewalInfo: Hashable, Sendable, Codable {
    /// The facts about the next period. Every fact is also a property of the renewal information, such as `renewalDate`
    /// and `offer`.
    public private(set) var facts: RenewalFacts
    /// The identifier of the subscription's first transaction.
    public let originalTransactionID: String
    /// The store.
    public let environment: ReceiptEnvironment?
    /// When the latest series of periods without a lapse of more than sixty days started.
    public let recentSubscriptionStartDate: Date?
    /// The UUID that the app added to the purchase.
    public let appAccountToken: UUID?
    /// The identifier of the app's download.
    public let appTransactionID: String?
    /// The number of seats that renew.
    public let renewalQuantity: Int?
    /// The unchanged prices of the seats that renew.
    public let multiSeatInfo: ReceiptValue?
    /// The device verification data; only in payloads from StoreKit.
    public private(set) var deviceVerification: SignedDeviceVerification?
    /// The unchanged fields that this library doesn't know, such as `advancedCommerceInfo`, and auxiliary fields that
    /// it can't read.
    public let unknownFields: [String: ReceiptValue]
}

extension SignedRenewalInfo {
    /// Returns a property of ``facts``.
    public subscript<Property>(dynamicMember property: KeyPath<RenewalFacts, Property>) -> Property {
        facts[keyPath: property]
    }

    /// When the App Store signed the payload.
    public var signedDate: Date { facts.signedDate ?? .distantPast }

    /// Hashes the identifier of the subscription and the signed date.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(originalTransactionID)
        hasher.combine(facts.signedDate)
    }

    /// Returns whether both say the same, even if Apple signed one of them later or for another device.
    package func hasSameContent(as other: SignedRenewalInfo) -> Bool {
        var other = other
        other.facts.signedDate = facts.signedDate
        other.deviceVerification = deviceVerification
        return self == other
    }

    /// Decodes the payload of signed renewal information, without its signature.
    package init(payload: Data) throws(MalformedReceiptError) {
        var fields = try SignedPayloadFields([UInt8](payload), "the payload of renewal information")
        try self.init(&fields)
    }

    init(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) {
        originalTransactionID = try fields.requiredString("originalTransactionId")
        let signedDate = try fields.requiredDate("signedDate")
        let (current, next) = (try fields.string("productId"), try fields.string("autoRenewProductId"))
        var facts = RenewalFacts(
            productID: current ?? next ?? "", originalTransactionID: originalTransactionID, autoRenewPreference: next)
        facts.signedDate = signedDate
        facts.willAutoRenew = try fields.flag("autoRenewStatus")
        facts.isInBillingRetry = try fields.bool("isInBillingRetryPeriod") ?? false
        facts.gracePeriodExpirationDate = try fields.date("gracePeriodExpiresDate")
        environment = try fields.environment("environment")
        appAccountToken = try fields.uuid("appAccountToken")
        appTransactionID = try fields.string("appTransactionId")
        deviceVerification = try SignedDeviceVerification.read(&fields)
        // The following fields don't affect access.
        fields.keepsUnreadable = true
        facts.expirationReason = try fields.integer("expirationIntent").map {
            ReceiptExpirationReason(rawValue: Int(clamping: $0))
        }
        facts.priceIncreaseStatus = try fields.integer("priceIncreaseStatus").map {
            PriceIncreaseStatus(rawValue: Int(clamping: $0))
        }
        facts.offer = try TransactionOffer.read(&fields)
        recentSubscriptionStartDate = try fields.date("recentSubscriptionStartDate")
        facts.renewalDate = try fields.date("renewalDate")
        facts.renewalPrice = try fields.price("renewalPrice")
        facts.currency = try fields.string("currency")
        facts.renewalBillingPlan = try fields.string("renewalBillingPlanType").map(BillingPlan.init)
        facts.eligibleWinBackOfferIDs = try fields.strings("eligibleWinBackOfferIds") ?? []
        facts.commitment = try fields.object("commitmentInfo") { (fields) throws(MalformedReceiptError) in
            try SignedRenewalCommitment(&fields)
        }
        facts.bundle = try ReceiptBundle.read(&fields)
        facts.willUnbundle = try fields.bool("willUnbundle") ?? false
        renewalQuantity = try fields.count("renewalQuantity")
        multiSeatInfo = try fields.value("multiSeatInfo")
        unknownFields = try fields.unread()
        self.facts = facts
    }
}

extension ReceiptRenewal {
    /// Creates a receipt's renewal from signed renewal information.
    public init(_ renewal: SignedRenewalInfo) {
        self.init(renewal.facts, unknownFields: renewal.unknownFields)
    }
}
