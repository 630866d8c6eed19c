extension Product.SubscriptionInfo {
    /// The state of a subscription.
    public struct RenewalState: RawRepresentable, Hashable, Sendable {
        /// The current period is paid.
        public static let subscribed = RenewalState(rawValue: 1)
        /// The subscription expired.
        public static let expired = RenewalState(rawValue: 2)
        /// The renewal isn't paid, and the App Store is retrying the payment.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// The renewal isn't paid, but the customer keeps access for a limited time.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// The subscription was refunded or is no longer shared by the family.
        public static let revoked = RenewalState(rawValue: 5)

        /// The type of the raw value.
        public typealias RawValue = Int

        /// The raw value.
        public let rawValue: Int

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }
}
