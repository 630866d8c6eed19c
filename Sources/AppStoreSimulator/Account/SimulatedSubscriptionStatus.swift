/// The status of a subscription, as StoreKit 2 reports it.
public struct SimulatedSubscriptionStatus: Sendable, Hashable {
    /// The state of a subscription. Raw values are those of `Product.SubscriptionInfo.RenewalState`.
    public enum State: Int, Sendable, Hashable, CaseIterable {
        /// The current period is paid.
        case subscribed = 1
        /// The subscription expired.
        case expired = 2
        /// The renewal isn't paid, and the App Store is retrying the payment.
        case inBillingRetry = 3
        /// The renewal isn't paid, but the subscription stays active for a limited time.
        case inGracePeriod = 4
        /// The subscription was refunded or is no longer shared by the family.
        case revoked = 5
    }

    /// The state of the subscription.
    public var state: State
    /// The latest visible transaction.
    public var transaction: SimulatedHistoryRecord
    /// The renewal information.
    public var renewal: SimulatedRenewal
}
