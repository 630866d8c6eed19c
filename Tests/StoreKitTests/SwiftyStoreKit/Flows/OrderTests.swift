import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct OrderTests {
    @Test(arguments: Engine.allCases) func `payments for loaded products are made in the order of the calls`(
        engine: Engine
    ) async throws {
        let (world, legacy) = LegacyWorld.launched(engine)
        let (news, coins) = try await (
            world.product(LegacyWorld.news, of: legacy), world.product(LegacyWorld.coins, of: legacy)
        )
        for _ in 0..<50 {
            let answers = Answers<PurchaseResult>()
            for (product, quantity) in [(coins, 2), (news, 1), (coins, 5)] {
                legacy.purchaseProduct(product, quantity: quantity, completion: answers.completion())
            }
            let purchases = try await answers.first(3).compactMap(\.success)
            expectEqual(purchases.map(\.quantity), [2, 1, 5])
        }
        // Over StoreKit 2, an owned product isn't charged again.
        let repeatable = world.appStore.allTransactions().map(\.quantity).filter { $0 > 1 }
        expectEqual(repeatable, Array(repeating: [2, 5], count: 50).flatMap { $0 })
    }

    @Test(arguments: Engine.allCases)
    func `payments by identifier that share a request are made in the order of the calls`(engine: Engine)
        async throws
    {
        let legacy = LegacyWorld(engine).launch()
        for _ in 0..<20 {
            let answers = Answers<PurchaseResult>()
            for quantity in [2, 1, 5] {
                _ = legacy.purchaseProduct(LegacyWorld.coins, quantity: quantity, completion: answers.completion())
            }
            expectEqual(try await answers.first(3).compactMap(\.success?.quantity), [2, 1, 5])
        }
    }

    @Test(arguments: Engine.allCases)
    func `a transaction that is finished before the next purchase leaves the queue before it`(
        engine: Engine
    ) async throws {
        let (world, legacy) = LegacyWorld.launched(engine)
        for _ in 0..<50 {
            let purchase = try #require(await legacy.buying(LegacyWorld.pro, atomically: false).next().success)
            let unfinished = Answers<Int>()
            let appStore = world.appStore
            legacy.finishTransaction(purchase.transaction)
            _ = legacy.purchaseProduct(
                LegacyWorld.coins,
                completion: { _ in
                    unfinished.completion()(
                        appStore.allTransactions().count { $0.productID == LegacyWorld.pro && !$0.isFinished })
                })
            expectEqual(try await unfinished.next(), 0)
        }
    }

    @Test(arguments: Engine.allCases) func `the second of two restores is rejected, even when repeated`(engine: Engine)
        async throws
    {
        let world = LegacyWorld(engine, thread: .main)
        let legacy = try await world.owning([LegacyWorld.pro])
        for _ in 0..<100 {
            // A late event of the former restore would end this restore.
            try await MainQueue.drain()
            _ = try await legacy.store.diagnostics()
            await world.appStore.waitUntilIdle()
            // StoreKit can't end the first restore before the second call.
            let hold = MainQueue.hold()
            let first = Answers<RestoreResults>()
            let second = Answers<RestoreResults>()
            legacy.restorePurchases(completion: first.completion())
            legacy.restorePurchases(completion: second.completion())
            hold.release()
            expectEqual(try await first.next().restoredPurchases.count, 1)
            expectEqual(try await second.next().restoreFailedPurchases.count, 1)
        }
    }

    /// Ten consumable products.
    private static let sweets = (0..<10).map { SimulatedProduct(productID: "sweet\($0)", kind: .consumable, price: 1) }

    private static let purchaseCount =
        ProcessInfo.processInfo.environment["ORDERED_PURCHASES"].flatMap { Int($0) } ?? 250

    @Test(arguments: Engine.allCases, SimulatorBehavior.DeliveryThread.allCases)
    func `purchases by identifier at the same time each get their own answer, once`(
        engine: Engine, thread: SimulatorBehavior.DeliveryThread
    ) async throws {
        let world = LegacyWorld(engine, catalog: SimulatedCatalog(products: Self.sweets), thread: thread)
        let legacy = world.launch()
        let answers = Answers<PurchaseResult>()
        let order = (0..<Self.purchaseCount).map { "sweet\($0 * 7 % 10)" }
        for id in order { _ = legacy.purchaseProduct(id, completion: answers.completion()) }
        // Each wait has its timeout for at most 250 purchases, the default number.
        for count in stride(from: 250, to: Self.purchaseCount, by: 250) { try await answers.first(count) }
        // Their products are loaded at different times, so they may change places.
        let answered = try await answers.first(Self.purchaseCount).compactMap(\.success?.productId)
        expectEqual(answered.sorted(), order.sorted())
        expectEqual(world.appStore.allTransactions().map(\.productID), answered)
    }

    @Test(arguments: Engine.allCases, SimulatorBehavior.DeliveryThread.allCases)
    func `requests for products at the same time each get their own answer, once`(
        engine: Engine, thread: SimulatorBehavior.DeliveryThread
    ) async throws {
        let world = LegacyWorld(engine, catalog: SimulatedCatalog(products: Self.sweets), thread: thread)
        let legacy = world.launch()
        for _ in 0..<20 {
            let answers = Answers<[Set<String>]>()
            let sets = (0..<25).map { Set(["sweet\($0 % 10)", "sweet\($0 / 5)"]) }
            for set in sets {
                let completion = answers.completion()
                _ = legacy.retrieveProductsInfo(set) { result in
                    completion([set, Set(result.retrievedProducts.map(\.productIdentifier))])
                }
            }
            for answer in try await answers.first(25) { expectEqual(answer.first, answer.last) }
        }
    }

    @Test(arguments: Engine.allCases)
    func `a purchase by identifier doesn't wait for the requests of earlier purchases`(
        engine: Engine
    ) async throws {
        let (world, legacy) = LegacyWorld.launched(engine)
        world.appStore.behavior.productRequestsAreNeverAnswered = true
        let (silent, next) = (Answers<PurchaseResult>(), Answers<PurchaseResult>())
        let request = legacy.purchaseProduct(LegacyWorld.pro, completion: silent.completion())
        try await world.clock.waitForSleepers(1, duration: 30)
        try await world.firstRequest()
        world.appStore.behavior.productRequestsAreNeverAnswered = false
        _ = legacy.purchaseProduct(LegacyWorld.coins, completion: next.completion())
        expectEqual(try await next.next().success?.productId, LegacyWorld.coins)
        request.cancel()
        expectEqual(try await silent.next().error?.code, .paymentCancelled)
    }
}
