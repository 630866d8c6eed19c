package import Foundation

/// What the simulated App Store has for sale, and where.
///
/// A catalog is a value: changing a copy changes nothing that a store already sells.
public struct SimulatedCatalog: Sendable, Hashable {
    /// Everything for sale, in the order in which it was declared.
    public var products: [SimulatedProduct]
    /// The storefront of the account.
    public var storefront: SimulatedStorefront
    /// The locale of prices and texts, such as `en_US`; with a currency that is not the region's own,
    /// `en_US@currency=EUR`.
    public var localeIdentifier: String
    /// How an App Store behaves that sells this, at first.
    public var behavior: SimulatorBehavior

    /// Makes a catalog from code.
    public init(
        products: [SimulatedProduct] = [], storefront: SimulatedStorefront = .unitedStates, localeIdentifier: String = "en_US",
        behavior: SimulatorBehavior = SimulatorBehavior()
    ) {
        self.products = products
        self.storefront = storefront
        self.localeIdentifier = localeIdentifier
        self.behavior = behavior
    }

    /// The product with this identifier, the first one if the catalog declares it twice.
    public subscript(productID: String) -> SimulatedProduct? {
        products.first { $0.productID == productID }
    }
}

extension SimulatedCatalog {
    /// The locale by which prices are formatted: the texts' locale, with the currency of its own region, or of the storefront when it
    /// names no region.
    package static func priceLocale(localeIdentifier: String, storefront: SimulatedStorefront?) -> Locale {
        let locale = Locale(identifier: localeIdentifier)
        guard let currency = locale.currencyCode ?? storefront?.currencyCode else { return locale }
        let plain = localeIdentifier.split(separator: "@").first.map(String.init) ?? localeIdentifier
        return Locale(identifier: "\(plain)@currency=\(currency)")
    }
}
