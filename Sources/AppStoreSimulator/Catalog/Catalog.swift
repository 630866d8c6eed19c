package import Foundation

/// What the simulated App Store has for sale, and where.
///
/// A catalog is a value: changing a copy changes nothing that a store already sells.
public struct Catalog: Sendable, Hashable {
    /// Everything for sale, in the order in which it was declared.
    public var products: [SimulatedProduct]
    /// The storefront of the account.
    public var storefront: SimulatedStorefront
    /// The locale in which prices and texts are given, such as `en_US`; with a currency that is not the region's own,
    /// `en_US@currency=EUR`.
    public var localeIdentifier: String
    /// The switches that the catalog's file asks for. They count once they are given to ``SimulatedAppStore/apply(_:)``.
    public var settings: SimulatorSettings

    /// Makes a catalog from code.
    public init(
        products: [SimulatedProduct] = [], storefront: SimulatedStorefront = .unitedStates, localeIdentifier: String = "en_US",
        settings: SimulatorSettings = SimulatorSettings()
    ) {
        self.products = products
        self.storefront = storefront
        self.localeIdentifier = localeIdentifier
        self.settings = settings
    }

    /// The product with this identifier, the first one if the catalog declares it twice.
    public subscript(productIdentifier: String) -> SimulatedProduct? {
        products.first { $0.productIdentifier == productIdentifier }
    }
}

extension Catalog {
    /// The locale by which prices are formatted: the texts' locale, with the currency of its own region, or of the storefront when it
    /// names no region.
    package static func priceLocale(localeIdentifier: String, storefront: SimulatedStorefront?) -> Locale {
        let locale = Locale(identifier: localeIdentifier)
        guard let currency = locale.currencyCode ?? storefront?.currencyCode else { return locale }
        let plain = localeIdentifier.split(separator: "@").first.map(String.init) ?? localeIdentifier
        return Locale(identifier: "\(plain)@currency=\(currency)")
    }
}
