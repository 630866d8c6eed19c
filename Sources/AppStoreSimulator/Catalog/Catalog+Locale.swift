package import Foundation

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
