import AsyncStoreKit
import Foundation
public import StoreKit

extension SKProduct {
    /// The price, formatted in the currency and locale of the product's `priceLocale`.
    public var localizedPrice: String? { price.legacyPrice(in: presentPriceLocale) }

    /// The time after which a subscription renews, abbreviated ("3 mths"); empty for other products.
    public var localizedSubscriptionPeriod: String { subscriptionPeriod?.shortText ?? "" }
}

extension SKProductDiscount {
    /// The price, formatted in the currency and locale of the offer's `priceLocale`.
    public var localizedPrice: String? { price.legacyPrice(in: presentPriceLocale) }

    /// The length of one period of the offer, in full ("3 months").
    public var localizedSubscriptionPeriod: String { subscriptionPeriod.fullText }
}

extension NSDecimalNumber {
    fileprivate func legacyPrice(in locale: Locale) -> String? {
        let currency = NumberFormatter()
        (currency.numberStyle, currency.locale) = (.currency, locale)
        return currency.string(from: self)
    }
}
