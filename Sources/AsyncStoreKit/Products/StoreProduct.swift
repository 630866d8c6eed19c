public import Foundation

/// A product as the App Store describes it, in the language and currency of the account's storefront.
public struct StoreProduct: Sendable, Hashable, Identifiable {
    /// What kind of thing a product is. The set is open, as Apple may add to it.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind.
        public let description: String

        package init(description: String) {
            self.description = description
        }

        /// Bought again and again, and used up.
        public static let consumable = Kind(description: "consumable")
        /// Bought once.
        public static let nonConsumable = Kind(description: "nonConsumable")
        /// Bought for a time that the app knows.
        public static let nonRenewing = Kind(description: "nonRenewing")
        /// Renewed by the App Store until somebody cancels.
        public static let autoRenewable = Kind(description: "autoRenewable")
    }

    /// The product identifier.
    public var id: String { shared.facts.id }
    /// What kind of thing it is; `nil` over StoreKit 1, which does not say.
    public var kind: Kind? { shared.facts.kind }
    /// The name that customers see.
    public var displayName: String { shared.facts.displayName }
    /// The description that customers see.
    public var description: String { shared.facts.description }
    /// The price in the storefront's currency.
    public var price: Decimal { shared.facts.price }
    /// The locale of the price.
    public var priceLocale: Locale { shared.facts.priceLocale }
    /// The price as customers read it in ``priceLocale``.
    public var displayPrice: String { shared.facts.displayPrice }
    /// The time after which a subscription renews; `nil` for everything else.
    public var subscriptionPeriod: StoreSubscriptionPeriod? { shared.facts.subscriptionPeriod }
    /// The offer for new subscribers.
    public var introductoryOffer: StoreOffer? { shared.facts.introductoryOffer }
    /// The offers for present and former subscribers.
    public var promotionalOffers: [StoreOffer] { shared.facts.promotionalOffers }
    /// The offers for former subscribers to come back; only over StoreKit 2, from iOS 18, macOS 15, tvOS 18, watchOS 11 and visionOS 2 on.
    public var winBackOffers: [StoreOffer] { shared.facts.winBackOffers }
    /// The group in which the subscription competes; `nil` for everything else.
    public var subscriptionGroupID: String? { shared.facts.subscriptionGroupID }
    /// The name of that group, as customers see it; only over StoreKit 2, from iOS 16.4, macOS 13.3, tvOS 16.4 and watchOS 9.4 on.
    public var subscriptionGroupName: String? { shared.facts.subscriptionGroupName }
    /// The rank in that group: 1 is the best. Only where ``subscriptionGroupName`` is, too.
    public var subscriptionLevel: Int? { shared.facts.subscriptionLevel }
    /// Whether the purchase is shared with the customer's family.
    public var isFamilyShareable: Bool { shared.facts.isFamilyShareable }
    /// The sizes in bytes of what the App Store hosts for the product; empty when it hosts nothing.
    public var hostedContentLengths: [Int64] { shared.facts.hostedContentLengths }

    // Copies share what the App Store says: it is much, and never changes.
    private let shared: Shared

    private final class Shared: Sendable {
        let facts: Facts

        init(_ facts: Facts) {
            self.facts = facts
        }
    }

    private struct Facts: Sendable, Hashable {
        let id: String
        let kind: Kind?
        let displayName: String
        let description: String
        let price: Decimal
        let priceLocale: Locale
        let displayPrice: String
        let subscriptionPeriod: StoreSubscriptionPeriod?
        let introductoryOffer: StoreOffer?
        let promotionalOffers: [StoreOffer]
        let winBackOffers: [StoreOffer]
        let subscriptionGroupID: String?
        let subscriptionGroupName: String?
        let subscriptionLevel: Int?
        let isFamilyShareable: Bool
        let hostedContentLengths: [Int64]
    }

    package init(
        id: String, kind: Kind? = nil, displayName: String, description: String, price: Decimal, priceLocale: Locale,
        subscriptionPeriod: StoreSubscriptionPeriod? = nil, introductoryOffer: StoreOffer? = nil,
        promotionalOffers: [StoreOffer] = [], winBackOffers: [StoreOffer] = [], subscriptionGroupID: String? = nil,
        subscriptionGroupName: String? = nil, subscriptionLevel: Int? = nil, isFamilyShareable: Bool = false,
        hostedContentLengths: [Int64] = []
    ) {
        shared = Shared(
            Facts(
                id: id, kind: kind, displayName: displayName, description: description, price: price, priceLocale: priceLocale,
                displayPrice: price.formattedPrice(in: priceLocale), subscriptionPeriod: subscriptionPeriod,
                introductoryOffer: introductoryOffer, promotionalOffers: promotionalOffers, winBackOffers: winBackOffers,
                subscriptionGroupID: subscriptionGroupID, subscriptionGroupName: subscriptionGroupName,
                subscriptionLevel: subscriptionLevel, isFamilyShareable: isFamilyShareable, hostedContentLengths: hostedContentLengths))
    }

    /// Whether the App Store says the same of both.
    public static func == (left: StoreProduct, right: StoreProduct) -> Bool {
        left.shared === right.shared || left.shared.facts == right.shared.facts
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(shared.facts)
    }
}

extension StoreProduct {
    /// The ISO 4217 code of the currency, such as `EUR`; `nil` when the locale names none.
    public var currencyCode: String? { priceLocale.storeCurrencyCode }

    /// The subscription period as customers read it in the product's own locale, such as "3 months"; `nil` when there is none.
    public var displaySubscriptionPeriod: String? { subscriptionPeriod?.formatted(in: priceLocale) }
}

extension Locale {
    // `Locale.currency` is not there on the oldest systems this package runs on.
    var storeCurrencyCode: String? { currencyCode }
}

extension Decimal {
    /// The amount as customers of the locale read it; with a locale that names no currency, as a plain number.
    package func formattedPrice(in locale: Locale) -> String {
        guard let code = locale.storeCurrencyCode else { return formatted(.number.locale(locale)) }
        return formatted(.currency(code: code).locale(locale))
    }
}

/// The App Store of a country.
public struct AppStorefront: Sendable, Hashable {
    /// The three-letter country code, ISO 3166-1 alpha-3, such as `USA`.
    public let countryCode: String
    /// Apple's identifier of the storefront.
    public let id: String

    package init(countryCode: String, id: String) {
        self.countryCode = countryCode
        self.id = id
    }
}
