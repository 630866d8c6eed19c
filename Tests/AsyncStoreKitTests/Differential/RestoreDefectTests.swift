import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

/// Defects of SwiftyStoreKit 0.16.4 with restores, which this library doesn't have.
@Suite(.bounded) struct RestoreDefectTests {
    private let world = BehaviorWorld(behavior: SimulatorBehavior()) {
        SimulatedBackend(launch: $0, engine: .storeKit1)
    }

    @Test func `R1: a second restore is refused at once, instead of never being answered`() async throws {
        let store = try await world.owning([BehaviorWorld.pro])
        world.appStore.behavior.restoreEnding = .neverAnswers(afterRows: 0)
        let first = Task { try await store.restore() }
        try await world.untilRestoring(store)
        try await world.expectError(.restoreInProgress) { _ = try await store.restore() }
        first.cancel()
        try await world.expectError(.taskCancelled) { _ = try await first.value }
    }

    @Test func `R2: a restore inside a restore's delivery starts, instead of being dropped`() async throws {
        let store = try await world.owning([BehaviorWorld.pro])
        var inside: Set<String> = []
        try await store.restore { _ in
            if inside.isEmpty { inside = try await store.restore().productIDs }
        }
        expectEqual(inside, [BehaviorWorld.pro])
    }

    @Test func `R3: an end of the restore from inside the call is received`() async throws {
        world.appStore.behavior.deliveryThread = .caller
        let store = try await world.owning([BehaviorWorld.pro])
        expectEqual(try await store.restore().productIDs, [BehaviorWorld.pro])
    }

    @Test func `P4: a restored transaction belongs to the restore, even if a payment for its product is pending`()
        async throws
    {
        let store = try await world.owning([BehaviorWorld.pro])
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let buying = Task { try await store.purchase(BehaviorWorld.pro) }
        try await world.untilInFlight(store)
        expectEqual(try await store.restore().productIDs, [BehaviorWorld.pro])
        expectEqual(try await store.diagnostics().inFlight?.productID, BehaviorWorld.pro)
        buying.cancel()
        try await world.expectError(.taskCancelled) { _ = try await buying.value }
    }

    @Test func `P4: an owned product that StoreKit answers as restored during a restore answers both calls`()
        async throws
    {
        world.appStore.behavior.reportsPurchasing = false
        world.appStore.behavior.repeatedPurchaseResult = .restored
        let appStore = SimulatedAppStore(catalog: BehaviorWorld.catalog, pacing: .manual)
        appStore.behavior = world.appStore.behavior
        try appStore.buyProduct(productID: BehaviorWorld.pro)
        let store = PurchaseStore(
            backend: SimulatedBackend(appStore, engine: .storeKit1),
            configuration: StoreConfiguration(clock: world.clock))
        appStore.runUntilIdle()
        for transaction in await store.unfinishedTransactions { try await store.finish(transaction) }
        appStore.runUntilIdle()
        appStore.pacing = .automatic
        let product = try await store.products(for: [BehaviorWorld.pro]).products[0]
        appStore.pacing = .manual
        let restoring = Task { try await store.restore() }
        try await world.untilRestoring(store)
        let buying = Task { try await store.purchase(product) }
        try await world.until("a payment to be in flight", store) { $0.inFlight != nil }
        appStore.runUntilIdle()
        expectEqual(try await restoring.value.productIDs, [BehaviorWorld.pro])
        expectEqual(try world.success(try await buying.value).productID, BehaviorWorld.pro)
    }

    @Test func `P8: a restored purchase is finished after its delivery, so that a crash in between loses nothing`()
        async throws
    {
        let store = try await world.owning([BehaviorWorld.pro])
        let gate = Gate()
        let restoring = Task { try await store.restore { _ in await gate.pass() } }
        try await gate.arrivals(1)
        let next = world.launch()
        let update = try await world.next(of: StreamListener(next.transactions))
        expectEqual(update.transaction.productID, BehaviorWorld.pro)
        await update.finish()
        gate.open()
        _ = try? await restoring.value
        try await world.expectFinished(next)
    }
}
