import Foundation
package import StoreKit

extension StoreProduct {
    /// Creates the value for StoreKit's product.
    init(_ product: SKProduct) {
        let locale = product.presentPriceLocale
        self.init(
            id: product.productIdentifier, displayName: product.localizedTitle,
            description: product.localizedDescription,
            price: product.price as Decimal, priceLocale: locale,
            subscriptionPeriod: product.subscriptionPeriod.map(StoreSubscriptionPeriod.init),
            introductoryOffer: product.introductoryPrice.map { StoreOffer($0, kind: .introductory, locale: locale) },
            promotionalOffers: product.discounts.map { StoreOffer($0, kind: .promotional, locale: locale) },
            subscriptionGroupID: product.subscriptionGroupIdentifier, isFamilyShareable: product.isFamilyShareable,
            hostedContentLengths: product.hostedContentLengths)
    }
}

extension StoreSubscriptionPeriod {
    package init(_ period: SKProductSubscriptionPeriod) {
        let unit: Unit =
            switch period.unit {
            case .day: .day
            case .week: .week
            case .month: .month
            case .year: .year
            @unknown default: .day
            }
        self.init(value: period.numberOfUnits, unit: unit)
    }
}

extension StoreOffer {
    fileprivate init(_ discount: SKProductDiscount, kind: Kind, locale: Locale) {
        let mode: PaymentMode =
            switch discount.paymentMode {
            case .payAsYouGo: .payAsYouGo
            case .payUpFront: .payUpFront
            case .freeTrial: .freeTrial
            @unknown default: .payAsYouGo
            }
        let price = discount.price as Decimal
        self.init(
            id: discount.identifier, kind: kind, price: price, displayPrice: price.formattedPrice(in: locale),
            paymentMode: mode,
            period: StoreSubscriptionPeriod(discount.subscriptionPeriod), periodCount: discount.numberOfPeriods)
    }
}
