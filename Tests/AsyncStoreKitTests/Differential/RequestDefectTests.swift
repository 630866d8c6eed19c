import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

/// Defects of SwiftyStoreKit 0.16.4 with product requests, which this library doesn't have.
@Suite(.bounded) struct RequestDefectTests {
    private let world = BehaviorWorld(behavior: SimulatorBehavior()) {
        SimulatedBackend(launch: $0, engine: .storeKit1)
    }

    @Test func `Q1: a canceled request ends its own wait only, and the same products can be requested again`()
        async throws
    {
        world.appStore.behavior.productRequestsAreNeverAnswered = true
        let store = world.launch()
        let one = Task { try await store.products(for: [BehaviorWorld.pro]) }
        try await world.clock.waitForSleepers(1)
        one.cancel()
        try await world.expectError(.taskCancelled) { _ = try await one.value }
        world.appStore.behavior.productRequestsAreNeverAnswered = false
        expectEqual(try await store.products(for: [BehaviorWorld.pro]).products.count, 1)
        expectEqual(try world.success(try await store.purchase(BehaviorWorld.pro)).productID, BehaviorWorld.pro)
    }

    @Test func `Q1: canceling one of two calls for the same product leaves the other waiting`() async throws {
        let spy = SpyBackend(SimulatedBackend(world.appStore, engine: .storeKit1), holdsProducts: true)
        let store = PurchaseStore(over: spy, configuration: StoreConfiguration(clock: SimulatedClock()))
        let one = Task { try await store.products(for: [BehaviorWorld.pro, BehaviorWorld.news]) }
        try await spy.untilAsked(1)
        let other = Task { try await store.products(for: [BehaviorWorld.pro, BehaviorWorld.coins]) }
        try await spy.untilAsked(2)
        one.cancel()
        try await world.expectError(.taskCancelled) { _ = try await one.value }
        spy.releaseProducts()
        expectEqual(try await other.value.products.map(\.id), [BehaviorWorld.pro, BehaviorWorld.coins])
        expectEqual(spy.asked, [[BehaviorWorld.pro, BehaviorWorld.news], [BehaviorWorld.pro, BehaviorWorld.coins]])
    }

    @Test func `Q3: two taps buy twice and are answered once each`() async throws {
        let store = world.launch()
        async let one = store.purchase(BehaviorWorld.coins)
        async let other = store.purchase(BehaviorWorld.coins)
        let purchases = [try world.success(try await one), try world.success(try await other)]
        expectEqual(Set(purchases.map(\.transaction.id)).count, 2)
        expectEqual(world.appStore.allTransactions().count, 2)
    }

    @Test func `Q5: a failure after the response isn't a second answer`() async throws {
        world.appStore.behavior.productRequestsFailAfterReply = true
        let store = world.launch()
        expectEqual(try await store.products(for: [BehaviorWorld.pro]).products.count, 1)
        try await world.appStore.idle()
        expectEqual(try await store.products(for: [BehaviorWorld.pro]).products.count, 1)
    }

    @Test func `Q6: nothing is answered after a cancellation, even if the App Store still responds`() async throws {
        let appStore = SimulatedAppStore(catalog: BehaviorWorld.catalog, pacing: .manual)
        appStore.behavior.repliesAfterCancel = true
        let store = PurchaseStore(
            backend: SimulatedBackend(appStore, engine: .storeKit1),
            configuration: StoreConfiguration(clock: world.clock))
        let asking = Task { try await store.products(for: [BehaviorWorld.pro]) }
        try await world.clock.waitForSleepers(1)
        asking.cancel()
        try await world.expectError(.taskCancelled) { _ = try await asking.value }
        // A second answer would be a continuation resumed twice, which traps.
        appStore.runUntilIdle()
        expectEqual(appStore.pendingEventCount, 0)
    }

    @Test func `Q7: a thousand concurrent requests are answered, and share the running ones`() async throws {
        let spy = SpyBackend(SimulatedBackend(world.appStore, engine: .storeKit1), holdsProducts: true)
        let store = PurchaseStore(over: spy, configuration: StoreConfiguration(clock: SimulatedClock()))
        let answers = Task {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<1_000 {
                    group.addTask {
                        try await store.products(for: [BehaviorWorld.pro, BehaviorWorld.news]).products.count
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        try await spy.untilAsked(1)
        spy.releaseProducts()
        expectEqual(try await answers.value, 2_000)
        expectEqual(spy.asked.count, 1)
    }
}
