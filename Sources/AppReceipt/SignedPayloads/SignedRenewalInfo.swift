public import Foundation

/// What signed renewal information says: Apple's `JWSRenewalInfoDecodedPayload`. Prices are in the currency's unit.
///
/// It names no app: take it as one's own only together with the signed transaction it came with, by
/// ``originalTransactionID``.
///
/// A field that decides about access has to be readable, or the renewal information is malformed: the identifiers of
/// the subscription, the products, the account and the download, the signed date, `autoRenewStatus`,
/// `expirationIntent`, `isInBillingRetryPeriod`, `gracePeriodExpiresDate`, `environment` and the two fields that tie
/// the text to a device. Every other field is auxiliary. An auxiliary field that can't be read counts as missing and
/// is kept in ``unknownFields``.
public struct SignedRenewalInfo: Hashable, Sendable, Codable {
    /// The identifier of the subscription's first transaction.
    public let originalTransactionID: String
    /// When the payload was signed.
    public let signedDate: Date
    /// The product of the current period.
    public let productID: String?
    /// The product of the next period.
    public let autoRenewPreference: String?
    /// Whether the subscription is going to renew.
    public let willAutoRenew: Bool?
    /// Why the subscription was not renewed.
    public let expirationReason: ReceiptExpirationReason?
    /// Whether the App Store is still trying to charge the customer.
    public let isInBillingRetry: Bool?
    /// When the grace period ends, in which the service goes on although the customer could not be charged.
    public let gracePeriodExpirationDate: Date?
    /// The customer's answer to a price increase; `nil` when there is none.
    public let priceIncreaseStatus: PriceIncreaseStatus?
    /// The offer of the next period.
    public let offer: SignedTransactionOffer?
    /// The store.
    public let environment: ReceiptEnvironment?
    /// When the latest stretch of the subscription without a gap of more than sixty days began.
    public let recentSubscriptionStartDate: Date?
    /// When the current period ends.
    public let renewalDate: Date?
    /// The price of the next period.
    public let renewalPrice: Decimal?
    /// The price's currency, by three letters.
    public let currency: String?
    /// The plan by which the next period is billed.
    public let renewalBillingPlan: BillingPlan?
    /// The win-back offers the customer may use, the best first.
    public let eligibleWinBackOfferIDs: [String]
    /// The UUID the app gave the purchase.
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
    /// The prices of the seats that renew, as they came.
    public let multiSeatInfo: ReceiptValue?
    /// What ties the text to a device; only where StoreKit handed it out.
    public let deviceVerification: SignedDeviceVerification?
    /// The object of the Advanced Commerce API, as it came.
    public let advancedCommerceInfo: ReceiptValue?
    /// Fields that this library doesn't know, and auxiliary fields that it can't read, as they came.
    public let unknownFields: [String: ReceiptValue]
}

extension SignedRenewalInfo {
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
        expirationReason = try fields.integer("expirationIntent").map { ReceiptExpirationReason(rawValue: Int(clamping: $0)) }
        isInBillingRetry = try fields.bool("isInBillingRetryPeriod")
        gracePeriodExpirationDate = try fields.date("gracePeriodExpiresDate")
        environment = try fields.environment("environment")
        appAccountToken = try fields.uuid("appAccountToken")
        appTransactionID = try fields.string("appTransactionId")
        deviceVerification = try SignedDeviceVerification.read(&fields)
        // The following fields don't decide about access.
        fields.keepsUnreadable = true
        priceIncreaseStatus = try fields.integer("priceIncreaseStatus").map { PriceIncreaseStatus(rawValue: Int(clamping: $0)) }
        offer = try SignedTransactionOffer.read(&fields)
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
        advancedCommerceInfo = try fields.value("advancedCommerceInfo")
        unknownFields = try fields.unread()
    }
}
