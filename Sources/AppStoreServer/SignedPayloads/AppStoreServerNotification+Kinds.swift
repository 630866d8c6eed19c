import AppReceipt

extension AppStoreServerNotification {
    /// The types of notifications (`notificationType`), an open set.
    ///
    /// Apple's page "notificationType" documents the values. `rawValue` keeps values that Apple adds later.
    public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: String
        /// Creates a type from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// The customer has subscribed, for the first time or again.
        public static let subscribed = Kind(rawValue: "SUBSCRIBED")
        /// The customer has chosen another product of the group.
        public static let didChangeRenewalPreference = Kind(rawValue: "DID_CHANGE_RENEWAL_PREF")
        /// The customer, or Apple after a refund, turned renewal on or off.
        public static let didChangeRenewalStatus = Kind(rawValue: "DID_CHANGE_RENEWAL_STATUS")
        /// An active subscriber has redeemed an offer.
        public static let offerRedeemed = Kind(rawValue: "OFFER_REDEEMED")
        /// The subscription has renewed.
        public static let didRenew = Kind(rawValue: "DID_RENEW")
        /// The subscription has ended.
        public static let expired = Kind(rawValue: "EXPIRED")
        /// The charge for a renewal failed.
        public static let didFailToRenew = Kind(rawValue: "DID_FAIL_TO_RENEW")
        /// The grace period has ended without a payment.
        public static let gracePeriodExpired = Kind(rawValue: "GRACE_PERIOD_EXPIRED")
        /// The customer was notified of a price increase, or has consented to it.
        public static let priceIncrease = Kind(rawValue: "PRICE_INCREASE")
        /// The price of a subscription managed by the Advanced Commerce API has changed.
        public static let priceChange = Kind(rawValue: "PRICE_CHANGE")
        /// Apple has refunded a purchase.
        public static let refund = Kind(rawValue: "REFUND")
        /// Apple has declined a refund.
        public static let refundDeclined = Kind(rawValue: "REFUND_DECLINED")
        /// Apple has reversed a refund: the purchase is valid again.
        public static let refundReversed = Kind(rawValue: "REFUND_REVERSED")
        /// The customer has requested a refund, and Apple asks for consumption information.
        public static let consumptionRequest = Kind(rawValue: "CONSUMPTION_REQUEST")
        /// A renewal date was extended for one customer.
        public static let renewalExtended = Kind(rawValue: "RENEWAL_EXTENDED")
        /// Renewal dates are being extended for all subscribers.
        public static let renewalExtension = Kind(rawValue: "RENEWAL_EXTENSION")
        /// A family member's access to a shared purchase has ended.
        public static let revoke = Kind(rawValue: "REVOKE")
        /// Apple has made a token for purchases outside the App Store.
        public static let externalPurchaseToken = Kind(rawValue: "EXTERNAL_PURCHASE_TOKEN")
        /// The customer has bought a product that doesn't renew.
        public static let oneTimeCharge = Kind(rawValue: "ONE_TIME_CHARGE")
        /// A guardian has withdrawn consent for a child's use of the app.
        public static let rescindConsent = Kind(rawValue: "RESCIND_CONSENT")
        /// The metadata of a subscription managed by the Advanced Commerce API has changed.
        public static let metadataUpdate = Kind(rawValue: "METADATA_UPDATE")
        /// A subscription was migrated to the Advanced Commerce API.
        public static let migration = Kind(rawValue: "MIGRATION")
        /// A member of a group has lost the seat of a subscription.
        public static let unclaimSeats = Kind(rawValue: "UNCLAIM_SEATS")
        /// The server has requested a test notification.
        public static let test = Kind(rawValue: "TEST")
    }

    /// Why a customer requests a refund (`consumptionRequestReason`), an open set.
    public struct ConsumptionRequestReason: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: String
        /// Creates a reason from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// The customer didn't intend the purchase.
        public static let unintendedPurchase = ConsumptionRequestReason(rawValue: "UNINTENDED_PURCHASE")
        /// The customer didn't receive the purchase, or couldn't use it.
        public static let fulfillmentIssue = ConsumptionRequestReason(rawValue: "FULFILLMENT_ISSUE")
        /// The customer wasn't satisfied with the purchase.
        public static let unsatisfiedWithPurchase = ConsumptionRequestReason(rawValue: "UNSATISFIED_WITH_PURCHASE")
        /// The customer has a legal reason.
        public static let legal = ConsumptionRequestReason(rawValue: "LEGAL")
        /// The customer has another reason.
        public static let other = ConsumptionRequestReason(rawValue: "OTHER")
    }

    /// The subtypes of notifications (`subtype`), an open set.
    ///
    /// Apple's page "subtype" documents the values. `rawValue` keeps values that Apple adds later.
    public struct Subtype: RawRepresentable, Hashable, Sendable, Codable {
        /// The value in the payload.
        public let rawValue: String
        /// Creates a subtype from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
        /// Subscribed or redeemed for the first time.
        public static let initialBuy = Subtype(rawValue: "INITIAL_BUY")
        /// Subscribed or redeemed again.
        public static let resubscribe = Subtype(rawValue: "RESUBSCRIBE")
        /// Changed to a lower level. The change takes effect at the next renewal.
        public static let downgrade = Subtype(rawValue: "DOWNGRADE")
        /// Changed to a higher level. The change takes effect immediately.
        public static let upgrade = Subtype(rawValue: "UPGRADE")
        /// Renewal was turned on.
        public static let autoRenewEnabled = Subtype(rawValue: "AUTO_RENEW_ENABLED")
        /// Renewal was turned off.
        public static let autoRenewDisabled = Subtype(rawValue: "AUTO_RENEW_DISABLED")
        /// Ended because the customer had turned off renewal.
        public static let voluntary = Subtype(rawValue: "VOLUNTARY")
        /// Ended because no charge succeeded in time.
        public static let billingRetry = Subtype(rawValue: "BILLING_RETRY")
        /// Ended because the customer didn't consent to a price increase.
        public static let priceIncrease = Subtype(rawValue: "PRICE_INCREASE")
        /// The customer has access while Apple tries to charge again.
        public static let gracePeriod = Subtype(rawValue: "GRACE_PERIOD")
        /// The customer hasn't responded yet.
        public static let pending = Subtype(rawValue: "PENDING")
        /// The customer has consented.
        public static let accepted = Subtype(rawValue: "ACCEPTED")
        /// Renewed after an earlier attempt to charge had failed.
        public static let billingRecovery = Subtype(rawValue: "BILLING_RECOVERY")
        /// Ended because the product wasn't available.
        public static let productNotForSale = Subtype(rawValue: "PRODUCT_NOT_FOR_SALE")
        /// The extension has been completed for all subscribers.
        public static let summary = Subtype(rawValue: "SUMMARY")
        /// The extension has failed for one subscriber.
        public static let failure = Subtype(rawValue: "FAILURE")
        /// Apple has made a token that no report has mentioned.
        public static let unreported = Subtype(rawValue: "UNREPORTED")
        /// Seats were added to a subscription.
        public static let increaseQuantity = Subtype(rawValue: "INCREASE_QUANTITY")
        /// The subscription renews with fewer seats.
        public static let decreaseQuantity = Subtype(rawValue: "DECREASE_QUANTITY")
    }
}
