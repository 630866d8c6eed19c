import AppStoreSimulator
import Foundation

/// How a product is shown: in which language, and at which currency.
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
        return Decimal.FormatStyle.Currency(code: locale.currency?.identifier ?? storefront.currencyCode ?? "", locale: locale)
    }

    /// A price in the words of the storefront.
    func text(of price: Decimal) -> String {
        priceStyle.format(price)
    }
}
