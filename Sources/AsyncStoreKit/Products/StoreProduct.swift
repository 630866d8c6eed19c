public import AppReceipt
public import Foundation

/// A product as the App Store describes it, in the language and currency of the account's storefront.
public struct StoreProduct: Sendable, Hashable, Identifiable {
    /// The kinds of products.
    public typealias Kind = ProductKind

    /// A subscription that a bundle includes.
    public struct BundledSubscription: Sendable, Hashable, Identifiable {
        /// The product identifier.
        public let id: String
        /// The name that customers see.
        public let displayName: String
        /// The description that customers see.
        public let description: String
        /// The price of the subscription alone, in the bundle's currency.
        public let price: Decimal
        /// The price as customers read it.
        public let displayPrice: String
        /// Whether the subscription is shared with the customer's family.
        public let isFamilyShareable: Bool
        /// The subscription's group.
        public let subscriptionGroupID: String
        /// The rank in the group: 1 is the best.
        public let subscriptionLevel: Int
        /// The name of the group that customers see.
        public let subscriptionGroupName: String

        package init(
            id: String, displayName: String, description: String, price: Decimal, displayPrice: String,
            isFamilyShareable: Bool, subscriptionGroupID: String, subscriptionLevel: Int, subscriptionGroupName: String
        ) {
            self.id = id
            self.displayName = displayName
            self.description = description
            self.price = price
            self.displayPrice = displayPrice
            self.isFamilyShareable = isFamilyShareable
            self.subscriptionGroupID = subscriptionGroupID
            self.subscriptionLevel = subscriptionLevel
            self.subscriptionGroupName = subscriptionGroupName
        }
    }

    private struct Content: Sendable, Equatable {
        let id: String
        let kind: Kind?
        let displayName: String
        let description: String
        let price: Decimal
        let priceLocale: Locale
        // StoreKit's own text and style. Without them, the price is formatted when it's read.
        let displayPrice: String?
        let priceFormatStyle: Decimal.FormatStyle.Currency?
        let subscriptionPeriod: StoreSubscriptionPeriod?
        let introductoryOffer: StoreOffer?
        let promotionalOffers: [StoreOffer]
        let winBackOffers: [StoreOffer]
        let billingPlans: [BillingPlanTerms]
        let bundledSubscriptions: [BundledSubscription]
        let subscriptionGroupID: String?
        let subscriptionGroupName: String?
        let subscriptionLevel: Int?
        let isFamilyShareable: Bool
        let supportsMultiSeatPurchase: Bool?
        let hostedContentLengths: [Int64]
    }

    // A product is large, and is passed on often.
    private let shared: Shared<Content>

    /// The product identifier.
    public var id: String { shared.value.id }
    /// The kind of product; `nil` over StoreKit 1, which doesn't report it.
    public var kind: Kind? { shared.value.kind }
    /// The name that customers see.
    public var displayName: String { shared.value.displayName }
    /// The description that customers see.
    public var description: String { shared.value.description }
    /// The price in the storefront's currency. Of a subscription, the price of a period that is paid up front, whatever
    /// the ``billingPlans`` are.
    public var price: Decimal { shared.value.price }
    /// The locale of the price.
    public var priceLocale: Locale { shared.value.priceLocale }
    /// The price as customers read it. StoreKit's own text over StoreKit 2; over StoreKit 1, which has none, the price
    /// in ``priceFormatStyle``.
    public var displayPrice: String { shared.value.displayPrice ?? price.formattedPrice(in: priceLocale) }
    /// The format of prices in the product's currency: StoreKit's own over StoreKit 2. Use it for amounts that you
    /// calculate, and ``displayPrice`` for the price itself, because no format is the same as StoreKit's text
    /// everywhere.
    public var priceFormatStyle: Decimal.FormatStyle.Currency {
        shared.value.priceFormatStyle ?? .currency(code: currency ?? "").locale(priceLocale)
    }
    /// The time after which a subscription renews; `nil` for everything else.
    public var subscriptionPeriod: StoreSubscriptionPeriod? { shared.value.subscriptionPeriod }
    /// The offer for new subscribers.
    public var introductoryOffer: StoreOffer? { shared.value.introductoryOffer }
    /// The offers for present and former subscribers.
    public var promotionalOffers: [StoreOffer] { shared.value.promotionalOffers }
    /// The offers for former subscribers to come back; only over StoreKit 2, in iOS 18, macOS 15, tvOS 18, watchOS 11,
    /// visionOS 2 and later.
    public var winBackOffers: [StoreOffer] { shared.value.winBackOffers }
    /// The billing plans of the subscription that the storefront has, each with its offers.
    ///
    /// Empty for other products, over StoreKit 1, on systems before iOS 26.4, macOS 26.4, tvOS 26.4, watchOS 26.4 and
    /// visionOS 26.4, and in apps built with an SDK before 26.5.
    public var billingPlans: [BillingPlanTerms] { shared.value.billingPlans }
    /// The subscriptions that a bundle includes; empty for other products, and for suites.
    public var bundledSubscriptions: [BundledSubscription] { shared.value.bundledSubscriptions }
    /// The subscription group, in which a customer has one subscription at a time; `nil` for everything else.
    public var subscriptionGroupID: String? { shared.value.subscriptionGroupID }
    /// The name of that group, as customers see it; only over StoreKit 2, in iOS 16.4, macOS 13.3, tvOS 16.4,
    /// watchOS 9.4 and later.
    public var subscriptionGroupName: String? { shared.value.subscriptionGroupName }
    /// The rank in that group: 1 is the best. Available under the same conditions as ``subscriptionGroupName``.
    public var subscriptionLevel: Int? { shared.value.subscriptionLevel }
    /// Whether the purchase is shared with the customer's family.
    public var isFamilyShareable: Bool { shared.value.isFamilyShareable }
    /// Whether the customer can buy seats with ``PurchaseOptions/seats``. `nil` on systems before 27.3, which don't
    /// say. `false` over StoreKit 1, and in apps built with an SDK before 27.3 on later systems.
    public var supportsMultiSeatPurchase: Bool? { shared.value.supportsMultiSeatPurchase }
    /// The sizes of the product's hosted content, in bytes; empty without hosted content.
    public var hostedContentLengths: [Int64] { shared.value.hostedContentLengths }

