extension Product.SubscriptionInfo {
    /// How a subscription stands.
    public struct RenewalState: RawRepresentable, Hashable, Sendable {
        /// Paid.
        public static let subscribed = RenewalState(rawValue: 1)
        /// Ended.
        public static let expired = RenewalState(rawValue: 2)
        /// Not paid; the App Store keeps trying.
        public static let inBillingRetryPeriod = RenewalState(rawValue: 3)
        /// Not paid, and the customer may use it all the same for a time.
        public static let inGracePeriod = RenewalState(rawValue: 4)
        /// Refunded, or no longer shared in the family.
        public static let revoked = RenewalState(rawValue: 5)

        /// The type of the raw value.
        public typealias RawValue = Int

        /// The raw value.
        public let rawValue: Int

        /// Makes a value, which may be one that has no name here.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }
}
