import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Tests that the block API doesn't have 0.16.4's defects of restores.
@Suite(.bounded) struct LegacyRestoreDefectTests {
    private let world = LegacyWorld()

    @Test func `R1: a second restore is answered at once, with an error`() async throws {
        let legacy = try await world.owning([LegacyWorld.pro])
        world.appStore.behavior.restoreEnding = .neverAnswers(afterRows: 0)
        let first = Answers<RestoreResults>()
        legacy.restorePurchases(completion: first.completion())
        let second = try await world.restore(of: legacy)
        #expect(second.restoredPurchases.isEmpty && second.restoreFailedPurchases.count == 1)
        let (error, product) = try #require(second.restoreFailedPurchases.first)
        expectEqual(error.code, .unknown)
        expectEqual(product, nil)
        #expect(error.debugText.contains("Another restore is running"))
        expectEqual(first.count, 0)
    }

    @Test func `R2: a restore inside a restore's completion starts`() async throws {
        let legacy = try await world.owning([LegacyWorld.pro])
        let outer = Answers<RestoreResults>()
        let inner = Answers<RestoreResults>()
        legacy.restorePurchases(
            completion: outer.completion { _ in legacy.restorePurchases(completion: inner.completion()) })
        expectEqual(try await inner.next().restoredPurchases.map(\.productId), [LegacyWorld.pro])
        expectEqual(outer.count, 1)
    }

    @Test func `R3: an answer from inside the call that restores is delivered`() async throws {
        let world = LegacyWorld(thread: .caller)
        let legacy = try await world.owning([LegacyWorld.pro])
        expectEqual(try await world.restore(of: legacy).restoredPurchases.map(\.productId), [LegacyWorld.pro])
    }

    @Test func `P4: a restored row belongs to the restore, even if a payment for its product is pending`() async throws
    {
        let legacy = try await world.owning([LegacyWorld.pro])
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let answers = Answers<PurchaseResult>()
        let request = legacy.purchaseProduct(LegacyWorld.pro, completion: answers.completion())
        let payment = try await withDeadline("the payment") {
            try await legacy.store.core.diagnostics() { $0.inFlight != nil }
        }
        expectEqual(payment.inFlight?.productID, LegacyWorld.pro)
        try await world.settle(legacy)
        expectEqual(try await world.restore(of: legacy).restoredPurchases.map(\.productId), [LegacyWorld.pro])
        expectEqual(answers.count, 0)
        request.cancel()
        expectEqual(try await answers.next().error?.code, .paymentCancelled)
    }

    @Test func `P8: a crash inside a restore's completion loses nothing`() async throws {
        let crashing = try await world.owning([LegacyWorld.pro])
        let world = world
        let next = Answers<LegacyStore>()
        crashing.restorePurchases { _ in next.completion()(world.launch()) }
        let legacy = try await next.next()
        let unasked = Answers<[Purchase]>()
        legacy.completeTransactions(completion: unasked.completion())
        expectEqual(try await unasked.next().map(\.productId), [LegacyWorld.pro])
        #expect(try await world.queue(of: legacy).isEmpty)
    }
}
