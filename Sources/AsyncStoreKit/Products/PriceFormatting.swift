package import Foundation

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
