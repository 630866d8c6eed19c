public import Foundation

/// The renewal information of a subscription: its next renewal, or why the last renewal failed (an element of
/// `pending_renewal_info`).
///
/// The information is current as of the request date of the JSON of `verifyReceipt`, or the signed date of signed
/// renewal information. PKCS#7 files don't include it.
public struct ReceiptRenewal: Hashable, Sendable, Codable {
    /// The product of the current or last period.
    public var productID: String
    /// The first transaction of the subscription.
    public var originalTransactionID: String?
    /// The product of the next period, which differs after a downgrade or a crossgrade.
    public var autoRenewPreference: String?
    /// Whether the subscription will renew; `nil` if the receipt doesn't say.
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
    /// The promotional offer that the next renewal will use.
    public var promotionalOfferID: String?
    /// The offer code that the next renewal will use.
    public var offerCodeReferenceName: String?
    /// The unchanged fields that this library doesn't know, by JSON key.
    public var unknownFields: [String: ReceiptValue]
    /// When Apple signed the renewal information; `nil` in the JSON of `verifyReceipt`.
    public var signedDate: Date?
    /// The terms of the next period; only in signed renewal information.
    public var terms: Terms? {
        get { sharedTerms?.value }
        set { sharedTerms = newValue.map { Shared($0) } }
    }

    // Renewals in `verifyReceipt`'s JSON have no terms and stay small.
    private var sharedTerms: Shared<Terms>?

    /// The price of the next period, and the offers for a former subscriber.
    public struct Terms: Hashable, Sendable, Codable {
        /// When the next period begins.
        public var date: Date?
        /// The price, in ``currencyCode``.
        public var price: Decimal?
        /// The currency of ``price``, ISO 4217.
        public var currencyCode: String?
        /// The win-back offers that the customer may use, the best first.
        public var eligibleWinBackOfferIDs: [String]
        /// How the next period is billed.
        public var billingPlan: BillingPlan?
        /// How the commitment continues; `nil` outside a commitment.
        public var commitment: SignedRenewalCommitment?
        /// The bundle through which the customer has the subscription; `nil` outside a bundle.
        public var bundle: ReceiptBundle?
        /// Whether the subscription leaves its bundle at the next renewal.
        public var willUnbundle = false
        /// The offer that applies to the next period.
        public var offer: TransactionOffer?

        /// Creates terms, for renewals from other sources and for tests.
        public init(
            date: Date? = nil, price: Decimal? = nil, currencyCode: String? = nil,
            eligibleWinBackOfferIDs: [String] = []
        ) {
            self.date = date
            self.price = price
            self.currencyCode = currencyCode
            self.eligibleWinBackOfferIDs = eligibleWinBackOfferIDs
        }
    }

    /// Returns whether both say the same, even if Apple signed one of them later.
    package func hasSameContent(as other: ReceiptRenewal) -> Bool {
        var other = other
        other.signedDate = signedDate
        return self == other
    }

    /// Returns whether another payment follows a period of the subscription; `nil` if Apple doesn't say.
    ///
    /// During a commitment, ``willAutoRenew`` stays `true` after the customer has canceled, because the payments of the
    /// commitment continue. No payment follows the last billing period of a commitment that doesn't renew.
    public func willRenew(after period: PurchaseFacts) -> Bool? {
        if let commitment = terms?.commitment, !commitment.willAutoRenew,
            period.commitment?.isLastBillingPeriod ?? false
        {
            return false
        }
        return willAutoRenew
    }

    /// Returns when the next change takes effect: when the subscription ends, or continues with another product, on
    /// another billing plan, or outside its bundle. `nil` if nothing is set to change.
    ///
    /// During a commitment, changes take effect when the commitment ends.
    public func changeDate(after period: PurchaseFacts) -> Date? {
        if let commitment = terms?.commitment {
            let isSame =
                commitment.autoRenewPreference == period.productID
                && commitment.renewalBillingPlan == period.billingPlan
            return commitment.willAutoRenew && isSame ? nil : commitment.renewalDate
        }
        let changesProduct = autoRenewPreference.map { $0 != period.productID } ?? false
        let changesPlan = terms?.billingPlan.map { $0 != period.billingPlan ?? .upFront } ?? false
        let changes = willAutoRenew == false || changesProduct || changesPlan || terms?.willUnbundle ?? false
        return changes ? period.expirationDate : nil
    }

    /// The offer that applies to the next period, from signed renewal information or from the JSON of `verifyReceipt`.
    public var offer: TransactionOffer? {
        if let offer = terms?.offer { return offer }
        if let promotionalOfferID { return TransactionOffer(kind: .promotional, id: promotionalOfferID) }
        return offerCodeReferenceName.map { TransactionOffer(kind: .offerCode, id: $0) }
    }

    /// Creates renewal information, for receipts from other sources and for tests.
    public init(
        productID: String, originalTransactionID: String? = nil, autoRenewPreference: String? = nil,
        willAutoRenew: Bool? = nil,
        expirationReason: ReceiptExpirationReason? = nil, isInBillingRetry: Bool = false,
        gracePeriodExpirationDate: Date? = nil
    ) {
        self.productID = productID
        self.originalTransactionID = originalTransactionID
        self.autoRenewPreference = autoRenewPreference
        self.willAutoRenew = willAutoRenew
        self.expirationReason = expirationReason
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodExpirationDate = gracePeriodExpirationDate
        unknownFields = [:]
    }
}
