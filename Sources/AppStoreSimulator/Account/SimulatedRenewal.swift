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
}
