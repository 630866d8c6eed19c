public import Foundation

/// One product of the simulated App Store.
public struct SimulatedProduct: Sendable, Hashable {
    /// The kind of a product.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A product that the customer can buy any number of times and that isn't restored.
        case consumable
        /// A product that the customer buys once and that is restored.
        case nonConsumable
        /// A subscription whose period the app tracks.
        case nonRenewingSubscription
        /// A subscription that renews automatically until the customer turns off renewal.
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

        /// Creates a localization.
        public init(localeIdentifier: String, displayName: String, description: String) {
            self.localeIdentifier = localeIdentifier
            self.displayName = displayName
            self.description = description
        }
    }

    /// The identifier of the product.
    public var productID: String
    /// The kind of the product.
    public var kind: Kind
    /// The price in the currency of the catalog's locale.
    public var price: Decimal
    /// The name in App Store Connect, which customers don't see.
    public var referenceName: String
    /// Titles and descriptions. StoreKit shows the texts for the catalog's locale, or the first ones.
    public var localizations: [Localization]
    /// Whether the customer can share the purchase with their family.
    public var isFamilyShareable: Bool
    /// The prices for customers with an offer code, by the identifier of the offer, of a product that is bought once.
    /// The offer codes of a subscription are in its terms.
    public var codeOffers: [String: Decimal]
    /// The terms of an auto-renewable subscription; `nil` for other kinds.
    public var subscription: SimulatedSubscription?
    /// The content that the App Store hosts for the product.
    public var hostedContent: [SimulatedHostedContent]
    /// The subscriptions that a bundle or a suite includes; `nil` for other products.
    public var bundle: SimulatedBundle?
    /// Whether the customer can buy seats for other people. By default, `true` for auto-renewable subscriptions only,
    /// as in App Store Connect.
    public var supportsMultiSeatPurchase: Bool

    /// Creates a product.
    public init(
        productID: String, kind: Kind, price: Decimal, referenceName: String = "", localizations: [Localization] = [],
        isFamilyShareable: Bool = false, codeOffers: [String: Decimal] = [:],
        subscription: SimulatedSubscription? = nil, hostedContent: [SimulatedHostedContent] = []
    ) {
        self.productID = productID
        self.kind = kind
        self.price = price
        self.referenceName = referenceName
        self.localizations = localizations
        self.isFamilyShareable = isFamilyShareable
        self.codeOffers = codeOffers
        self.subscription = subscription
        self.hostedContent = hostedContent
        supportsMultiSeatPurchase = kind == .autoRenewableSubscription
    }
}

// A `Decimal` literal with a fraction isn't exact, so prices such as `4.99` are rounded to thousandths, as in the App
// Store.
extension SimulatedProduct {
    /// Returns a product that the customer can buy any number of times and that isn't restored.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product, as in App Store Connect.
    ///   - price: In the currency of the catalog's locale, rounded to thousandths.
    ///   - name: The name that customers see; the identifier unless given.
    ///   - description: The description that customers see.
    ///   - codeOffers: The prices for customers with an offer code, by the identifier of the offer; zero for a gift.
    public static func consumable(
        _ productID: String, price: Decimal, name: String? = nil, description: String = "",
        codeOffers: [String: Decimal] = [:]
    ) -> SimulatedProduct {
        SimulatedProduct(productID, .consumable, price, name ?? productID, description, codeOffers)
    }

    /// Returns a product that the customer buys once and that is restored.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product, as in App Store Connect.
    ///   - price: In the currency of the catalog's locale, rounded to thousandths.
    ///   - name: The name that customers see; the identifier unless given.
    ///   - description: The description that customers see.
    ///   - isFamilyShareable: Whether the customer can share the purchase with their family.
    ///   - hostedContent: The files that the App Store hosts for the product.
    ///   - codeOffers: The prices for customers with an offer code, by the identifier of the offer; zero for a gift.
    public static func nonConsumable(
        _ productID: String, price: Decimal, name: String? = nil, description: String = "",
        isFamilyShareable: Bool = false,
        hostedContent: [SimulatedHostedContent] = [], codeOffers: [String: Decimal] = [:]
    ) -> SimulatedProduct {
        var product = SimulatedProduct(productID, .nonConsumable, price, name ?? productID, description, codeOffers)
        product.isFamilyShareable = isFamilyShareable
        product.hostedContent = hostedContent
        return product
    }

