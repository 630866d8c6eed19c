import AppStoreSimulator
import AsyncStoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Serialized, because the process has one legacy store.
@Suite(.bounded, .serialized) struct LegacyStoreTests {
    @Test func `the legacy store is created once, with its own underlying store`() async {
        let legacies = await withTaskGroup(of: LegacyStore.self) { group in
            for _ in 0..<20 { group.addTask { SwiftyStoreKit.legacy } }
            return await group.reduce(into: [LegacyStore]()) { $0.append($1) }
        }
        #expect(legacies.allSatisfy { $0 === legacies.first })
        #expect(SwiftyStoreKit.store === legacies.first?.store)
    }

    @Test(arguments: Engine.allCases)
    func `requests don't keep an unused store alive`(engine: Engine) async throws {
        let world = LegacyWorld(engine)
        weak let core = try await use(world)
        #expect(await isReleased { core })
    }

    private func use(_ world: LegacyWorld) async throws -> StoreCore {
        let legacy = world.launch()
        legacy.completeTransactions { _ in }
        legacy.onEntitlementRevocation { _ in }
        legacy.updatedDownloadsHandler = { _ in }
        legacy.shouldAddStorePaymentHandler = { _, _ in true }
        try world.appStore.buyProduct(productID: LegacyWorld.pro)
        #expect(try await legacy.buying(LegacyWorld.coins).next().success != nil)
        try await world.settle(legacy)
        return legacy.store.core
    }

    @Test func `the engine is selected before the first use, and the default is StoreKit 1`() async {
        // In a process without another store.
        await #expect(processExitsWith: .success) {
            _ = SwiftyStoreKit.legacy
            #expect(SwiftyStoreKit.engine == .storeKit1)
            SwiftyStoreKit.engine = .storeKit2
            #expect(SwiftyStoreKit.engine == .storeKit1, "the engine was set too late")
        }
    }

    @Test func `the legacy store can be replaced`() {
        let legacy = LegacyWorld().launch()
        let before = SwiftyStoreKit.legacy
        SwiftyStoreKit.legacy = legacy
        #expect(SwiftyStoreKit.store === legacy.store)
        SwiftyStoreKit.legacy = before
    }
}
