package import Foundation

/// The products, storefront and locale of a simulated App Store.
///
/// A catalog is a value: changing a copy doesn't affect a store that uses the catalog.
public struct SimulatedCatalog: Sendable, Hashable {
    /// The products for sale, in the order of their declaration.
    public var products: [SimulatedProduct]
    /// The storefront of the account.
    public var storefront: SimulatedStorefront
    /// The locale of prices and texts, such as `en_US`, or `en_US@currency=EUR` for a currency of another region.
    public var localeIdentifier: String
    /// The initial behavior of an App Store with this catalog.
    public var behavior: SimulatorBehavior
    /// The products and offers of a StoreKit configuration file that the catalog lacks because they can't be read, with
    /// their key paths and the reasons.
    public internal(set) var warnings: [SimulatedCatalogError] = []

    /// Creates a catalog.
    public init(
        products: [SimulatedProduct] = [], storefront: SimulatedStorefront = .unitedStates,
        localeIdentifier: String = "en_US",
        behavior: SimulatorBehavior = SimulatorBehavior()
    ) {
        self.products = products
        self.storefront = storefront
        self.localeIdentifier = localeIdentifier
        self.behavior = behavior
    }

    /// Returns the product with an identifier, or the first one if the catalog contains it twice.
    public subscript(productID: String) -> SimulatedProduct? {
        products.first { $0.productID == productID }
    }
}

extension SimulatedCatalog {
    /// Returns the locale for formatting prices: the locale of the texts, with the currency of its region, or of the
    /// storefront for a locale without a region.
    package static func priceLocale(localeIdentifier: String, storefront: SimulatedStorefront?) -> Locale {
        let locale = Locale(identifier: localeIdentifier)
        guard let currency = locale.currencyCode ?? storefront?.currencyCode else { return locale }
        let plain = localeIdentifier.split(separator: "@").first.map(String.init) ?? localeIdentifier
        return Locale(identifier: "\(plain)@currency=\(currency)")
    }
}
