import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@Suite(.bounded) struct StoreConfigurationTests {
    private let world = BehaviorWorld { SimulatedBackend(launch: $0) }

    private struct Notebook: PurchaseDelivery {
        let delivered = Recorder<String>()

        func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
            for purchase in request.purchases { delivered.record(purchase.productID) }
            return .accepted
        }
    }

    @Test func `a delivery in the configuration is there before the first transaction`() async throws {
        _ = try await world.launch().purchase(BehaviorWorld.pro)
        let notebook = Notebook()
        let store = world.appStore.relaunch(StoreConfiguration(delivery: notebook))
        #expect(try await notebook.delivered.first(1) == [BehaviorWorld.pro])
        try await world.expectFinished(store)
    }

    @Test func `a store over a simulated App Store lives by its time`() async throws {
        let store = PurchaseStore(backend: SimulatedBackend(world.appStore))
        #expect(store.now == world.appStore.now)
        world.appStore.advance(by: .months(2))
        #expect(store.now == world.appStore.now)
        let attempts = Recorder<Date>()
        store.deliver { [world] _ in
            attempts.record(world.appStore.now)
            return attempts.elements.count == 1 ? .retryLater(after: 60) : .accepted
        }
        try world.appStore.buyProduct(productID: BehaviorWorld.coins)
        _ = try await attempts.first(1)
        try await world.until("the retry to be due", store) { $0.pendingRetries == 1 }
        world.appStore.advance(by: 60)
        let times = try await attempts.first(2)
        #expect(times[1].timeIntervalSince(times[0]) == 60)
    }

    @Test func `a clock of the configuration counts for more`() {
        let clock = SimulatedClock()
        let store = PurchaseStore(backend: SimulatedBackend(world.appStore), configuration: StoreConfiguration(clock: clock))
        clock.advance(by: 5)
        #expect(store.now == clock.now && store.now != world.appStore.now)
    }
}
