import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct RestoreFlowTests {
    @Test func `an atomic restore returns every purchase with its original in StoreKit's order, then finishes them`()
        async throws
    {
        let world = LegacyWorld(.storeKit1(because: .restore))
        let legacy = try await world.owning([LegacyWorld.pro, LegacyWorld.news, LegacyWorld.weekly])
        world.appStore.behavior.restoreBatchSize = 2
        let answers = Answers<RestoreResults>()
        let unfinished = Answers<Int?>()
        legacy.restorePurchases(
            completion: answers.completion { _ in world.note(unfinishedOf: legacy, in: unfinished) })
        let results = try await answers.next()
        #expect(results.restoreFailedPurchases.isEmpty)
        let history = world.appStore.allTransactions()
        expectEqual(results.restoredPurchases.map(\.productId), history.prefix(3).map(\.productID))
        for purchase in results.restoredPurchases {
            #expect(!purchase.needsFinishTransaction && purchase.transaction.transactionState == .restored)
            let original = try #require(purchase.originalTransaction)
            #expect(original is SKPaymentTransaction)
            #expect(history.map(\.transactionID).contains(original.transactionIdentifier))
            expectEqual(purchase.originalPurchaseDate, original.transactionDate)
        }
        expectEqual(try await unfinished.next(), 3, "finished before the callback")
        #expect(try await world.queue(of: legacy).isEmpty)
        #expect(answers.count == 1 && answers.cameOnMain)
    }

    @Test(arguments: [true, false])
    func `a partly failed restore returns both lists and finishes the restored purchases`(atomically: Bool) async throws
    {
        let world = LegacyWorld(.storeKit1(because: .restore))
        let legacy = try await world.owning([LegacyWorld.pro, LegacyWorld.news])
        world.appStore.behavior.restoreBatchSize = 1
        world.appStore.behavior.restoreEnding = .fails(.notConnectedToInternet, afterRows: 1)
        let others = legacy.listening(atomically: false)
        let results = try await legacy.restoring(atomically: atomically).next()
        expectEqual(results.restoredPurchases.count, 1)
        expectEqual(results.restoredPurchases.first?.needsFinishTransaction, !atomically)
        expectEqual(results.restoreFailedPurchases.map(\.0.code), [.unknown])
        expectEqual(try await world.queue(of: legacy).count, (atomically ? 0 : 1))
        expectEqual(others.count, 0, "a restored purchase was delivered again")
        world.appStore.behavior.restoreEnding = .finishes
        expectEqual(try await legacy.restoring().next().restoredPurchases.isEmpty, false)
    }
}
