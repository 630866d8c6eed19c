/// How a subscription stands, as StoreKit 2 says it.
public struct SimulatedSubscriptionStatus: Sendable, Hashable {
    /// The states. Raw values are those of `Product.SubscriptionInfo.RenewalState`.
    public enum State: Int, Sendable, Hashable, CaseIterable {
        /// Paid.
        case subscribed = 1
        /// Ended.
        case expired = 2
        /// Not paid; the App Store keeps trying.
        case inBillingRetry = 3
        /// Not paid, and active all the same for a time.
        case inGracePeriod = 4
        /// Refunded, or no longer shared in the family.
        case revoked = 5
    }

    /// The state.
    public var state: State
    /// The latest transaction that is seen.
    public var transaction: SimulatedHistoryRecord
    /// How it continues.
    public var renewal: SimulatedRenewal
}
