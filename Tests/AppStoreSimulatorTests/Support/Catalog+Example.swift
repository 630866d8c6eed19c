import AppStoreSimulator
import Foundation

extension Catalog {
    /// Something of everything.
    static let example = Catalog(products: [
        SimulatedProduct(productIdentifier: "coins", kind: .consumable, price: 1),
        SimulatedProduct(productIdentifier: "gems", kind: .consumable, price: 2),
        SimulatedProduct(productIdentifier: "pro", kind: .nonConsumable, price: 10, isFamilyShareable: true),
        SimulatedProduct(productIdentifier: "themes", kind: .nonConsumable, price: 5),
        SimulatedProduct(productIdentifier: "season", kind: .nonRenewingSubscription, price: 5),
        SimulatedProduct(
            productIdentifier: "monthly", kind: .autoRenewableSubscription, price: 3,
            subscription: SimulatedSubscription(groupIdentifier: "club", groupLevel: 2, period: .init(1, .month))),
        SimulatedProduct(
            productIdentifier: "premium", kind: .autoRenewableSubscription, price: 6,
            subscription: SimulatedSubscription(groupIdentifier: "club", groupLevel: 1, period: .init(1, .month))),
        SimulatedProduct(
            productIdentifier: "trial", kind: .autoRenewableSubscription, price: 3,
            subscription: SimulatedSubscription(
                groupIdentifier: "magazine", period: .init(1, .month),
                introductoryOffer: .init(paymentMode: .freeTrial, price: 0, period: .init(1, .week)),
                promotionalOffers: [
                    .init(identifier: "back", paymentMode: .payAsYouGo, price: 1, period: .init(1, .month), numberOfPeriods: 2)
                ])),
        SimulatedProduct(
            productIdentifier: "level", kind: .nonConsumable, price: 2,
            hostedContent: [SimulatedHostedContent(contentIdentifier: "level.pack", contentLength: 10_000_000)]),
    ])
}

extension SimulatedAppStore {
    /// A store over the example, whose events come only when they are asked for.
    static func stepped(seed: UInt64 = 1, _ change: (inout SimulatorBehavior) -> Void = { _ in }) -> SimulatedAppStore {
        let store = SimulatedAppStore(catalog: .example, seed: seed, pacing: .manual)
        var behavior = SimulatorBehavior()
        change(&behavior)
        store.behavior = behavior
        return store
    }

    /// Buys and finishes products, one after the other, in a launch of their own.
    func own(_ products: String...) {
        let launch = launch()
        let observer = RecordingObserver.finishing()
        launch.add(observer)
        for product in products {
            launch.add(SimulatedPayment(productIdentifier: product))
        }
        runUntilIdle()
        withExtendedLifetime(observer) {}
    }
}
