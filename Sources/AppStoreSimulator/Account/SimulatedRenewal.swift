public import Foundation

/// The renewal information of a subscription: how the subscription continues after its current period.
public struct SimulatedRenewal: Sendable, Hashable {
    /// The reason that a subscription expired or its renewal wasn't paid. Raw values are those of Apple's
    /// `expiration_intent`.
    public enum ExpirationReason: Int, Sendable, Hashable, CaseIterable {
        /// The customer turned off renewal.
        case autoRenewDisabled = 1
        /// The payment failed.
        case billingError = 2
        /// The customer didn't consent to a price increase.
        case didNotConsentToPriceIncrease = 3
        /// The product wasn't for sale at the time of the renewal.
        case productUnavailable = 4
        /// Another reason, such as a refund.
        case unknown = 5
        /// The subscription left its bundle.
        case unbundled = 6
    }

    /// The group of the subscription.
    public let groupID: String
    /// The product of the current or last period.
    public let productID: String
    /// The product that the subscription renews with.
    public let autoRenewPreference: String
    /// The identifier of the first transaction of the subscription.
    public let originalTransactionID: String
    /// Whether the subscription is set to renew.
    public let willAutoRenew: Bool
    /// Whether the App Store is retrying the payment of a renewal.
    public let isInBillingRetry: Bool
    /// The end of the grace period, in which the subscription stays active although its renewal isn't paid.
    public let gracePeriodExpirationDate: Date?
    /// The reason that the subscription expired or its renewal wasn't paid; `nil` while the subscription is paid.
    public let expirationReason: ExpirationReason?
    /// The identifier of the latest transaction.
    package var latestTransactionID = ""
    /// How the account owns the subscription.
    public var ownership = SimulatedOwnership.purchased
    /// The date of the next renewal; `nil` if the subscription won't renew.
    public var renewalDate: Date?
    /// The price of the next period; `nil` if the subscription won't renew.
    public var renewalPrice: Decimal?
    /// The currency of the price, ISO 4217.
    public var currencyCode: String?
    /// The customer's answer to a price increase; `nil` without a price increase.
    public var priceIncrease: PriceIncrease?
    /// The offer of the next period.
    public var offer: SimulatedTransactionOffer?
    /// The win-back offers that the customer is eligible for.
    public var eligibleWinBackOfferIDs: [String] = []
    /// The start of the current run of the subscription, without periods that expired more than 60 days before.
    public var recentSubscriptionStartDate: Date?
    /// The billing plan of the next period; `nil` if the subscription has expired.
    public var billingPlan: SimulatedBillingPlan?
    /// The renewal information of the commitment; `nil` outside a commitment.
    public var commitment: SimulatedRenewalCommitment?
    /// The bundle that includes the account's subscription; `nil` outside a bundle.
    public var bundle: SimulatedBundleMembership?
    /// Whether the subscription leaves its bundle at the next renewal.
    public var willUnbundle = false
    /// The number of seats of the next period; `nil` for a subscription without seats.
    public var seats: Int?
    /// The app's name for its user in the latest transaction.
    public var applicationUsername: String?

    /// The customer's answer to a price increase. Raw values are those of `priceIncreaseStatus` in signed renewal
    /// information.
    public enum PriceIncrease: Int, Sendable, Hashable, CaseIterable {
        /// The customer hasn't answered.
        case pending = 0
        /// The customer consented, or the increase doesn't need consent.
        case agreed = 1
    }
}
