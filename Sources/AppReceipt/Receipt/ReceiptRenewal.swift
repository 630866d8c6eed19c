public import Foundation

/// What Apple plans for a subscription's next renewal, or why the last one failed: an element of
/// `pending_renewal_info`.
///
/// `verifyReceipt`'s JSON has it as of its request date, signed renewal information as of its signed date; a PKCS#7
/// file says nothing about renewals.
public struct ReceiptRenewal: Hashable, Sendable, Codable {
    /// The product of the period that is running, or that ran last.
    public var productID: String
    /// The first transaction of the subscription.
    public var originalTransactionID: String?
    /// The product it will renew to: another one after a downgrade or a crossgrade.
    public var autoRenewPreference: String?
    /// Whether it will renew; `nil` when the receipt does not say.
    public var willAutoRenew: Bool?
    /// Why it was not renewed; `nil` while it is running.
    public var expirationReason: ReceiptExpirationReason?
    /// Whether Apple is still trying to charge the customer.
    public var isInBillingRetry: Bool
    /// Until when the app should give access although the customer could not be charged; `nil` without a billing grace
    /// period.
    public var gracePeriodExpirationDate: Date?
    /// The customer's answer to a price increase; `nil` when there is none.
    public var priceIncreaseStatus: PriceIncreaseStatus?
    /// The promotional offer that the next renewal will use.
    public var promotionalOfferID: String?
    /// The offer code that the next renewal will use.
    public var offerCodeReferenceName: String?
    /// Fields this library does not know, by JSON key, as they came.
    public var unknownFields: [String: ReceiptValue]
    /// When Apple signed this statement about the subscription; `nil` in `verifyReceipt`'s JSON. Not compared by `==`.
    public var signedDate: Date? {
        get { carried.value.signedDate }
        set { carried.value.signedDate = newValue }
    }
    /// The terms of the next period; only in signed renewal information. Not compared by `==`.
    public var terms: Terms? {
        get { carried.value.terms }
        set { carried.value.terms = newValue }
    }

    private var carried = ExcludedFromEquality(Carried())

    private struct Carried: Sendable, Codable {
        var signedDate: Date?
        var terms: Terms?
    }

    /// What the next period costs, and what a former subscriber is offered.
    public struct Terms: Hashable, Sendable, Codable {
        /// When the next period begins.
        public var date: Date?
        /// What it costs, in ``currencyCode``.
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
        public var offer: SignedTransactionOffer?

        /// Describes the terms; for renewals that come from elsewhere, and for tests.
        public init(date: Date? = nil, price: Decimal? = nil, currencyCode: String? = nil, eligibleWinBackOfferIDs: [String] = []) {
            self.date = date
            self.price = price
            self.currencyCode = currencyCode
            self.eligibleWinBackOfferIDs = eligibleWinBackOfferIDs
        }
    }

    /// Returns whether another payment follows a period of the subscription; `nil` if Apple doesn't say.
    ///
    /// During a commitment, ``willAutoRenew`` stays `true` after the customer has canceled, because the payments of the
    /// commitment continue. No payment follows the last billing period of a commitment that doesn't renew.
    public func willRenew(after period: ReceiptTransaction) -> Bool? {
        if let commitment = terms?.commitment, !commitment.willAutoRenew, period.commitment?.isLastBillingPeriod ?? false {
            return false
        }
        return willAutoRenew
    }

    /// Returns when the next change takes effect: when the subscription ends, or continues with another product, on
    /// another billing plan, or outside its bundle. `nil` if nothing is set to change.
    ///
    /// During a commitment, changes take effect when the commitment ends.
    public func changeDate(after period: ReceiptTransaction) -> Date? {
        if let commitment = terms?.commitment {
            let isSame = commitment.autoRenewPreference == period.productID && commitment.renewalBillingPlan == period.billingPlan
            return commitment.willAutoRenew && isSame ? nil : commitment.renewalDate
        }
        let changesProduct = autoRenewPreference.map { $0 != period.productID } ?? false
        let changesPlan = terms?.billingPlan.map { $0 != period.billingPlan ?? .upFront } ?? false
        let changes = willAutoRenew == false || changesProduct || changesPlan || terms?.willUnbundle ?? false
        return changes ? period.expirationDate : nil
    }

    /// The offer that applies to the next period: what the App Store signed, or what `verifyReceipt`'s JSON names.
    public var appliedOffer: SignedTransactionOffer? {
        if let offer = terms?.offer { return offer }
        if let promotionalOfferID { return SignedTransactionOffer(kind: .promotional, identifier: promotionalOfferID) }
        return offerCodeReferenceName.map { SignedTransactionOffer(kind: .offerCode, identifier: $0) }
    }

    /// Creates renewal information; for receipts that come from elsewhere, and for tests.
    public init(
        productID: String, originalTransactionID: String? = nil, autoRenewPreference: String? = nil, willAutoRenew: Bool? = nil,
        expirationReason: ReceiptExpirationReason? = nil, isInBillingRetry: Bool = false, gracePeriodExpirationDate: Date? = nil
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