    /// Returns a subscription whose period the app tracks.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product, as in App Store Connect.
    ///   - price: In the currency of the catalog's locale, rounded to thousandths.
    ///   - name: The name that customers see; the identifier unless given.
    ///   - description: The description that customers see.
    ///   - codeOffers: The prices for customers with an offer code, by the identifier of the offer; zero for a gift.
    public static func nonRenewingSubscription(
        _ productID: String, price: Decimal, name: String? = nil, description: String = "",
        codeOffers: [String: Decimal] = [:]
    ) -> SimulatedProduct {
        SimulatedProduct(productID, .nonRenewingSubscription, price, name ?? productID, description, codeOffers)
    }

    /// Returns a subscription that renews automatically.
    ///
    /// - Parameters:
    ///   - productID: The identifier of the product, as in App Store Connect.
    ///   - price: In the currency of the catalog's locale, rounded to thousandths.
    ///   - period: The time after which the subscription renews.
    ///   - group: The subscription group. An account has one subscription of a group.
    ///   - level: The rank in the group: 1 is the highest level of service.
    ///   - name: The name that customers see; the identifier unless given.
    ///   - description: The description that customers see.
    ///   - introductoryOffer: The offer for new subscribers.
    ///   - promotionalOffers: The offers for current and former subscribers, which a server signs. Each offer has an
    ///     identifier.
    ///   - winBackOffers: The offers for customers whose subscription has expired. Each offer has an identifier.
    ///   - codeOffers: The offers for customers with an offer code. Each offer has an identifier.
    ///   - monthlyPlan: The terms of monthly payments with a commitment, for a yearly subscription.
    ///   - isFamilyShareable: Whether the customer can share the purchase with their family.
    public static func autoRenewable(
        _ productID: String, price: Decimal, period: SimulatedPeriod, group: String, level: Int = 1,
        name: String? = nil,
        description: String = "", introductoryOffer: SimulatedSubscription.Offer? = nil,
        promotionalOffers: [SimulatedSubscription.Offer] = [], winBackOffers: [SimulatedSubscription.Offer] = [],
        codeOffers: [SimulatedSubscription.Offer] = [], monthlyPlan: SimulatedMonthlyPlan? = nil,
        isFamilyShareable: Bool = false
    ) -> SimulatedProduct {
        var product = SimulatedProduct(productID, .autoRenewableSubscription, price, name ?? productID, description)
        product.isFamilyShareable = isFamilyShareable
        product.subscription = SimulatedSubscription(
            groupID: group, groupLevel: level, period: period, introductoryOffer: introductoryOffer,
            promotionalOffers: promotionalOffers,
            winBackOffers: winBackOffers, codeOffers: codeOffers, monthlyPlan: monthlyPlan)
        return product
    }

    private init(
        _ productID: String, _ kind: Kind, _ price: Decimal, _ name: String, _ description: String,
        _ codeOffers: [String: Decimal] = [:]
    ) {
        self.init(
            productID: productID, kind: kind, price: price.inThousandths, referenceName: name,
            localizations: [Localization(localeIdentifier: "en_US", displayName: name, description: description)],
            codeOffers: codeOffers.mapValues(\.inThousandths))
    }
}

extension Decimal {
    /// The number, rounded to thousandths.
    var inThousandths: Decimal {
        var (price, rounded) = (self, Decimal())
        NSDecimalRound(&rounded, &price, 3, .plain)
        return rounded
    }
}

extension SimulatedProduct {
    /// Returns the texts for a locale: those for the exact locale, otherwise those for its language, otherwise the
    /// first texts.
    package func localization(for localeIdentifier: String) -> Localization? {
        let wanted = Self.canonical(localeIdentifier)
        let language = wanted.prefix { $0 != "_" }
        return localizations.first { Self.canonical($0.localeIdentifier) == wanted }
            ?? localizations.first { Self.canonical($0.localeIdentifier) == language }
            ?? localizations.first { Self.canonical($0.localeIdentifier).prefix { $0 != "_" } == language }
            ?? localizations.first
    }

    /// Returns the same text for `en-US` and `en_US@currency=EUR`.
    private static func canonical(_ localeIdentifier: String) -> String {
        String(localeIdentifier.prefix { $0 != "@" }.map { $0 == "-" ? "_" : $0 })
    }
}
