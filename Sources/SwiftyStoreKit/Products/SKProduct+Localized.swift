import AsyncStoreKit
import Foundation
public import StoreKit

extension SKProduct {
    /// The price as customers read it, in the currency and manner of the product's `priceLocale`.
    public var localizedPrice: String? { price.legacyPrice(in: presentPriceLocale) }

    /// The time after which a subscription renews, in short ("3 mths"); empty for every other product.
    public var localizedSubscriptionPeriod: String { subscriptionPeriod?.shortText ?? "" }
}

extension SKProductDiscount {
    /// The price as customers read it, in the currency and manner of the offer's `priceLocale`.
    public var localizedPrice: String? { price.legacyPrice(in: presentPriceLocale) }

    /// The length of one period of the offer, in full words ("3 months").
    public var localizedSubscriptionPeriod: String { subscriptionPeriod.fullText }
}

extension NSDecimalNumber {
    fileprivate func legacyPrice(in locale: Locale) -> String? {
        let currency = NumberFormatter()
        (currency.numberStyle, currency.locale) = (.currency, locale)
        return currency.string(from: self)
    }
}
