import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct SimulatedRestoreTests {
    @Test(arguments: [StoreEngine.storeKit1, .storeKit2], [true, false])
    func `a restore returns every purchase, and finishes the purchases if it's atomic`(
        engine: StoreEngine, atomically: Bool
    ) async throws {
        let world = StoreWorld(selling: .shop, signs: true, engine: engine)
        let products = [StoreWorld.news, StoreWorld.pro]
        let legacy = try await world.launchLegacy(owning: products)
        let results = try await legacy.restoring(atomically: atomically).next()
        #expect(results.restoreFailedPurchases.isEmpty)
        expectEqual(results.restoredPurchases.map(\.productId).sorted(), products)
        #expect(results.restoredPurchases.allSatisfy { $0.needsFinishTransaction != atomically })
        expectEqual(try await world.unfinished(of: legacy).sorted(), atomically ? [] : products)
        for purchase in results.restoredPurchases { legacy.finishTransaction(purchase.transaction) }
        expectEqual(try await world.unfinished(of: legacy), [])
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `a second restore fails at once, and a silent restore fails after 300 seconds`(engine: StoreEngine)
        async throws
    {
        let world = StoreWorld(selling: .shop, signs: true, engine: engine)
        world.appStore.behavior.restoreEnding = .neverAnswers(afterRows: 0)
        let legacy = world.launchLegacy()
        let (first, second) = (Answers<RestoreResults>(), Answers<RestoreResults>())
        legacy.restorePurchases(completion: first.completion())
        legacy.restorePurchases(completion: second.completion())
        expectEqual(try await second.next().restoreFailedPurchases.map(\.0.code), [.unknown])
        expectEqual(first.count, 0)
        try await legacy.store.advance(by: 300)
        let (error, _) = try #require(await first.next().restoreFailedPurchases.first)
        #expect(error.code == .unknown && error.debugText.contains("300"))
        #expect(first.cameOnMain && second.cameOnMain)
        world.appStore.behavior.restoreEnding = .finishes
        #expect(try await legacy.restoring().next().restoreFailedPurchases.isEmpty)
    }
}
