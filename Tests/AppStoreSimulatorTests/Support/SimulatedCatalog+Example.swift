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

    /// Returns a store with the example, of an account that owns products, and a launch that buys products, with its
    /// observer.
    static func observed(
        _ observer: RecordingObserver = RecordingObserver(), owning owned: [String] = [], buying bought: [String] = [],
        _ change: (inout SimulatorBehavior) -> Void = { _ in }
    ) -> (SimulatedAppStore, SimulatedLaunch, RecordingObserver) {
        let store = stepped(change)
        if !owned.isEmpty { store.own(owned) }
        let launch = store.launch()
        launch.add(observer)
        launch.pay(for: bought)
        store.runUntilIdle()
        return (store, launch, observer)
    }

    /// Buys and finishes products one after another in a separate launch.
    func own(_ products: String...) { own(products) }

    private func own(_ products: [String]) {
        let launch = launch()
        let observer = RecordingObserver.finishing()
        launch.add(observer)
        launch.pay(for: products)
        runUntilIdle()
        withExtendedLifetime(observer) {}
    }
}

extension SimulatedLaunch {
    /// Adds a payment for each product.
    func pay(for products: String...) { pay(for: products) }

    fileprivate func pay(for products: [String]) {
        for product in products { add(SimulatedPayment(productID: product)) }
    }
}
