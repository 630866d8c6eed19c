import AppReceipt
import Foundation
import StoreKit

extension StoreProduct {
    init(_ product: Product) {
        let subscription = product.subscription
        self.init(
            id: product.id, kind: Kind(product.type), displayName: product.displayName,
            description: product.description,
            price: product.price,
            priceLocale: product.priceFormatStyle.locale, displayPrice: product.displayPrice,
            priceFormatStyle: product.priceFormatStyle,
            subscriptionPeriod: (subscription?.subscriptionPeriod).map(StoreSubscriptionPeriod.init),
            introductoryOffer: (subscription?.introductoryOffer).map { StoreOffer($0, kind: .introductory) },
            promotionalOffers: (subscription?.promotionalOffers ?? []).map { StoreOffer($0, kind: .promotional) },
            winBackOffers: subscription?.winBack ?? [], billingPlans: subscription?.billingPlans ?? [],
            bundledSubscriptions: subscription?.bundleMembers ?? [],
            subscriptionGroupID: subscription?.subscriptionGroupID,
            subscriptionGroupName: subscription?.group?.name, subscriptionLevel: subscription?.group?.level,
            isFamilyShareable: product.isFamilyShareable, supportsMultiSeatPurchase: product.hasSeats)
    }
}

extension ProductKind {
    fileprivate init(_ type: Product.ProductType) {
        switch type {
        case .consumable: self = .consumable
        case .nonConsumable: self = .nonConsumable
        case .nonRenewable: self = .nonRenewable
        case .autoRenewable: self = .autoRenewable
        default: self = Self.later(type) ?? Self(rawValue: type.rawValue)
        }
    }
}

extension Product.SubscriptionInfo {
    fileprivate var winBack: [StoreOffer] {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return [] }
        return winBackOffers.map { StoreOffer($0, kind: .winBack) }
    }

    fileprivate var group: (name: String, level: Int)? {
        guard #available(iOS 16.4, macOS 13.3, tvOS 16.4, watchOS 9.4, *) else { return nil }
        return (groupDisplayName, groupLevel)
    }
}

extension StoreSubscriptionPeriod {
    init(_ period: Product.SubscriptionPeriod) {
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
    init(_ offer: Product.SubscriptionOffer, kind: Kind) {
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
