public import Foundation

/// One product of the simulated App Store.
public struct SimulatedProduct: Sendable, Hashable {
    /// What kind of product it is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Can be bought again and again, and is not restored.
        case consumable
        /// Is bought once, and restored.
        case nonConsumable
        /// Is bought for a time that the app keeps count of.
        case nonRenewingSubscription
        /// Renews by itself until it is cancelled.
        case autoRenewableSubscription
    }

    /// The title and description in one locale.
    public struct Localization: Sendable, Hashable {
        /// The locale, such as `en_US`.
        public var localeIdentifier: String
        /// The name that customers see.
        public var displayName: String
        /// The description that customers see.
        public var description: String

        /// Makes a localization.
        public init(localeIdentifier: String, displayName: String, description: String) {
            self.localeIdentifier = localeIdentifier
            self.displayName = displayName
            self.description = description
        }
    }

    /// The identifier by which apps ask for the product.
    public var productIdentifier: String
    /// What kind of product it is.
    public var kind: Kind
    /// The price in the currency of the catalog's locale.
    public var price: Decimal
    /// The name in App Store Connect, which customers do not see.
    public var referenceName: String
    /// Titles and descriptions; the one for the catalog's locale is shown, else the first.
    public var localizations: [Localization]
    /// Whether the purchase is shared with the customer's family.
    public var isFamilyShareable: Bool
    /// What an auto-renewable subscription has besides; `nil` for every other kind.
    public var subscription: SimulatedSubscription?
    /// The content that the App Store hosts for the product.
    public var hostedContent: [SimulatedHostedContent]

    /// Makes a product.
    public init(
        productIdentifier: String, kind: Kind, price: Decimal, referenceName: String = "", localizations: [Localization] = [],
        isFamilyShareable: Bool = false, subscription: SimulatedSubscription? = nil, hostedContent: [SimulatedHostedContent] = []
    ) {
        self.productIdentifier = productIdentifier
        self.kind = kind
        self.price = price
        self.referenceName = referenceName
        self.localizations = localizations
        self.isFamilyShareable = isFamilyShareable
        self.subscription = subscription
        self.hostedContent = hostedContent
    }
}

extension SimulatedProduct {
    /// The texts for a locale: those for just this one, else those for its language, else the first there are.
    package func localization(for localeIdentifier: String) -> Localization? {
        let wanted = Self.canonical(localeIdentifier)
        let language = wanted.prefix { $0 != "_" }
        return localizations.first { Self.canonical($0.localeIdentifier) == wanted }
            ?? localizations.first { Self.canonical($0.localeIdentifier) == language }
            ?? localizations.first { Self.canonical($0.localeIdentifier).prefix { $0 != "_" } == language }
            ?? localizations.first
    }

    /// Writes `en-US` and `en_US@currency=EUR` the same way.
    private static func canonical(_ localeIdentifier: String) -> String {
        String(localeIdentifier.prefix { $0 != "@" }.map { $0 == "-" ? "_" : $0 })
    }
}
