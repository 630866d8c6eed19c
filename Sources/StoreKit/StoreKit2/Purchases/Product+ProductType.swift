extension Product {
    /// The type of a product.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// A product that the customer can buy any number of times.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// A product that the customer buys once and owns permanently.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// A subscription whose period the app tracks.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// A subscription that renews until the customer turns off renewal.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
        /// Several subscriptions that are also sold separately.
        public static let subscriptionBundle = ProductType(rawValue: "Subscription Bundle")
        /// Several subscriptions that are sold only together.
        public static let subscriptionSuite = ProductType(rawValue: "Subscription Suite")

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}
