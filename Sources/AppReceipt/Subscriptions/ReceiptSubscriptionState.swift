/// The state of a subscription or of a subscription group.
///
/// An open set: later versions may add states. To check access, use ``ReceiptSubscriptionStatus/isEntitled`` instead of
/// comparing states.
public struct ReceiptSubscriptionState: RawRepresentable, Hashable, Sendable, Codable {
    /// A stable string.
    public let rawValue: String

    /// Creates a state from its raw value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A paid or free period is active.
    public static let subscribed = ReceiptSubscriptionState(rawValue: "subscribed")
    /// The period has ended and the charge failed. The app should give access during the grace period.
    public static let inGracePeriod = ReceiptSubscriptionState(rawValue: "inGracePeriod")
    /// The period has ended and Apple tries to charge the customer again, for up to 60 days. No access.
    public static let inBillingRetryPeriod = ReceiptSubscriptionState(rawValue: "inBillingRetryPeriod")
    /// The last period has ended.
    public static let expired = ReceiptSubscriptionState(rawValue: "expired")
    /// The last period was refunded, or the family no longer shares it.
    public static let revoked = ReceiptSubscriptionState(rawValue: "revoked")
    /// The customer upgraded to another product of the group, which isn't among the evaluated products.
    public static let upgraded = ReceiptSubscriptionState(rawValue: "upgraded")
    /// The receipt has no transaction of the evaluated products.
    public static let neverSubscribed = ReceiptSubscriptionState(rawValue: "neverSubscribed")
}