    package init(
        id: String, kind: Kind? = nil, displayName: String, description: String, price: Decimal, priceLocale: Locale,
        displayPrice: String? = nil, priceFormatStyle: Decimal.FormatStyle.Currency? = nil,
        subscriptionPeriod: StoreSubscriptionPeriod? = nil, introductoryOffer: StoreOffer? = nil,
        promotionalOffers: [StoreOffer] = [], winBackOffers: [StoreOffer] = [], billingPlans: [BillingPlanTerms] = [],
        bundledSubscriptions: [BundledSubscription] = [], subscriptionGroupID: String? = nil,
        subscriptionGroupName: String? = nil, subscriptionLevel: Int? = nil, isFamilyShareable: Bool = false,
        supportsMultiSeatPurchase: Bool? = false, hostedContentLengths: [Int64] = []
    ) {
        shared = Shared(
            Content(
                id: id, kind: kind, displayName: displayName, description: description, price: price,
                priceLocale: priceLocale, displayPrice: displayPrice, priceFormatStyle: priceFormatStyle,
                subscriptionPeriod: subscriptionPeriod, introductoryOffer: introductoryOffer,
                promotionalOffers: promotionalOffers, winBackOffers: winBackOffers, billingPlans: billingPlans,
                bundledSubscriptions: bundledSubscriptions, subscriptionGroupID: subscriptionGroupID,
                subscriptionGroupName: subscriptionGroupName, subscriptionLevel: subscriptionLevel,
                isFamilyShareable: isFamilyShareable, supportsMultiSeatPurchase: supportsMultiSeatPurchase,
                hostedContentLengths: hostedContentLengths))
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }

    /// Returns the terms of a billing plan; `nil` if the storefront, the system or the SDK doesn't have the plan.
    public func terms(of plan: BillingPlan) -> BillingPlanTerms? {
        billingPlans.first { $0.plan == plan }
    }

    /// The ISO 4217 code of the currency, such as `EUR`; `nil` if the locale has none.
    public var currency: String? { priceLocale.storeCurrencyCode }

    /// The subscription period as customers read it in the product's own locale, such as "3 months"; `nil` without a
    /// period.
    public var displaySubscriptionPeriod: String? { subscriptionPeriod?.formatted(in: priceLocale) }
}

extension Locale {
    // `Locale.currency` isn't available on the oldest supported systems.
    var storeCurrencyCode: String? { currencyCode }
}

extension Decimal {
    /// Returns the amount as customers of the locale read it, or as a plain number if the locale has no currency.
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

    /// A storefront that StoreKit doesn't name: the texts are empty.
    public static let unknown = AppStorefront(countryCode: "", id: "")

    package init(countryCode: String, id: String) {
        self.countryCode = countryCode
        self.id = id
    }
}

extension StoreProduct: CustomDebugStringConvertible {
    /// The identifier, the kind and the price, on one line. ``description`` is the text for customers.
    public var debugDescription: String {
        let price = [displayPrice, displaySubscriptionPeriod].compactMap(\.self).joined(separator: " for ")
        return "\(id): " + [kind?.description, price].compactMap(\.self).joined(separator: ", ")
    }
}
