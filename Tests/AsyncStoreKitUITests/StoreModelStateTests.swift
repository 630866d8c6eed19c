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
    private static let offline = Result<[StoreProduct], StoreError>.failure(error)

    private func products() async throws -> [StoreProduct] {
        Array(try await PurchaseStore(backend: SimulatedBackend(appStore)).products(for: ["pro", "coins"]))
    }

    private func isIdle(_ progress: PurchaseProgress) -> Bool { progress == .idle }

    @Test func `products are requested once, and again if a view needs others`() async throws {
        var state = StoreModelState()
        let answer1 = state.request([])
        expectEqual(answer1, .notNeeded)
        let answer2 = state.request(["pro", "coins"])
        expectEqual(answer2, .needed(1))
        let answer3 = state.request(["pro", "coins"])
        expectEqual(answer3, .notNeeded, "the request is running")
        state.loaded(1, .success(try await products()))
        let answer4 = state.request(["pro", "coins"])
        expectEqual(answer4, .notNeeded)
        expectEqual(state.product("coins")?.displayPrice, "$1.00")
        expectEqual(state.product("none"), nil)
        let answer5 = state.request(["pro"])
        expectEqual(answer5, .needed(2))
    }

    @Test func `the result of an older request is ignored`() async throws {
        var state = StoreModelState()
        let answer6 = state.request(["coins"])
        expectEqual(answer6, .needed(1))
        let answer7 = state.request(["pro"])
        expectEqual(answer7, .needed(2))
        state.loaded(1, .success(try await products()))
        #expect(state.products.isEmpty)
        state.loaded(2, .success(Array(try await products().prefix(1))))
        expectEqual(state.products.map(\.id), ["pro"])
        state.loaded(1, Self.offline)
        expectEqual(state.productsError, nil)
    }

    @Test func `products that could not be loaded are requested again, and loaded products stay`() async throws {
        var state = StoreModelState()
        let answer8 = state.requestAgain(evenIfLoaded: true).load
        expectEqual(answer8, .notNeeded, "nothing was requested")
        _ = state.request(["pro", "coins"])
        let answer9 = state.requestAgain(evenIfLoaded: false).load
        expectEqual(answer9, .notNeeded, "the request is running")
        state.loaded(1, Self.offline)
        expectEqual(state.productsError?.code, .networkError)
        let again = state.requestAgain(evenIfLoaded: false)
        expectEqual(again.productIDs, ["pro", "coins"])
        expectEqual(again.load, .needed(2))
        state.loaded(2, .success(try await products()))
        expectEqual(state.productsError, nil)
        let answer10 = state.requestAgain(evenIfLoaded: false).load
        expectEqual(answer10, .notNeeded)
        let answer11 = state.requestAgain(evenIfLoaded: true).load
        expectEqual(answer11, .needed(3), "prices change with the storefront")
        state.loaded(3, Self.offline)
        #expect(state.products.count == 2 && state.productsError != nil)
    }

    @Test func `when the storefront changes, products are requested again and the running request is ignored`()
        async throws
    {
        var state = StoreModelState()
        _ = state.request(["pro", "coins"])
        let again = state.requestAgain(evenIfLoaded: true)
        expectEqual(again.productIDs, ["pro", "coins"])
        expectEqual(again.load, .needed(2))
        state.loaded(1, .success(try await products()))
        #expect(state.products.isEmpty, "these are the prices of the storefront before")
        state.loaded(2, .success(try await products()))
        expectEqual(state.products.count, 2)
    }

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
        state.delivered("coins")
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
