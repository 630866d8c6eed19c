import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// What a test kit adds to a store: errors for impossible worlds, the pause of a restore, signed offers, bounded waits.
@Suite(.bounded) struct SimulatedStoreTests {
    private let appStore = SimulatedAppStore(products: [
        .consumable("coins", price: 1), .nonConsumable("pro", price: 10),
        .autoRenewable(
            "monthly", price: 5, period: .month(1), group: "club", introductoryOffer: .freeTrial(.week(1)),
            promotionalOffers: [.payUpFront(2, for: .months(3), id: "back")],
            winBackOffers: [.payUpFront(1, for: .months(2), id: "again")]),
    ])

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `an impossible catalog fails purchases, products and settling with its reason`(engine: StoreEngine)
        async throws
    {
        let reason = "\"a\" has the price -1, which is below zero."
        let store = PurchaseStore(
            simulating: SimulatedAppStore(products: [.consumable("a", price: -1)]), engine: engine)
        await #expect(throws: SimulatorError.self) { try await store.settled() }
        await #expect(throws: SimulatorError.self) { try await store.advance(by: 1) }
        for call: @Sendable () async throws -> Void in [
            { _ = try await store.products(for: ["a"]) }, { _ = try await store.purchase("a") },
        ] {
            do {
                try await call()
                Issue.record("The App Store can't sell the product.")
            } catch let error as StoreError {
                #expect("\(error.message) \(error.underlying.map { "\($0)" } ?? "")".contains(reason))
            }
        }
    }

    @Test func `advancing into the past throws an error, once`() async throws {
        let store = PurchaseStore(simulating: appStore)
        let before = appStore.now
        for advance: @Sendable () async throws -> Void in [
            { try await store.advance(by: -3_600) }, { try await store.advance(by: .nan) },
            { try await store.advance(by: .days(-1)) },
            { [appStore] in
                appStore.advance(by: -1)
                try await store.settled()
            },
        ] {
            await #expect(throws: SimulatorError.self) { try await advance() }
            try await store.settled()
            expectEqual(appStore.now, before)
        }
        try await store.advance(by: .days(0))
        try await store.advance(by: 0)
        expectEqual(appStore.now, before)
    }

    @Test func `a restore within the lag of the lists waits for them, as on a device`() async throws {
        appStore.behavior = .demanding
        let store = PurchaseStore(simulating: appStore)
        let before = appStore.now
        expectEqual(try await store.restore().purchases.count, 0)
        expectEqual(appStore.now, before, "nothing appears, so no time passes")
        _ = try await store.purchase("pro") { _ in }
        expectEqual(try await store.restore().purchases.map(\.productID), ["pro"])
        expectEqual(appStore.now, before.addingTimeInterval(1))
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `a signed promotional offer is one call, and the App Store still checks the offer`(
        engine: StoreEngine
    ) async throws {
        let store = PurchaseStore(simulating: appStore, engine: engine)
        _ = try await store.purchase("monthly") { _ in }
        try await store.advance(by: .weeks(1))
        try appStore.expireSubscription(productID: "monthly")
        await #expect(throws: StoreError.self) {
            _ = try await store.purchase("monthly", options: [.offer(.simulatedPromotional("nothing"))]) { _ in }
        }
        _ = try await store.purchase("monthly", options: [.offer(.simulatedPromotional("back"))]) { _ in }
        expectEqual(appStore.allTransactions().last?.price, 2)
        expectEqual(appStore.allTransactions().last?.offer?.terms.id, "back")
    }

    @Test(arguments: [true, false]) func `the server's decision about the introductory offer is one call`(
        isEligible: Bool
    ) async throws {
        let store = PurchaseStore(simulating: appStore)
        _ = try await store.purchase(
            "monthly", options: [.simulatedIntroductoryOfferEligibility(isEligible)]
        ) { _ in }
        expectEqual(appStore.allTransactions().last?.price, isEligible ? 0 : 5)
        try appStore.expireSubscription(productID: "monthly")
        // The simulator accepts this even for a customer who has used the offer.
        _ = try await store.purchase(
            "monthly", options: [.simulatedIntroductoryOfferEligibility(true)]
        ) { _ in }
        expectEqual(appStore.allTransactions().last?.price, 0)
    }

    @Test func `a listener says which element hasn't arrived, and also listens to entitlements`() async throws {
        let store = PurchaseStore(simulating: appStore)
        let failures = StreamListener(store.purchaseFailures)
        let entitlements = StreamListener(store.entitlements)
        try appStore.buyProduct(productID: "pro")
        while try #require(await entitlements.next()).contains("pro") == false {}
        do {
            _ = try await failures.next(within: 1)
            Issue.record("No purchase has failed.")
        } catch let error as WaitExpired {
            expectEqual(
                error.description,
                "waited 1 s for the next PurchaseFailure of a stream; the state is that no element has arrived")
        }
    }
}
