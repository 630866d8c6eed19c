extension AppStore {
    /// The environment of a transaction.
    public struct Environment: RawRepresentable, Hashable, Sendable {
        /// The App Store.
        public static let production = Environment(rawValue: "Production")
        /// The sandbox, TestFlight, App Review and the simulated App Store.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// StoreKit testing in Xcode.
        public static let xcode = Environment(rawValue: "Xcode")

        /// The type of the raw value.
        public typealias RawValue = String

        /// The raw value.
        public let rawValue: String

        /// Creates a value from any raw value, even one without a constant.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// A platform of the App Store.
    public struct Platform: RawRepresentable, Hashable, Sendable {
        /// iPhone, iPad and Apple Watch.
        public static let iOS = Platform(rawValue: "iOS")
        /// Mac.
        public static let macOS = Platform(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// Apple Vision.
        public static let visionOS = Platform(rawValue: "visionOS")
        /// A device that an organization manages.
        public static var managed: Platform { Platform(rawValue: "MANAGED") }

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
