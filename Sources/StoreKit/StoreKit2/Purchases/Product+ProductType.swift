extension Product {
    /// What kind of product it is.
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// Can be bought any number of times.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// Is bought once, and owned for good.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// Is bought for a period of which the app keeps track.
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// Renews until its renewal is turned off.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")
        /// Several subscriptions that are also sold singly.
        public static let subscriptionBundle = ProductType(rawValue: "Subscription Bundle")
        /// Several subscriptions that are sold together only.
        public static let subscriptionSuite = ProductType(rawValue: "Subscription Suite")

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Makes a value, which may be one that has no name here.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}
