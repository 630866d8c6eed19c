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
        let launch = store.launch(observer)
        launch.buy(bought)
        return (store, launch, observer)
    }

    /// Launches the app with an observer.
    @discardableResult
    func launch(_ observer: RecordingObserver) -> SimulatedLaunch {
        let launch = launch()
        launch.add(observer)
        return launch
    }

    /// Launches the app, and returns its observer, which has received everything that is due.
    func relaunched(_ observer: RecordingObserver = RecordingObserver()) -> RecordingObserver {
        launch(observer).buy()
        return observer
    }

    /// Advances the clock, and delivers all events.
    func pass(_ seconds: TimeInterval) {
        advance(by: seconds)
        runUntilIdle()
    }

    /// Buys and finishes products one after another in a separate launch.
    func own(_ products: String...) { own(products) }

    private func own(_ products: [String]) {
        let observer = RecordingObserver.finishing()
        launch(observer).buy(products)
        withExtendedLifetime(observer) {}
    }
}

extension SimulatedLaunch {
    /// Adds a payment for each product.
    func pay(for products: String...) { pay(for: products) }

    private func pay(for products: [String]) {
        for product in products { add(SimulatedPayment(productID: product)) }
    }

    /// Adds a payment for each product, and delivers all events.
    func buy(_ products: String...) { buy(products) }

    fileprivate func buy(_ products: [String]) {
        pay(for: products)
        store.runUntilIdle()
    }

    /// Restores purchases, and delivers all events.
    func restore() {
        restoreCompletedTransactions()
        store.runUntilIdle()
    }
}
