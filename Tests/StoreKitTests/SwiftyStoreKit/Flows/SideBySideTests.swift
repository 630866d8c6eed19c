import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct SideBySideTests {
    @Test(arguments: Engine.allCases) func `a purchase of one API isn't reported to the other, and is charged once`(
        engine: Engine
    )
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(engine)
        let unasked = legacy.listening()
        let updates = StreamListener(legacy.store.transactions)
        let new = Task { try await legacy.store.purchase(LegacyWorld.pro) { _ in } }
        expectEqual(try await legacy.buying(LegacyWorld.coins).next().success?.productId, LegacyWorld.coins)
        guard case .success(let purchase) = try await new.value else {
            Issue.record("not bought")
            return
        }
        expectEqual(purchase.productID, LegacyWorld.pro)
        #expect(try await world.queue(of: legacy).isEmpty)
        expectEqual(unasked.count, 0)
        try world.appStore.buyProduct(productID: LegacyWorld.news)
        expectEqual(try await updates.next()?.transaction.productID, LegacyWorld.news, "an earlier one was offered")
        expectEqual(world.appStore.allTransactions().count, 3)
    }

    @Test(arguments: Engine.allCases) func `an unsolicited transaction is reported to both APIs once and finished once`(
        engine: Engine
    )
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(engine)
        let old = legacy.listening(atomically: false)
        let updates = StreamListener(legacy.store.transactions)
        try world.appStore.buyProduct(productID: LegacyWorld.pro)
        let purchase = try #require(await old.next().first)
        let update = try #require(await updates.next())
        expectEqual(purchase.transaction.transactionIdentifier, update.transaction.id)
        await update.finish()
        legacy.finishTransaction(purchase.transaction)
        #expect(try await world.queue(of: legacy).isEmpty)
        expectEqual(old.count, 1)
    }

    @Test(arguments: Engine.allCases) func `a failed delivery of the new API is offered to the block API`(
        engine: Engine
    ) async throws {
        let world = LegacyWorld(engine)
        struct Refusal: Error {}
        let legacy = world.launch()
        let old = legacy.listening()
        await #expect(throws: StoreError.self) {
            try await legacy.store.purchase(LegacyWorld.pro) { _ in throw Refusal() }
        }
        expectEqual(try await old.next().map(\.productId), [LegacyWorld.pro])
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test(arguments: Engine.allCases) func `one restore runs at a time across both APIs`(engine: Engine) async throws {
        let world = LegacyWorld(engine)
        let legacy = try await world.owning([LegacyWorld.pro])
        world.appStore.behavior.restoreEnding = .neverAnswers(afterRows: 0)
        legacy.restorePurchases { _ in }
        await expectError(\StoreError.code, .restoreInProgress) { try await legacy.store.restore() }
    }

    @Test(arguments: Engine.allCases) func `every call ends also over a backend that isn't StoreKit`(engine: Engine)
        async throws
    {
        let world = LegacyWorld(engine)
        let legacy = LegacyStore(
            store: PurchaseStore(backend: SimulatedBackend(world.appStore, engine: .storeKit1)), backend: nil)
        #expect(try await legacy.buying(LegacyWorld.pro).next().error != nil)
        let products = legacy.retrieving([LegacyWorld.pro])
        #expect(try await products.next().retrievedProducts.isEmpty)
        #expect(try await legacy.restoring().next().restoredPurchases.isEmpty)
    }

    @Test func `without completeTransactions no transaction is lost, and a later call receives all of them`()
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(.storeKit1(because: .restore))
        try world.appStore.buyProduct(productID: LegacyWorld.pro)
        #expect(try await legacy.buying(LegacyWorld.coins).next().success != nil)
        _ = try await legacy.restoring().next()
        expectEqual(try await world.queue(of: legacy).map(\.productID), [LegacyWorld.pro])
        let late = legacy.listening()
        expectEqual(try await late.next().map(\.productId), [LegacyWorld.pro])
        #expect(try await world.queue(of: legacy).isEmpty)
    }
}
