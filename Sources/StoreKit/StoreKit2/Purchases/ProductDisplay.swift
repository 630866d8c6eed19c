import AppStoreSimulator
import Foundation

/// The language and the storefront for displaying a product.
struct ProductDisplay: Hashable, Sendable {
    let localeIdentifier: String
    let storefront: SimulatedStorefront

    init(of launch: SimulatedLaunch) {
        localeIdentifier = launch.store.localeIdentifier
        storefront = launch.store.storefront
    }

    /// The style of prices.
    var priceStyle: Decimal.FormatStyle.Currency {
        let locale = SimulatedCatalog.priceLocale(localeIdentifier: localeIdentifier, storefront: storefront)
        return Decimal.FormatStyle.Currency(
            code: locale.currency?.identifier ?? storefront.currencyCode ?? "", locale: locale)
    }

    /// Returns a price, formatted for the storefront.
    func text(of price: Decimal) -> String {
        priceStyle.format(price)
    }
}
