import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import Testing

/// A purchase that is answered with an older transaction, which somebody else is delivering at that moment.
@Suite struct DeliveredElsewhereTests {
    private let world = BehaviorWorld { SimulatedBackend(launch: $0) }
    private let gate = Gate()

    /// Buys a product whose older transaction the installed delivery owns.
    private func purchase(from store: PurchaseStore) async throws -> StorePurchase {
        let product = try await store.products(for: [BehaviorWorld.pro]).products[0]
        world.appStore.enqueue(.answeredByOlder)
        async let outcome = store.purchase(product)
        await world.clock.sleepers(1, of: 3)
        world.clock.advance(by: 3)
        return try world.success(try await outcome)
    }

    private var isFinished: Bool { world.appStore.allTransactions().allSatisfy(\.isFinished) }

    @Test(arguments: [DeliveryDecision.accepted, .rejected(reason: "no")])
    func `finishing it waits for whoever delivers it`(_ decision: DeliveryDecision) async throws {
        _ = try await world.launch().purchase(BehaviorWorld.pro)
        let store = world.launch()
        store.deliver { [gate] _ in
            await gate.pass()
            return decision
        }
        await gate.arrivals(1)
        let purchase = try await purchase(from: store)
        #expect(purchase.isDelivered && purchase.answersEarlierPayment)
        await purchase.finish()
        await world.appStore.waitUntilIdle()
        #expect(!isFinished)
        gate.open()
        _ = try await store.core.diagnostics { $0.held.isEmpty }
        await world.appStore.waitUntilIdle()
        #expect(isFinished)
    }

    @Test func `finishing it leaves alone what is to be tried again`() async throws {
        _ = try await world.launch().purchase(BehaviorWorld.pro)
        let store = world.launch()
        store.deliver { _ in .retryLater(after: 100) }
        _ = try await store.core.diagnostics { $0.pendingRetries == 1 }
        let purchase = try await purchase(from: store)
        #expect(purchase.isDelivered)
        await purchase.finish()
        await world.appStore.waitUntilIdle()
        #expect(!isFinished)
        #expect(try await store.diagnostics.pendingRetries == 1)
    }
}
