public import Foundation

/// A product as the App Store describes it, in the language and currency of the account's storefront.
public struct StoreProduct: Sendable, Hashable, Identifiable {
    /// The product identifier.
    public let id: String
    /// The name that customers see.
    public let displayName: String
    /// The description that customers see.
    public let description: String
    /// The price in the storefront's currency.
    public let price: Decimal
    /// The locale of the price.
    public let priceLocale: Locale
    /// The price as customers read it in ``priceLocale``.
    public let displayPrice: String
    /// The time after which a subscription renews; `nil` for everything else.
    public let subscriptionPeriod: StoreSubscriptionPeriod?
    /// The offer for new subscribers.
    public let introductoryOffer: StoreOffer?
    /// The offers for present and former subscribers.
    public let promotionalOffers: [StoreOffer]
    /// The group in which the subscription competes; `nil` for everything else.
    public let subscriptionGroupID: String?
    /// Whether the purchase is shared with the customer's family.
    public let isFamilyShareable: Bool
    /// The sizes in bytes of what the App Store hosts for the product; empty when it hosts nothing.
    public let hostedContentLengths: [Int64]

    package init(
        id: String, displayName: String, description: String, price: Decimal, priceLocale: Locale,
        subscriptionPeriod: StoreSubscriptionPeriod? = nil, introductoryOffer: StoreOffer? = nil,
        promotionalOffers: [StoreOffer] = [], subscriptionGroupID: String? = nil, isFamilyShareable: Bool = false,
        hostedContentLengths: [Int64] = []
    ) {
        self.id = id
        self.displayName = displayName
        self.description = description
        self.price = price
        self.priceLocale = priceLocale
        self.displayPrice = price.formattedPrice(in: priceLocale)
        self.subscriptionPeriod = subscriptionPeriod
        self.introductoryOffer = introductoryOffer
        self.promotionalOffers = promotionalOffers
        self.subscriptionGroupID = subscriptionGroupID
        self.isFamilyShareable = isFamilyShareable
        self.hostedContentLengths = hostedContentLengths
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
