public import Foundation

/// How a subscription continues after its current period: what Apple calls renewal information.
public struct SimulatedRenewal: Sendable, Hashable {
    /// Why a subscription has expired, or why its renewal was not paid. Raw values are those of Apple's `expiration_intent`.
    public enum ExpirationReason: Int, Sendable, Hashable, CaseIterable {
        /// The customer turned the renewal off.
        case autoRenewDisabled = 1
        /// The price could not be collected.
        case billingError = 2
        /// The customer did not agree to a higher price.
        case didNotConsentToPriceIncrease = 3
        /// The product was not for sale at the time of the renewal.
        case productUnavailable = 4
        /// Something else, such as a refund.
        case unknown = 5
        /// The subscription has left its bundle.
        case unbundled = 6
    }

    /// The group in which the subscription competes.
    public let groupID: String
    /// The subscription that is active, or was last.
    public let productID: String
    /// The product as which it renews.
    public let autoRenewPreference: String
    /// The identifier of the first transaction of the subscription.
    public let originalTransactionID: String
    /// Whether it is set to renew.
    public let willAutoRenew: Bool
    /// Whether the App Store is trying to collect the price of a renewal.
    public let isInBillingRetry: Bool
    /// Until when the subscription stays active although its renewal was not paid.
    public let gracePeriodExpirationDate: Date?
    /// Why it has expired, or why its renewal was not paid; `nil` while it is paid.
    public let expirationReason: ExpirationReason?
    /// How the account came by the subscription.
    public var ownership = SimulatedOwnership.purchased
    /// When it renews; `nil` when it is not going to.
    public var renewalDate: Date?
    /// The price of the next period; `nil` when it is not going to renew.
    public var renewalPrice: Decimal?
    /// The currency of the price, ISO 4217.
    public var currencyCode: String?
    /// What the customer has answered to a higher price; `nil` when there is none.
    public var priceIncrease: PriceIncrease?
    /// The offer of the next period.
    public var offer: SimulatedTransactionOffer?
    /// The win-back offers that the customer may use.
    public var eligibleWinBackOfferIDs: [String] = []
    /// When the account subscribed, not counting what had expired more than 60 days before.
    public var recentSubscriptionStartDate: Date?
    /// How the next period is billed; `nil` if the subscription has expired.
    public var billingPlan: SimulatedBillingPlan?
    /// How the commitment continues; `nil` outside a commitment.
    public var commitment: SimulatedRenewalCommitment?
    /// The bundle through which the account has the subscription; `nil` outside a bundle.
    public var bundle: SimulatedBundleMembership?
    /// Whether the subscription leaves its bundle at the next renewal.
    public var willUnbundle = false
    /// The app's name for its user, by the latest transaction.
    public var applicationUsername: String?

    /// The customer's answer to a higher price. Raw values are those of `priceIncreaseStatus` in signed renewal information.
    public enum PriceIncrease: Int, Sendable, Hashable, CaseIterable {
        /// None yet.
        case pending = 0
        /// Agreed, or told of an increase that needs no consent.
        case agreed = 1
    }
}
