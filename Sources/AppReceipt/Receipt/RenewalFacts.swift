public import Foundation

/// The facts about how a subscription continues: its next period, or why the last renewal failed. Signed renewal
/// information and the JSON of `verifyReceipt` both contain them; PKCS#7 files don't.
public struct RenewalFacts: Hashable, Sendable, Codable {
    /// The product of the current or last period; ``autoRenewPreference`` if Apple doesn't say, and empty without both.
    public var productID: String
    /// The first transaction of the subscription.
    public var originalTransactionID: String?
    /// The product of the next period, which differs after a downgrade or a crossgrade.
    public var autoRenewPreference: String?
    /// Whether the subscription will renew; `nil` if Apple doesn't say.
    public var willAutoRenew: Bool?
    /// Why the subscription wasn't renewed; `nil` while it is active.
    public var expirationReason: ReceiptExpirationReason?
    /// Whether Apple is trying to charge the customer again.
    public var isInBillingRetry: Bool
    /// The end of the billing grace period, during which the app should give access although the charge failed; `nil`
    /// without a grace period.
    public var gracePeriodExpirationDate: Date?
    /// The customer's response to a price increase; `nil` without a price increase.
    public var priceIncreaseStatus: PriceIncreaseStatus?
    /// The offer of the next period.
    public var offer: TransactionOffer?
    /// When the current period ends, and the next one begins; only in signed renewal information, like what follows.
    public var renewalDate: Date?
    /// The price of the next period, in ``currency``.
    public var renewalPrice: Decimal?
    /// The currency of ``renewalPrice``, ISO 4217.
    public var currency: String?
    /// How the next period is billed.
    public var renewalBillingPlan: BillingPlan?
    /// The win-back offers that the customer may use, the best first.
    public var eligibleWinBackOfferIDs: [String] = []
    /// How the commitment continues; `nil` outside a commitment.
    public var commitment: SignedRenewalCommitment?
    /// The bundle through which the customer has the subscription; `nil` outside a bundle.
    public var bundle: ReceiptBundle?
    /// Whether the subscription leaves its bundle at the next renewal.
    public var willUnbundle = false
    /// When Apple signed the renewal information; `nil` in the JSON of `verifyReceipt`, which is signed as a whole.
    public var signedDate: Date?

    /// Creates facts, for renewals from other sources and for tests.
    public init(
        productID: String, originalTransactionID: String? = nil, autoRenewPreference: String? = nil,
        willAutoRenew: Bool? = nil, expirationReason: ReceiptExpirationReason? = nil, isInBillingRetry: Bool = false,
        gracePeriodExpirationDate: Date? = nil
    ) {
        self.productID = productID
        self.originalTransactionID = originalTransactionID
        self.autoRenewPreference = autoRenewPreference
        self.willAutoRenew = willAutoRenew
        self.expirationReason = expirationReason
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodExpirationDate = gracePeriodExpirationDate
    }

    /// Returns whether another payment follows a period of the subscription; `nil` if Apple doesn't say.
    ///
    /// During a commitment, ``willAutoRenew`` stays `true` after the customer has canceled, because the payments of the
    /// commitment continue. No payment follows the last billing period of a commitment that doesn't renew.
    public func willRenew(after period: PurchaseFacts) -> Bool? {
        if let commitment, !commitment.willAutoRenew, period.commitment?.isLastBillingPeriod ?? false { return false }
        return willAutoRenew
    }

    /// Returns when the next change takes effect: when the subscription ends, or continues with another product, on
    /// another billing plan, or outside its bundle. `nil` if nothing is set to change.
    ///
    /// During a commitment, changes take effect when the commitment ends.
    public func changeDate(after period: PurchaseFacts) -> Date? {
        if let commitment {
            let isSame =
                commitment.autoRenewPreference == period.productID
                && commitment.renewalBillingPlan == period.billingPlan
            return commitment.willAutoRenew && isSame ? nil : commitment.renewalDate
        }
        let changesProduct = autoRenewPreference.map { $0 != period.productID } ?? false
        let changesPlan = renewalBillingPlan.map { $0 != period.billingPlan ?? .upFront } ?? false
        let changes = willAutoRenew == false || changesProduct || changesPlan || willUnbundle
        return changes ? period.expirationDate : nil
    }
}
