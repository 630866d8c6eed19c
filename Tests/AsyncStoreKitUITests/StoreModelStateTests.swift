import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct StoreModelStateTests {
    private let appStore = SimulatedAppStore(products: [.nonConsumable("pro", price: 10), .consumable("coins", price: 1)])
    private static let error = StoreError(.networkError, "There is no network.")
    private static let offline = Result<[StoreProduct], StoreError>.failure(error)

    private func products() async throws -> [StoreProduct] {
        Array(try await PurchaseStore(backend: SimulatedBackend(appStore)).products(for: ["pro", "coins"]))
    }

    private func name(_ progress: PurchaseProgress) -> String {
        switch progress {
        case .idle: "idle"
        case .purchasing: "buying"
        case .pending: "pending"
        case .awaitingDelivery: "awaitingDelivery"
        case .failed: "failed"
        }
    }

    private func isIdle(_ progress: PurchaseProgress) -> Bool { name(progress) == "idle" }

    @Test func `products are asked for once, and again when others are wished for`() async throws {
        var state = StoreModelState()
        let answer1 = state.wish(for: [])
        expectEqual(answer1, .notNeeded)
        let answer2 = state.wish(for: ["pro", "coins"])
        expectEqual(answer2, .needed(1))
        let answer3 = state.wish(for: ["pro", "coins"])
        expectEqual(answer3, .notNeeded, "they are on their way")
        state.loaded(1, .success(try await products()))
        let answer4 = state.wish(for: ["pro", "coins"])
        expectEqual(answer4, .notNeeded)
        expectEqual(state.product("coins")?.displayPrice, "$1.00")
        expectEqual(state.product("none"), nil)
        let answer5 = state.wish(for: ["pro"])
        expectEqual(answer5, .needed(2))
    }

    @Test func `an answer to an older wish is not taken`() async throws {
        var state = StoreModelState()
        let answer6 = state.wish(for: ["coins"])
        expectEqual(answer6, .needed(1))
        let answer7 = state.wish(for: ["pro"])
        expectEqual(answer7, .needed(2))
        state.loaded(1, .success(try await products()))
        #expect(state.products.isEmpty)
        state.loaded(2, .success(Array(try await products().prefix(1))))
        expectEqual(state.products.map(\.id), ["pro"])
        state.loaded(1, Self.offline)
        expectEqual(state.productsError, nil)
    }

    @Test func `what could not be loaded is wished for again, and what was there stays`() async throws {
        var state = StoreModelState()
        let answer8 = state.wishAgain(evenIfLoaded: true).load
        expectEqual(answer8, .notNeeded, "nothing has been wished for")
        _ = state.wish(for: ["pro", "coins"])
        let answer9 = state.wishAgain(evenIfLoaded: false).load
        expectEqual(answer9, .notNeeded, "it is on its way")
        state.loaded(1, Self.offline)
        expectEqual(state.productsError?.code, .networkError)
        let again = state.wishAgain(evenIfLoaded: false)
        expectEqual(again.productIDs, ["pro", "coins"])
        expectEqual(again.load, .needed(2))
        state.loaded(2, .success(try await products()))
        expectEqual(state.productsError, nil)
        let answer10 = state.wishAgain(evenIfLoaded: false).load
        expectEqual(answer10, .notNeeded)
        let answer11 = state.wishAgain(evenIfLoaded: true).load
        expectEqual(answer11, .needed(3), "prices change with the storefront")
        state.loaded(3, Self.offline)
        #expect(state.products.count == 2 && state.productsError != nil)
    }

    @Test func `what is on its way when the storefront changes is asked for anew, and its answer is not taken`() async throws {
        var state = StoreModelState()
        _ = state.wish(for: ["pro", "coins"])
        let again = state.wishAgain(evenIfLoaded: true)
        expectEqual(again.productIDs, ["pro", "coins"])
        expectEqual(again.load, .needed(2))
        state.loaded(1, .success(try await products()))
        #expect(state.products.isEmpty, "these are the prices of the storefront before")
        state.loaded(2, .success(try await products()))
        expectEqual(state.products.count, 2)
    }

    @Test func `a product is being bought as long as one of its calls runs`() {
        var state = StoreModelState()
        state.beginPurchase(of: "coins")
        state.beginPurchase(of: "coins")
        state.endPurchase(of: "coins", .success(.userCancelled))
        expectEqual(name(state.progress(of: "coins")), "buying", "one call still runs")
        #expect(isIdle(state.progress(of: "pro")))
        state.endPurchase(of: "coins", .failure(Self.error))
        #expect(isIdle(state.progress(of: "coins")), "a failure is its caller's")
        state.endPurchase(of: "coins", .success(.userCancelled))
        #expect(isIdle(state.progress(of: "coins")), "an end too many")
    }

    @Test func `a purchase waits for approval until the store no longer lists it`() async throws {
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        appStore.behavior.askToBuyEnabled = true
        var state = StoreModelState()
        state.beginPurchase(of: "coins")
        state.endPurchase(of: "coins", .success(try await store.purchase("coins") { _ in }))
        expectEqual(name(state.progress(of: "coins")), "pending", "it waits")
        state.pendingChanged(to: ["coins", "pro"])
        expectEqual(name(state.progress(of: "pro")), "pending", "since an earlier launch")
        state.pendingChanged(to: [])
        #expect(isIdle(state.progress(of: "coins")))
    }

    @Test func `what is paid for waits for its delivery`() {
        var state = StoreModelState()
        state.beginPurchase(of: "coins")
        state.endPurchase(of: "coins", .failure(StoreError(.deliveryPending, "It will be tried again.")))
        expectEqual(name(state.progress(of: "coins")), "awaitingDelivery", "it waits")
        state.delivered("coins")
        #expect(isIdle(state.progress(of: "coins")))
    }

    @Test func `a second restore begins nothing`() {
        var state = StoreModelState()
        let isFirst = state.beginRestore()
        #expect(isFirst && state.isRestoring)
        let isSecond = state.beginRestore()
        #expect(!isSecond)
        state.endRestore()
        #expect(!state.isRestoring)
        let isThird = state.beginRestore()
        #expect(isThird)
    }

    @Test func `nobody sees a paywall while nothing is known`() async throws {
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        expectEqual(EntitledPhase(.unknown, anyOf: ["pro"]), .placeholder)
        expectEqual(EntitledPhase(await store.entitlements.refresh(), anyOf: ["pro"]), .placeholder)
        var empty = StoreEntitlements.unknown
        while empty.basis == .unknown {
            appStore.advance(by: 1)
            empty = await store.entitlements.current
        }
        expectEqual(EntitledPhase(empty, anyOf: ["pro"]), .locked)
        try await store.purchase("pro") { _ in }
        let owned = await store.entitlements.refresh()
        expectEqual(EntitledPhase(owned, anyOf: ["pro", "club"]), .content)
        expectEqual(EntitledPhase(owned, anyOf: []), .locked)
        expectEqual(EntitledPhase(owned, anyOf: ["club"]), .locked)
    }
}
