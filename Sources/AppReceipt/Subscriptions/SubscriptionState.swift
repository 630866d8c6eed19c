/// The state of a subscription, of a subscription group, or of an entitlement, in StoreKit 2's words.
///
/// An open set: `rawValue` keeps states that Apple adds later, so a `switch` needs a `default`. To check access, use
/// `isEntitled` of the status or the entitlement instead of comparing states.
public struct SubscriptionState: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// A stable word.
    public let rawValue: String

    /// Creates a state from its raw value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The stable word.
    public var description: String { rawValue }

    /// A period is active, paid or as a free trial, or the customer owns a product that doesn't expire. `isTrial` of
    /// the entitlement tells a free trial from a paid period.
    public static let subscribed = SubscriptionState(rawValue: "subscribed")
    /// The period has ended and the charge failed. The app should give access during the grace period.
    public static let inGracePeriod = SubscriptionState(rawValue: "inGracePeriod")
    /// The period has ended and Apple tries to charge the customer again, for up to 60 days, or up to 90 days within a
    /// commitment. No access.
    public static let inBillingRetryPeriod = SubscriptionState(rawValue: "inBillingRetryPeriod")
    /// Paused by the customer. No access. The App Store doesn't use this state; other stores do.
    public static let paused = SubscriptionState(rawValue: "paused")
    /// The last period has ended.
    public static let expired = SubscriptionState(rawValue: "expired")
    /// The purchase was refunded, or the family no longer shares it.
    public static let revoked = SubscriptionState(rawValue: "revoked")
    /// The customer upgraded to another product of the group, or to a bundle that includes the subscription.
    public static let upgraded = SubscriptionState(rawValue: "upgraded")
    /// The customer has never had the subscription.
    public static let neverSubscribed = SubscriptionState(rawValue: "neverSubscribed")
    /// Not known: the device hasn't been read yet, or a receipt has subscriptions and doesn't name their groups.
    public static let unknown = SubscriptionState(rawValue: "unknown")

    /// Whether the customer should have access.
    package var isEntitled: Bool { self == .subscribed || self == .inGracePeriod }
}
