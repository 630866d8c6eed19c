import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Completions of reports on the main thread. With manual pacing, the simulated StoreKit reports from inside
/// `runUntilIdle()`, on the thread that calls it.
@Suite(.bounded) @MainActor struct SynchronousCompletionTests {
    private let world = LegacyWorld(.storeKit1, pacing: .manual)

    @Test func `completions of a report on the main thread are called before StoreKit's call returns`() throws {
        let legacy = world.launch()
        let products = Answers<RetrieveResults>()
        _ = legacy.retrieveProductsInfo([LegacyWorld.coins], completion: products.completion())
        expectEqual(products.count, 0)
        world.appStore.runUntilIdle()
        let product = try #require(products.all.first?.retrievedProducts.first)

        let purchases = Answers<PurchaseResult>()
        legacy.purchaseProduct(product, completion: purchases.completion())
        _ = legacy.purchaseProduct(LegacyWorld.pro, completion: purchases.completion())
        expectEqual(purchases.count, 0)
        world.appStore.runUntilIdle()
        expectEqual(purchases.all.map(\.success?.productId), [LegacyWorld.coins, LegacyWorld.pro])
        expectEqual(world.appStore.allTransactions().count { !$0.isFinished }, 0)

        let restores = Answers<RestoreResults>()
        legacy.restorePurchases(completion: restores.completion())
        expectEqual(restores.count, 0)
        world.appStore.runUntilIdle()
        expectEqual(restores.all.map { $0.restoredPurchases.map(\.productId) }, [[LegacyWorld.pro]])
    }

    @Test func `a completion that purchases again reaches the payment queue before its call returns`() throws {
        let legacy = world.launch()
        let (appStore, steps) = (world.appStore, Recorder<String>())
        _ = legacy.purchaseProduct(LegacyWorld.coins) { _ in
            steps.record("begins, \(appStore.pendingEventCount)")
            _ = legacy.purchaseProduct(LegacyWorld.coins, quantity: 2) { _ in steps.record("again") }
            steps.record("ends, \(appStore.pendingEventCount)")
        }
        appStore.runUntilIdle()
        expectEqual(steps.elements, ["begins, 0", "ends, 1", "again"])
        expectEqual(appStore.allTransactions().map(\.quantity), [1, 2])
    }

    @Test func `a report from inside a call leaves the completion to the main queue`() async throws {
        let world = LegacyWorld(.storeKit1, thread: .caller)
        let legacy = world.launch()
        let answers = Answers<PurchaseResult>()
        _ = legacy.purchaseProduct(LegacyWorld.coins, completion: answers.completion())
        // The App Store has answered, and the completion runs in a later pass of the run loop.
        expectEqual(world.appStore.allTransactions().map(\.state), [.purchased])
        expectEqual(answers.count, 0)
        expectEqual(try await answers.next().success?.productId, LegacyWorld.coins)
    }

    @Test func `a report inside a completion calls its completions after the one that is running`() async throws {
        let caller = LegacyWorld(.storeKit1, thread: .caller)
        let (first, second) = (world.launch(), caller.launch())
        let (appStore, steps) = (world.appStore, Recorder<String>())
        let unfinished = Answers<[Purchase]>()
        second.completeTransactions(completion: unfinished.completion { _ in steps.record("second") })
        try await MainQueue.drain()
        _ = first.purchaseProduct(LegacyWorld.coins) { _ in
            steps.record("first begins")
            try? caller.appStore.buyProduct(productID: LegacyWorld.pro)
            steps.record("first ends")
        }
        appStore.runUntilIdle()
        expectEqual(try await steps.first(3), ["first begins", "first ends", "second"])
        expectEqual(unfinished.all.flatMap { $0 }.map(\.productId), [LegacyWorld.pro])
    }

    @Test func `an invalid call is answered after it has returned`() async throws {
        let legacy = world.launch()
        let answers = Answers<PurchaseResult>()
        _ = legacy.purchaseProduct(LegacyWorld.coins, quantity: 11, completion: answers.completion())
        expectEqual(answers.count, 0)
        expectEqual(try await answers.next().error?.code, .paymentInvalid)
        #expect(answers.cameOnMain)
    }
}
