import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct StoreModelStateTests {
    private let appStore = SimulatedAppStore(products: [
        .nonConsumable("pro", price: 10), .consumable("coins", price: 1),
    ])
    private static let error = StoreError(.networkError, "There is no network.")

    private func isIdle(_ progress: PurchaseProgress) -> Bool { progress == .idle }

    @Test func `a product is being purchased as long as one of its calls runs`() {
        var state = StoreModelState()
        state.beginPurchase(of: "coins")
        state.beginPurchase(of: "coins")
        state.endPurchase(of: "coins", .success(.userCancelled))
        expectEqual(state.progress(of: "coins"), .purchasing, "one call still runs")
        #expect(isIdle(state.progress(of: "pro")))
        state.endPurchase(of: "coins", .failure(Self.error))
        #expect(isIdle(state.progress(of: "coins")), "a failure is its caller's")
        state.endPurchase(of: "coins", .success(.userCancelled))
        #expect(isIdle(state.progress(of: "coins")), "one end too many")
    }

    @Test func `a paid purchase waits for its delivery`() {
        var state = StoreModelState()
        state.beginPurchase(of: "coins")
        state.endPurchase(of: "coins", .failure(StoreError(.deliveryPending, "The delivery is tried again.")))
        expectEqual(state.progress(of: "coins"), .awaitingDelivery, "it waits")
        state.deliveryEnded((productID: "coins", isDelivered: true))
        #expect(isIdle(state.progress(of: "coins")))
    }

    @Test func `a paywall is never shown before the entitlements are known`() async throws {
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        expectEqual(EntitledPhase(.unknown, AccessLevel(products: ["pro"])), .placeholder)
        expectEqual(EntitledPhase(await store.entitlements.refresh(), AccessLevel(products: ["pro"])), .placeholder)
        var empty = StoreEntitlements.unknown
        while empty.basis == .unknown {
            appStore.advance(by: 1)
            empty = await store.entitlements.current
        }
        expectEqual(EntitledPhase(empty, AccessLevel(products: ["pro"])), .locked)
        try await store.purchase("pro") { _ in }
        let owned = await store.entitlements.refresh()
        expectEqual(EntitledPhase(owned, AccessLevel(products: ["pro", "club"])), .content)
        expectEqual(EntitledPhase(owned, AccessLevel(products: [])), .locked)
        expectEqual(EntitledPhase(owned, AccessLevel(products: ["club"])), .locked)
    }

    @Test func `a paywall stays until the level is there, or until the customer closes one that can be closed`() {
        var paywall = PaywallPresentation()
        expectEqual([.placeholder, .locked, .content].map(paywall.isPresented), [false, true, false])
        paywall.dismissed(isDismissible: false)
        #expect(paywall.isPresented(.locked))
        paywall.dismissed(isDismissible: true)
        #expect(!paywall.isPresented(.locked))
        paywall.phaseChanged(.locked)
        #expect(!paywall.isPresented(.locked), "closed once")
        paywall.phaseChanged(.content)
        #expect(paywall.isPresented(.locked), "access has ended since")
        paywall.disappeared(.locked)
        paywall.dismissed(isDismissible: true)
        paywall.appeared()
        #expect(!paywall.isPresented(.locked), "the view was below the paywall")
        paywall.disappeared(.locked)
        #expect(!paywall.isPresented(.locked))
        paywall.appeared()
        #expect(paywall.isPresented(.locked), "the customer has come back to the view")
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `a subscription group gives access through any of its products, over both engines`(engine: StoreEngine)
        async throws
    {
        let fixture = await PaywallFixture(engine: engine)
        let products = Array(try await fixture.store.products(for: ["club.monthly", "news.weekly"]))
        expectEqual(EntitledPhase(.unknown, AccessLevel(groups: ["club"]), products: products), .placeholder)
        try await fixture.store.purchase("club.monthly") { _ in }
        let entitlements = await fixture.store.entitlements.refresh()
        expectEqual(EntitledPhase(entitlements, AccessLevel(groups: ["club"]), products: products), .content)
        expectEqual(EntitledPhase(entitlements, AccessLevel(groups: ["news"]), products: products), .locked)
        // A receipt names no groups. The store knows them from the loaded products.
        expectEqual(EntitledPhase(entitlements, AccessLevel(groups: ["club"]), products: []), .content)
        expectEqual(EntitledPhase(entitlements, AccessLevel(groups: ["news"]), products: []), .locked)
    }
}
