import AppStoreSimulator
import Foundation

extension SimulatedProduct {
    static let coins = SimulatedProduct(
        productID: "coins", kind: .consumable, price: 2,
        localizations: [
            Localization(localeIdentifier: "en_US", displayName: "Coins", description: "A hundred of them"),
            Localization(localeIdentifier: "de", displayName: "Münzen", description: "Hundert Stück"),
        ])

    static let pro = SimulatedProduct(productID: "pro", kind: .nonConsumable, price: 10, isFamilyShareable: true)

    static let map = SimulatedProduct(
        productID: "map", kind: .nonConsumable, price: 5,
        hostedContent: [SimulatedHostedContent(contentID: "map", contentVersion: "1.2", contentLength: 1000)])

    static let yearly = SimulatedProduct(
        productID: "yearly", kind: .autoRenewableSubscription, price: 40,
        subscription: SimulatedSubscription(
            groupID: "group", period: .init(1, .year),
            introductoryOffer: .init(paymentMode: .freeTrial, price: 0, period: .init(2, .week)),
            promotionalOffers: [
                .init(id: "half", paymentMode: .payAsYouGo, price: 20, period: .init(1, .month), numberOfPeriods: 3)
            ]))
}

extension SimulatedCatalog {
    static let samples = SimulatedCatalog(products: [.coins, .pro, .map, .yearly])
}
