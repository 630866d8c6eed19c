import Foundation
import StoreKit

extension StoreProduct {
    init(_ product: Product) {
        let subscription = product.subscription
        self.init(
            id: product.id, displayName: product.displayName, description: product.description, price: product.price,
            priceLocale: product.priceFormatStyle.locale,
            subscriptionPeriod: (subscription?.subscriptionPeriod).map(StoreSubscriptionPeriod.init),
            introductoryOffer: (subscription?.introductoryOffer).map { StoreOffer($0, kind: .introductory) },
            promotionalOffers: (subscription?.promotionalOffers ?? []).map { StoreOffer($0, kind: .promotional) },
            subscriptionGroupID: subscription?.subscriptionGroupID, isFamilyShareable: product.isFamilyShareable)
    }
}

extension StoreSubscriptionPeriod {
    fileprivate init(_ period: Product.SubscriptionPeriod) {
        let unit: Unit =
            switch period.unit {
            case .day: .day
            case .week: .week
            case .month: .month
            case .year: .year
            @unknown default: .day
            }
        self.init(value: period.value, unit: unit)
    }
}

extension StoreOffer {
    fileprivate init(_ offer: Product.SubscriptionOffer, kind: Kind) {
        let mode: PaymentMode =
            switch offer.paymentMode {
            case .freeTrial: .freeTrial
            case .payUpFront: .payUpFront
            default: .payAsYouGo
            }
        self.init(
            id: offer.id, kind: kind, price: offer.price, displayPrice: offer.displayPrice, paymentMode: mode,
            period: StoreSubscriptionPeriod(offer.period), periodCount: offer.periodCount)
    }
}

extension AppStorefront {
    init(_ storefront: Storefront) {
        self.init(countryCode: storefront.countryCode, id: storefront.id)
    }
}
