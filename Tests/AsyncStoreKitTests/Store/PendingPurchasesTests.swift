import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@Suite(.bounded) struct PendingPurchasesTests {
    private let world = StoreWorld(selling: .shop, engine: .storeKit1)

    /// Requests a purchase that needs an approval.
    private func ask(_ store: PurchaseStore, for productID: String = StoreWorld.pro) async throws -> PendingPurchase {
        world.appStore.behavior.askToBuyEnabled = true
        guard case .pending(let pending) = try await store.purchase(productID) else {
            throw StoreError(.unknown, "The purchase isn't pending.")
        }
        return pending
    }

    @Test func `the list is sent immediately and after every change`() async throws {
        let store = world.launch()
        let lists = StreamListener(store.pendingPurchases)
        #expect(try await world.next(of: lists).isEmpty)
        let pro = try await ask(store)
        expectEqual(Array(try await world.next(of: lists)), [pro])
        let coins = try await ask(store, for: StoreWorld.coins)
        expectEqual(Array(try await world.next(of: lists)), [pro, coins])
        try world.appStore.declinePurchase(of: StoreWorld.pro)
        expectEqual(Array(try await world.next(of: lists)), [coins])
        try world.appStore.approvePurchase(of: StoreWorld.coins)
        #expect(try await world.next(of: lists).isEmpty)
        #expect(try await world.next(of: StreamListener(store.pendingPurchases)).isEmpty)
    }

    @Test func `requests of an earlier launch are listed, and their refusals name them`() async throws {
        _ = try await ask(world.launch())
        let store = world.launch()
        let failures = StreamListener(store.purchaseFailures)
        try await world.settle(store)
        let pending = try #require(try await world.next(of: StreamListener(store.pendingPurchases)).first)
        expectEqual(pending.productID, StoreWorld.pro)
        expectEqual(pending.quantity, 1)
        try world.appStore.declinePurchase(of: StoreWorld.pro)
        let failure = try await world.next(of: failures)
        expectEqual(failure.productID, StoreWorld.pro)
        expectEqual(failure.pendingPurchase, pending)
        expectEqual(failure.error.code, .approvalDeclined)
        expectEqual(failure.error.localizedDescription, "The purchase was not approved.")
    }

    @Test func `a failure without an approval keeps its code`() async throws {
        let store = world.launch()
        let failures = StreamListener(store.purchaseFailures)
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let waiting = Task { try await store.purchase(StoreWorld.coins) }
        try await world.untilInFlight(store)
        waiting.cancel()
        _ = await waiting.result
        store.setDelivery { _ in .rejected(reason: "sold out") }
        try world.appStore.buyProduct(productID: StoreWorld.news)
        expectEqual(try await world.next(of: failures).error.code, .deliveryRejected)
    }
}
