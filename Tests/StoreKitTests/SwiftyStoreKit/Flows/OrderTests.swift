import AppStoreSimulator
import AsyncStoreKit
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct OrderTests {
    private let world = LegacyWorld()

    @Test func `payments are made in the order of the calls, whatever has to be looked up first`() async throws {
        let legacy = world.launch()
        let known = try await world.product(LegacyWorld.news, of: legacy)
        for round in 0..<50 {
            let answers = Answers<PurchaseResult>()
            // Asked for anew in the first round: the product that is known must not overtake.
            _ = legacy.purchaseProduct(round == 0 ? LegacyWorld.pro : LegacyWorld.coins, quantity: 2, completion: answers.completion())
            legacy.purchaseProduct(known, completion: answers.completion())
            _ = legacy.purchaseProduct(LegacyWorld.coins, quantity: 5, completion: answers.completion())
            let purchases = try await answers.first(3).compactMap(\.success)
            #expect(purchases.map(\.quantity) == [2, 1, 5])
        }
        #expect(world.appStore.allTransactions().map(\.quantity) == Array(repeating: [2, 1, 5], count: 50).flatMap { $0 })
    }

    @Test func `a transaction that is finished before the next purchase leaves the queue before it`() async throws {
        let legacy = world.launch()
        for _ in 0..<50 {
            let purchase = try #require(await world.buy(LegacyWorld.pro, atomically: false, of: legacy).success)
            let unfinished = Answers<Int>()
            let appStore = world.appStore
            legacy.finishTransaction(purchase.transaction)
            _ = legacy.purchaseProduct(
                LegacyWorld.coins,
                completion: { _ in
                    unfinished.completion()(
                        appStore.allTransactions().count { $0.productID == LegacyWorld.pro && !$0.isFinished })
                })
            #expect(try await unfinished.next() == 0)
        }
    }

    @Test func `of two restores the second is refused, however often it is tried`() async throws {
        let world = LegacyWorld(thread: .main)
        let legacy = try await world.owning([LegacyWorld.pro])
        for _ in 0..<100 {
            // StoreKit cannot end the first before the second is asked for.
            let release = MainQueue.hold()
            let first = Answers<RestoreResults>()
            let second = Answers<RestoreResults>()
            legacy.restorePurchases(completion: first.completion())
            legacy.restorePurchases(completion: second.completion())
            release()
            #expect(try await first.next().restoredPurchases.count == 1)
            #expect(try await second.next().restoreFailedPurchases.count == 1)
        }
    }

    @Test func `completions come in the order in which StoreKit answered`() async throws {
        let legacy = world.launch()
        let answers = Answers<PurchaseResult>()
        for quantity in 1...10 {
            _ = legacy.purchaseProduct(LegacyWorld.coins, quantity: quantity, completion: answers.completion())
        }
        #expect(try await answers.first(10).compactMap { $0.success?.quantity } == Array(1...10))
    }
}
