import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@Suite(.bounded) struct StoreConfigurationTests {
    private let world = StoreWorld(selling: .shop, engine: .storeKit1)

    private struct Notebook: PurchaseDelivery {
        let delivered = Recorder<String>()

        func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
            for purchase in request.purchases { delivered.record(purchase.productID) }
            return .accepted
        }
    }

    @Test func `a delivery in the configuration is installed before the first transaction`() async throws {
        _ = try await world.launch().purchase(StoreWorld.pro)
        let notebook = Notebook()
        let store = world.appStore.relaunch(StoreConfiguration(delivery: notebook))
        expectEqual(try await notebook.delivered.first(1), [StoreWorld.pro])
        try await world.expectFinished(store)
    }

    @Test func `a store over a simulated App Store uses its clock`() async throws {
        let store = PurchaseStore(backend: SimulatedBackend(world.appStore, engine: .storeKit1))
        expectEqual(store.now, world.appStore.now)
        world.appStore.advance(by: .months(2))
        expectEqual(store.now, world.appStore.now)
        let attempts = Recorder<Date>()
        store.setDelivery { [world] _ in
            attempts.record(world.appStore.now)
            return attempts.elements.count == 1 ? .retryLater(after: 60) : .accepted
        }
        try world.appStore.buyProduct(productID: StoreWorld.coins)
        _ = try await attempts.first(1)
        try await world.until("the retry to be due", store) { $0.pendingRetries == 1 }
        world.appStore.advance(by: 120)
        let times = try await attempts.first(2)
        // Jitter makes the pause 60 to 120 seconds. The attempt runs while the clock advances, or when it has.
        #expect((60...120).contains(times[1].timeIntervalSince(times[0])))
    }

    @Test func `a clock in the configuration takes precedence over the backend's`() {
        let clock = SimulatedClock()
        let store = PurchaseStore(
            backend: SimulatedBackend(world.appStore, engine: .storeKit1),
            configuration: StoreConfiguration(clock: clock))
        clock.advance(by: 5)
        #expect(store.now == clock.now && store.now != world.appStore.now)
    }

    @Test func `the log says that the queue has ended, and why`() async throws {
        let log = Recorder<StoreLogEvent>()
        let backend = SimulatedBackend(world.appStore, engine: .storeKit1)
        let store = PurchaseStore(backend: backend, configuration: StoreConfiguration(log: { log.record($0) }))
        backend.terminate()
        _ = try await log.first { $0.level == .warning && $0.message.contains("queue has ended: ") }
        try await world.expectError(.backendUnavailable) { _ = try await store.restore() }
    }
}
