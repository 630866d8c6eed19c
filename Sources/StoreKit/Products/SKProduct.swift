package import AppStoreSimulator
public import Foundation

/// A product of the App Store, with its texts and price.
@available(iOS, deprecated: 18.0)
// @unchecked because: the contents never change, but a subclass could add properties that do.
open class SKProduct: NSObject, @unchecked Sendable {
    /// The unit of a subscription period.
    @available(iOS, deprecated: 18.0)
    public enum PeriodUnit: UInt, Sendable {
        /// A day.
        case day = 0
        /// A week.
        case week = 1
        /// A month.
        case month = 2
        /// A year.
        case year = 3
    }

    private struct Contents {
        var product = SimulatedProduct(productID: "", kind: .consumable, price: 0)
        var localization: SimulatedProduct.Localization?
        var priceLocale = Locale(identifier: "")
        var introductoryPrice: SKProductDiscount?
        var discounts: [SKProductDiscount] = []
        var subscriptionPeriod: SKProductSubscriptionPeriod?
    }

    private let contents: Contents

    /// Creates a product without an identifier.
    public override init() {
        contents = Contents()
    }

    /// Creates the object for a catalog product in a locale and a storefront.
    package init(_ product: SimulatedProduct, localeIdentifier: String, storefront: SimulatedStorefront?) {
        let priceLocale = SimulatedCatalog.priceLocale(localeIdentifier: localeIdentifier, storefront: storefront)
        contents = Contents(
            product: product,
            localization: product.localization(for: localeIdentifier),
            priceLocale: priceLocale,
            introductoryPrice: product.subscription?.introductoryOffer.map {
                SKProductDiscount($0, type: .introductory, priceLocale: priceLocale)
            },
            discounts: product.subscription?.promotionalOffers.map {
                SKProductDiscount($0, type: .subscription, priceLocale: priceLocale)
            } ?? [],
            subscriptionPeriod: product.subscription.map { SKProductSubscriptionPeriod($0.period) })
    }

    /// The description in the locale of the storefront.
    open var localizedDescription: String {
        contents.localization?.description ?? ""
    }

    /// The name in the locale of the storefront.
    open var localizedTitle: String {
        contents.localization?.displayName ?? ""
    }

    /// The price, in the currency of ``priceLocale``.
    open var price: NSDecimalNumber {
        NSDecimalNumber(decimal: contents.product.price)
    }

    /// The locale for formatting the price.
    open var priceLocale: Locale {
        contents.priceLocale
    }

    /// The identifier of the product.
    open var productIdentifier: String {
        contents.product.productID
    }

    /// Whether the App Store hosts content for the product.
    @available(iOS, deprecated: 16.0)
    open var isDownloadable: Bool {
        !contents.product.hostedContent.isEmpty
    }

    /// Whether the customer can share the purchase with their family.
    open var isFamilyShareable: Bool {
        contents.product.isFamilyShareable
    }

    /// The sizes of the hosted content in bytes.
    @available(iOS, deprecated: 16.0)
    open var downloadContentLengths: [NSNumber] {
        contents.product.hostedContent.map { NSNumber(value: $0.contentLength) }
    }

    /// The version of the hosted content, or an empty string without hosted content.
    open var contentVersion: String {
        contents.product.hostedContent.first?.contentVersion ?? ""
    }

    /// The version of the hosted content, or an empty string without hosted content.
    @available(iOS, deprecated: 16.0)
    open var downloadContentVersion: String {
        contents.product.hostedContent.first?.contentVersion ?? ""
    }

    /// The time after which a subscription renews; `nil` for other products.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? {
        contents.subscriptionPeriod
    }

    /// The offer for new subscribers, if any.
    open var introductoryPrice: SKProductDiscount? {
        contents.introductoryPrice
    }

    /// The identifier of the subscription's group; `nil` for other products.
    open var subscriptionGroupIdentifier: String? {
        contents.product.subscription?.groupID
    }

    /// The promotional offers of a subscription.
    open var discounts: [SKProductDiscount] {
        contents.discounts
    }
}
