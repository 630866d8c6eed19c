import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SimulatedProductTests {
    @Test func `products of every kind are created in a line`() {
        let coins = SimulatedProduct.consumable("coins", price: 1)
        expectEqual(coins.kind, .consumable)
        expectEqual(coins.price, 1)
        expectEqual(coins.subscription, nil)
        expectEqual(coins.localization(for: "de_DE")?.displayName, "coins")
        let pro = SimulatedProduct.nonConsumable(
            "pro", price: 5, name: "Pro", description: "Everything", isFamilyShareable: true)
        #expect(pro.kind == .nonConsumable && pro.isFamilyShareable)
        expectEqual(
            pro.localizations, [.init(localeIdentifier: "en_US", displayName: "Pro", description: "Everything")])
        expectEqual(SimulatedProduct.nonRenewingSubscription("season", price: 3).kind, .nonRenewingSubscription)
        let monthly = SimulatedProduct.autoRenewable(
            "monthly", price: 5, period: .month(1), group: "club", level: 2, introductoryOffer: .freeTrial(.week(1)),
            promotionalOffers: [
                .payAsYouGo(2, each: .month(1), times: 3, id: "back"), .payUpFront(10, for: .months(6), id: "half"),
            ])
        expectEqual(monthly.kind, .autoRenewableSubscription)
        expectEqual(
            monthly.subscription,
            SimulatedSubscription(
                groupID: "club", groupLevel: 2, period: SimulatedPeriod(1, .month),
                introductoryOffer: .init(paymentMode: .freeTrial, price: 0, period: .init(1, .week)),
                promotionalOffers: [
                    .init(id: "back", paymentMode: .payAsYouGo, price: 2, period: .init(1, .month), numberOfPeriods: 3),
                    .init(id: "half", paymentMode: .payUpFront, price: 10, period: .init(6, .month)),
                ]))
    }

    @Test(arguments: [(4.99, "4.99"), (0.1, "0.1"), (1_234.5678, "1234.568"), (99_999.95, "99999.95")])
    func `a price written with a fraction is exact`(price: Double, expected: String) {
        expectEqual("\(SimulatedProduct.consumable("a", price: Decimal(price)).price)", expected)
        expectEqual("\(SimulatedSubscription.Offer.payUpFront(Decimal(price), for: .year(1)).price)", expected)
    }

    @Test func `a store is created from products alone`() {
        let store = SimulatedAppStore(products: [.consumable("coins", price: 1)], bundleID: "com.example.coins")
        expectEqual(store.catalog["coins"]?.price, 1)
        expectEqual(store.bundleID, "com.example.coins")
    }
}
