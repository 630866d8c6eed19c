public import Foundation

/// One product of the simulated App Store.
public struct SimulatedProduct: Sendable, Hashable {
    /// What kind of product it is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Can be bought any number of times, and is not restored.
        case consumable
        /// Is bought once, and restored.
        case nonConsumable
        /// Is bought for a period of which the app keeps track.
        case nonRenewingSubscription
        /// Renews by itself until its renewal is turned off.
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
    public var productID: String
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
    /// The terms of an auto-renewable subscription; `nil` for every other kind.
    public var subscription: SimulatedSubscription?
    /// The content that the App Store hosts for the product.
    public var hostedContent: [SimulatedHostedContent]
    /// The subscriptions that a bundle or a suite includes; `nil` for every other product.
    public var bundle: SimulatedBundle?

    /// Makes a product.
    public init(
        productID: String, kind: Kind, price: Decimal, referenceName: String = "", localizations: [Localization] = [],
        isFamilyShareable: Bool = false, subscription: SimulatedSubscription? = nil, hostedContent: [SimulatedHostedContent] = []
    ) {
        self.productID = productID
        self.kind = kind
        self.price = price
        self.referenceName = referenceName
        self.localizations = localizations
        self.isFamilyShareable = isFamilyShareable
        self.subscription = subscription
        self.hostedContent = hostedContent
    }
}

// A price written as a literal with a fraction is not exact: `4.99` is rounded to thousandths, as the App Store keeps prices.
extension SimulatedProduct {
    /// A product that can be bought any number of times, and is not restored.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product, as in App Store Connect.
    ///   - price: In the currency of the catalog's locale, rounded to thousandths.
    ///   - name: The name that customers see; the identifier unless given.
    ///   - description: The description that customers see.
    public static func consumable(_ productID: String, price: Decimal, name: String? = nil, description: String = "") -> SimulatedProduct {
        SimulatedProduct(productID, .consumable, price, name ?? productID, description)
    }

    /// A product that is bought once, and restored.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product, as in App Store Connect.
    ///   - price: In the currency of the catalog's locale, rounded to thousandths.
    ///   - name: The name that customers see; the identifier unless given.
    ///   - description: The description that customers see.
    ///   - isFamilyShareable: Whether the customer's family may use it too.
    ///   - hostedContent: The files that the App Store hosts for it.
    public static func nonConsumable(
        _ productID: String, price: Decimal, name: String? = nil, description: String = "", isFamilyShareable: Bool = false,
        hostedContent: [SimulatedHostedContent] = []
    ) -> SimulatedProduct {
        var product = SimulatedProduct(productID, .nonConsumable, price, name ?? productID, description)
        product.isFamilyShareable = isFamilyShareable
        product.hostedContent = hostedContent
        return product
    }

    /// A subscription for a period of which the app keeps track.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product, as in App Store Connect.
    ///   - price: In the currency of the catalog's locale, rounded to thousandths.
    ///   - name: The name that customers see; the identifier unless given.
    ///   - description: The description that customers see.
    public static func nonRenewingSubscription(
        _ productID: String, price: Decimal, name: String? = nil, description: String = ""
    ) -> SimulatedProduct {
        SimulatedProduct(productID, .nonRenewingSubscription, price, name ?? productID, description)
    }

    /// A subscription that renews by itself.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product, as in App Store Connect.
    ///   - price: In the currency of the catalog's locale, rounded to thousandths.
    ///   - period: The time after which it renews.
    ///   - group: The group in which it competes: an account has one subscription of a group.
    ///   - level: Its rank in the group: 1 is the highest level of service.
    ///   - name: The name that customers see; the identifier unless given.
    ///   - description: The description that customers see.
    ///   - introductoryOffer: The offer for new subscribers.
    ///   - promotionalOffers: The offers for former subscribers, which a server signs; each has an identifier.
    ///   - winBackOffers: The offers for customers whose subscription has expired; each has an identifier.
    ///   - codeOffers: The offers that a customer gets by a code; each has an identifier.
    ///   - monthlyPlan: The terms of monthly payments with a commitment, for a subscription of a year.
    ///   - isFamilyShareable: Whether the customer's family may use it too.
    public static func autoRenewable(
        _ productID: String, price: Decimal, period: SimulatedPeriod, group: String, level: Int = 1, name: String? = nil,
        description: String = "", introductoryOffer: SimulatedSubscription.Offer? = nil,
        promotionalOffers: [SimulatedSubscription.Offer] = [], winBackOffers: [SimulatedSubscription.Offer] = [],
        codeOffers: [SimulatedSubscription.Offer] = [], monthlyPlan: SimulatedMonthlyPlan? = nil,
        isFamilyShareable: Bool = false
    ) -> SimulatedProduct {
        var product = SimulatedProduct(productID, .autoRenewableSubscription, price, name ?? productID, description)
        product.isFamilyShareable = isFamilyShareable
        product.subscription = SimulatedSubscription(
            groupID: group, groupLevel: level, period: period, introductoryOffer: introductoryOffer, promotionalOffers: promotionalOffers,
            winBackOffers: winBackOffers, codeOffers: codeOffers, monthlyPlan: monthlyPlan)
        return product
    }

    private init(_ productID: String, _ kind: Kind, _ price: Decimal, _ name: String, _ description: String) {
        self.init(
            productID: productID, kind: kind, price: price.inThousandths, referenceName: name,
            localizations: [Localization(localeIdentifier: "en_US", displayName: name, description: description)])
    }
}

extension Decimal {
    /// The nearest number of thousandths.
    var inThousandths: Decimal {
        var (price, rounded) = (self, Decimal())
        NSDecimalRound(&rounded, &price, 3, .plain)
        return rounded
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
