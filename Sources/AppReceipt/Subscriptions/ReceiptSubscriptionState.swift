/// Where a subscription, or a group of which a customer can have one, stands at a moment.
///
/// An open set: a state that a later version of the App Store brings has its own `rawValue`. To decide about access,
/// ask ``ReceiptSubscriptionStatus/isEntitled`` rather than list states.
public struct ReceiptSubscriptionState: RawRepresentable, Hashable, Sendable, Codable {
    /// A stable word.
    public let rawValue: String

    /// Creates a state from its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A paid or free period is running.
    public static let subscribed = ReceiptSubscriptionState(rawValue: "subscribed")
    /// The period has ended and the customer could not be charged; Apple asks the app to give access for the time
    /// being.
    public static let inGracePeriod = ReceiptSubscriptionState(rawValue: "inGracePeriod")
    /// The period has ended and Apple keeps trying to charge the customer, for up to 60 days; no access.
    public static let inBillingRetryPeriod = ReceiptSubscriptionState(rawValue: "inBillingRetryPeriod")
    /// The last period has ended.
    public static let expired = ReceiptSubscriptionState(rawValue: "expired")
    /// The last period was refunded, or is no longer shared by the family.
    public static let revoked = ReceiptSubscriptionState(rawValue: "revoked")
    /// The customer has moved on to a higher product of the group, which was not asked about.
    public static let upgraded = ReceiptSubscriptionState(rawValue: "upgraded")
    /// The receipt has no transaction of the products asked about.
    public static let neverSubscribed = ReceiptSubscriptionState(rawValue: "neverSubscribed")
}
