public import Foundation

/// Signed renewal information: Apple's `JWSRenewalInfoDecodedPayload`. Prices are in the currency's unit.
///
/// Renewal information doesn't name an app. Accept it only with a verified transaction of your app that has the same
/// ``originalTransactionID``.
///
/// Fields that determine access must be readable, or the renewal information is malformed: the identifiers of the
/// subscription, the products and the download, the signed date, `autoRenewStatus`, `expirationIntent`,
/// `isInBillingRetryPeriod`, `gracePeriodExpiresDate`, `environment` and the two fields that tie the text to a device.
/// Every other field is auxiliary. An auxiliary field that can't be read is treated as missing and is kept in
/// ``unknownFields``.
public struct SignedRenewalInfo: Hashable, Sendable, Codable {
    /// The identifier of the subscription's first transaction.
    public let originalTransactionID: String
    /// When the App Store signed the payload.
    public let signedDate: Date
    /// The product of the current period.
    public let productID: String?
    /// The product of the next period.
    public let autoRenewPreference: String?
    /// Whether the subscription will renew.
    public let willAutoRenew: Bool?
    /// Why the subscription wasn't renewed.
    public let expirationReason: ReceiptExpirationReason?
    /// Whether the App Store is trying to charge the customer again.
    public let isInBillingRetry: Bool?
    /// When the billing grace period ends, during which the app should give access although the charge failed.
    public let gracePeriodExpirationDate: Date?
    /// The customer's response to a price increase; `nil` without a price increase.
    public let priceIncreaseStatus: PriceIncreaseStatus?
    /// The offer of the next period.
    public let offer: TransactionOffer?
    /// The store.
    public let environment: ReceiptEnvironment?
    /// When the latest series of periods without a lapse of more than sixty days started.
    public let recentSubscriptionStartDate: Date?
    /// When the current period ends.
    public let renewalDate: Date?
    /// The price of the next period.
    public let renewalPrice: Decimal?
    /// The price's currency, ISO 4217.
    public let currency: String?
    /// The billing plan of the next period.
    public let renewalBillingPlan: BillingPlan?
    /// The win-back offers the customer may use, the best first.
    public let eligibleWinBackOfferIDs: [String]
    /// The UUID that the app added to the purchase.
    public let appAccountToken: UUID?
    /// The identifier of the app's download.
    public let appTransactionID: String?
    /// How the commitment continues; `nil` outside a commitment.
    public let commitment: SignedRenewalCommitment?
    /// The bundle through which the customer has the subscription; `nil` outside a bundle.
    public let bundle: ReceiptBundle?
    /// Whether the subscription leaves its bundle at the next renewal.
    public let willUnbundle: Bool
    /// The number of seats that renew.
    public let renewalQuantity: Int?
    /// The unchanged prices of the seats that renew.
    public let multiSeatInfo: ReceiptValue?
    /// The device verification data; only in payloads from StoreKit.
    public let deviceVerification: SignedDeviceVerification?
    /// The unchanged fields that this library doesn't know, such as `advancedCommerceInfo`, and auxiliary fields that
    /// it can't read.
    public let unknownFields: [String: ReceiptValue]
}

extension SignedRenewalInfo {
    /// Hashes the identifier of the subscription and the signed date.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(originalTransactionID)
        hasher.combine(signedDate)
    }

    /// Decodes the payload of signed renewal information, without its signature.
    package init(payload: Data) throws(MalformedReceiptError) {
        var fields = try SignedPayloadFields([UInt8](payload), "the payload of renewal information")
        try self.init(&fields)
    }

    init(_ fields: inout SignedPayloadFields) throws(MalformedReceiptError) {
        originalTransactionID = try fields.requiredString("originalTransactionId")
        signedDate = try fields.requiredDate("signedDate")
        productID = try fields.string("productId")
        autoRenewPreference = try fields.string("autoRenewProductId")
        willAutoRenew = try fields.flag("autoRenewStatus")
        expirationReason = try fields.integer("expirationIntent").map {
            ReceiptExpirationReason(rawValue: Int(clamping: $0))
        }
        isInBillingRetry = try fields.bool("isInBillingRetryPeriod")
        gracePeriodExpirationDate = try fields.date("gracePeriodExpiresDate")
        environment = try fields.environment("environment")
        appAccountToken = try fields.uuid("appAccountToken")
        appTransactionID = try fields.string("appTransactionId")
        deviceVerification = try SignedDeviceVerification.read(&fields)
        // The following fields don't affect access.
        fields.keepsUnreadable = true
        priceIncreaseStatus = try fields.integer("priceIncreaseStatus").map {
            PriceIncreaseStatus(rawValue: Int(clamping: $0))
        }
        offer = try TransactionOffer.read(&fields)
        recentSubscriptionStartDate = try fields.date("recentSubscriptionStartDate")
        renewalDate = try fields.date("renewalDate")
        renewalPrice = try fields.price("renewalPrice")
        currency = try fields.string("currency")
        renewalBillingPlan = try fields.string("renewalBillingPlanType").map(BillingPlan.init)
        eligibleWinBackOfferIDs = try fields.strings("eligibleWinBackOfferIds") ?? []
        commitment = try fields.object("commitmentInfo") { (fields) throws(MalformedReceiptError) in
            try SignedRenewalCommitment(&fields)
        }
        bundle = try ReceiptBundle.read(&fields)
        willUnbundle = try fields.bool("willUnbundle") ?? false
        renewalQuantity = try fields.count("renewalQuantity")
        multiSeatInfo = try fields.value("multiSeatInfo")
        unknownFields = try fields.unread()
    }
}
