import AppStoreSimulator
import Foundation

extension SimulatedCatalog {
    /// A catalog with every kind of product.
    static let example = SimulatedCatalog(products: [
        SimulatedProduct(productID: "coins", kind: .consumable, price: 1),
        SimulatedProduct(productID: "gems", kind: .consumable, price: 2),
        SimulatedProduct(productID: "pro", kind: .nonConsumable, price: 10, isFamilyShareable: true),
        SimulatedProduct(productID: "themes", kind: .nonConsumable, price: 5),
        SimulatedProduct(productID: "season", kind: .nonRenewingSubscription, price: 5),
        SimulatedProduct(
            productID: "monthly", kind: .autoRenewableSubscription, price: 3,
            subscription: SimulatedSubscription(groupID: "club", groupLevel: 2, period: .init(1, .month))),
        SimulatedProduct(
            productID: "premium", kind: .autoRenewableSubscription, price: 6, isFamilyShareable: true,
            subscription: SimulatedSubscription(groupID: "club", groupLevel: 1, period: .init(1, .month))),
        SimulatedProduct(
            productID: "trial", kind: .autoRenewableSubscription, price: 3,
            subscription: SimulatedSubscription(
                groupID: "magazine", period: .init(1, .month),
                introductoryOffer: .init(paymentMode: .freeTrial, price: 0, period: .init(1, .week)),
                promotionalOffers: [
                    .init(id: "back", paymentMode: .payAsYouGo, price: 1, period: .init(1, .month), numberOfPeriods: 2)
                ])),
        SimulatedProduct(
            productID: "level", kind: .nonConsumable, price: 2,
            hostedContent: [SimulatedHostedContent(contentID: "level.pack", contentLength: 10_000_000)]),
    ])
}

extension SimulatedAppStore {
    /// Returns a store with the example and manual pacing.
    static func stepped(seed: UInt64 = 1, _ change: (inout SimulatorBehavior) -> Void = { _ in }) -> SimulatedAppStore {
        let store = SimulatedAppStore(catalog: .example, seed: seed, pacing: .manual)
        var behavior = SimulatorBehavior()
        change(&behavior)
        store.behavior = behavior
        return store
    }

    /// Buys and finishes products one after another in a separate launch.
    func own(_ products: String...) {
        let launch = launch()
        let observer = RecordingObserver.finishing()
        launch.add(observer)
        for product in products {
            launch.add(SimulatedPayment(productID: product))
        }
        runUntilIdle()
        withExtendedLifetime(observer) {}
    }
}
