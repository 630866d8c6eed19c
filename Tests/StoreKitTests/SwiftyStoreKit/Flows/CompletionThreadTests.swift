import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Completions are called on the main queue, after their calls have returned, in the order of StoreKit's reports.
@Suite(.bounded) @MainActor struct CompletionThreadTests {
    @Test(arguments: SimulatorBehavior.DeliveryThread.allCases)
    func `completions are called on the main thread, after their calls, in the order of the reports`(
        thread: SimulatorBehavior.DeliveryThread
    ) async throws {
        let (world, legacy) = LegacyWorld.launched(.storeKit1, thread: thread)
        let product = try await world.product(LegacyWorld.coins, of: legacy)
        let purchases = Answers<PurchaseResult>()
        for quantity in 1...10 {
            legacy.purchaseProduct(product, quantity: quantity, completion: purchases.completion())
            expectEqual(purchases.count, 0)
        }
        expectEqual(try await purchases.first(10).map(\.success?.quantity), Array(1...10))
        #expect(purchases.cameOnMain)
    }

    @Test func `a completion can make the next purchase, whose completion is called after it`() async throws {
        let (world, legacy) = LegacyWorld.launched(.storeKit1, thread: .caller)
        let steps = Recorder<String>()
        _ = legacy.purchaseProduct(LegacyWorld.coins) { _ in
            steps.record("begins")
            _ = legacy.purchaseProduct(LegacyWorld.coins, quantity: 2) { _ in steps.record("again") }
            steps.record("ends")
        }
        expectEqual(try await steps.first(3), ["begins", "ends", "again"])
        expectEqual(world.appStore.allTransactions().map(\.quantity), [1, 2])
    }

    @Test func `a report inside a completion calls its completions after the one that is running`() async throws {
        let (world, caller) = (LegacyWorld(.storeKit1), LegacyWorld(.storeKit1, thread: .caller))
        let (first, second) = (world.launch(), caller.launch())
        let steps = Recorder<String>()
        let unfinished = Answers<[Purchase]>()
        second.completeTransactions(completion: unfinished.completion { _ in steps.record("second") })
        try await MainQueue.drain()
        _ = first.purchaseProduct(LegacyWorld.coins) { _ in
            steps.record("first begins")
            try? caller.appStore.buyProduct(productID: LegacyWorld.pro)
            steps.record("first ends")
        }
        expectEqual(try await steps.first(3), ["first begins", "first ends", "second"])
        expectEqual(unfinished.all.flatMap { $0 }.map(\.productId), [LegacyWorld.pro])
    }

    @Test func `an invalid call is answered after it has returned`() async throws {
        let legacy = LegacyWorld(.storeKit1).launch()
        let answers = legacy.buying(LegacyWorld.coins, quantity: 11)
        expectEqual(answers.count, 0)
        expectEqual(try await answers.next().error?.code, .paymentInvalid)
        #expect(answers.cameOnMain)
    }
}
