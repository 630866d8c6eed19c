import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

/// A purchase that is answered with an older transaction, which another call is delivering at that moment.
@Suite(.bounded) struct DeliveredElsewhereTests {
    private let world = StoreWorld(selling: .shop, engine: .storeKit1)
    private let gate = Gate()

    /// Buys a product whose older transaction the installed delivery owns.
    private func purchase(from store: PurchaseStore) async throws -> StorePurchase {
        let product = try await store.products(for: [StoreWorld.pro]).products[0]
        world.appStore.setNextPurchaseOutcome(.returnsUnfinishedTransaction)
        async let outcome = store.purchase(product)
        try await world.clock.waitForSleepers(1, duration: 3)
        world.clock.advance(by: 3)
        return try world.success(try await outcome)
    }

    private var isFinished: Bool { world.appStore.allTransactions().allSatisfy(\.isFinished) }

    @Test(arguments: [DeliveryDecision.accepted, .rejected(reason: "no")])
    func `finishing waits for the running delivery`(_ decision: DeliveryDecision) async throws {
        _ = try await world.launch().purchase(StoreWorld.pro)
        let store = world.launch()
        store.setDelivery { [gate] _ in
            await gate.pass()
            return decision
        }
        try await gate.arrivals(1)
        let purchase = try await purchase(from: store)
        #expect(purchase.isHandledElsewhere && purchase.isPreexisting)
        await purchase.finish()
        try await world.appStore.idle()
        #expect(!isFinished)
        gate.open()
        try await world.until("everything to be finished", store) { $0.held.isEmpty }
        try await world.appStore.idle()
        #expect(isFinished)
    }

    @Test func `a purchase whose delivery waits for a pause is delivered for the call, which throws what it says`()
        async throws
    {
        _ = try await world.launch().purchase(StoreWorld.pro)
        let store = world.launch()
        let deliveries = Locked(0)
        store.setDelivery { _ in
            deliveries.withLock { $0 += 1 }
            return .retryLater(after: 100)
        }
        try await world.until("a delivery to be pending", store) { $0.pendingRetries == 1 }
        await expectError(\StoreError.code, .deliveryPending) { try await purchase(from: store) }
        expectEqual(deliveries.withLock { $0 }, 2)
        #expect(!isFinished)
        expectEqual(try await store.diagnostics().pendingRetries, 1)
    }
}
