import AppStoreSimulator
import AsyncStoreKit
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Tests that the block API doesn't have 0.16.4's defects of payments and transactions.
@Suite(.bounded) struct LegacyPaymentDefectTests {
    private let world = LegacyWorld()

    @Test func `P1: an answer from inside the call that adds the payment is delivered`() async throws {
        let world = LegacyWorld(thread: .caller)
        expectEqual(try await world.buy(LegacyWorld.coins, of: world.launch()).success?.productId, LegacyWorld.coins)
    }

    @Test func `P2: an old unfinished transaction goes to completeTransactions, and the new one answers the purchase`()
        async throws
    {
        let old = try #require(await world.buy(LegacyWorld.coins, atomically: false, of: world.launch()).success)
        let oldID = try #require(old.transaction.transactionIdentifier)
        let legacy = world.launch()
        let unasked = Answers<[Purchase]>()
        legacy.completeTransactions(atomically: false, completion: unasked.completion())
        expectEqual(try await unasked.next().map(\.transaction.transactionIdentifier), [oldID])
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let answers = Answers<PurchaseResult>()
        let request = legacy.purchaseProduct(LegacyWorld.coins, completion: answers.completion())
        try await world.settle(legacy)
        #expect(try await legacy.store.diagnostics().inFlight != nil)
        // Reported again while the payment is in progress.
        world.appStore.redeliver(try world.entry(.purchased))
        try await world.settle(legacy)
        expectEqual(answers.count, 0, "the old one has answered the new payment")
        request.cancel()
        expectEqual(try await answers.next().error?.code, .paymentCancelled)
        let new = try #require(await world.buy(LegacyWorld.coins, of: legacy).success)
        #expect(new.transaction.transactionIdentifier != oldID)
        expectEqual(try await world.queue(of: legacy).map(\.id), [oldID])
        expectEqual(unasked.count, 1)
    }

    @Test
    func `P3: two payments for one product are answered by their own transactions, and the right one is finished`()
        async throws
    {
        let legacy = world.launch()
        let one = Answers<PurchaseResult>()
        let five = Answers<PurchaseResult>()
        _ = legacy.purchaseProduct(
            LegacyWorld.coins, atomically: false, applicationUsername: "a", completion: one.completion())
        _ = legacy.purchaseProduct(
            LegacyWorld.coins, quantity: 5, applicationUsername: "b", completion: five.completion())
        let first = try #require(await one.next().success)
        let second = try #require(await five.next().success)
        #expect(first.quantity == 1 && first.needsFinishTransaction)
        #expect(second.quantity == 5 && !second.needsFinishTransaction)
        expectEqual((second.transaction as? SKPaymentTransaction)?.payment.applicationUsername, "b")
        expectEqual(try await world.queue(of: legacy).map(\.quantity), [1])
    }

    @Test func `P5: an approval arrives at completeTransactions, once, after the call was deferred`() async throws {
        let legacy = world.launch()
        let unasked = Answers<[Purchase]>()
        legacy.completeTransactions(completion: unasked.completion())
        world.appStore.setNextPurchaseOutcome(.deferred)
        #expect(try await world.buy(LegacyWorld.pro, of: legacy).deferred != nil)
        try await world.settle(legacy)
        expectEqual(unasked.count, 0)
        try world.appStore.approveAskToBuyTransaction(id: try world.entry(.deferred))
        expectEqual(try await unasked.next().map(\.transaction.transactionState), [.purchased])
        #expect(try await world.queue(of: legacy).isEmpty)
        expectEqual(unasked.count, 1)
    }

    @Test func `P6: completeTransactions(atomically: true) never finishes a deferred transaction`() async throws {
        world.appStore.setNextPurchaseOutcome(.deferred)
        _ = try await world.buy(LegacyWorld.pro, of: world.launch())
        let legacy = world.launch()
        let unasked = Answers<[Purchase]>()
        legacy.completeTransactions(completion: unasked.completion())
        expectEqual(try await unasked.next().map(\.transaction.transactionState), [.deferred])
        try await world.settle(legacy)
        #expect(world.appStore.allTransactions().map(\.state) == [.deferred] && world.appStore.misuses.isEmpty)
        try world.appStore.approveAskToBuyTransaction(id: try world.entry(.deferred))
        expectEqual(try await unasked.first(2)[1].map(\.productId), [LegacyWorld.pro])
    }

    @Test func `P7: an interrupted purchase fails, then arrives at completeTransactions`() async throws {
        let legacy = world.launch()
        let unasked = Answers<[Purchase]>()
        legacy.completeTransactions(completion: unasked.completion())
        world.appStore.setNextPurchaseOutcome(.interrupted)
        expectEqual(try await world.buy(LegacyWorld.pro, of: legacy).error?.code, .unknown)
        try world.appStore.resolveIssueForTransaction(id: try world.entry(.interrupted))
        expectEqual(try await unasked.next().map(\.productId), [LegacyWorld.pro])
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test func `P8: a crash inside the callback of completeTransactions loses nothing`() async throws {
        try world.appStore.buyProduct(productID: LegacyWorld.pro)
        let crashing = world.launch()
        let answers = Answers<[Purchase]>()
        let world = world
        let next = Answers<LegacyStore>()
        // The first launch has ended now, as after a crash at this point.
        crashing.completeTransactions(completion: answers.completion { _ in next.completion()(world.launch()) })
        let legacy = try await next.next()
        let unasked = Answers<[Purchase]>()
        legacy.completeTransactions(completion: unasked.completion())
        expectEqual(try await unasked.next().map(\.productId), [LegacyWorld.pro])
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test func `P9: transactions before completeTransactions are held, with any first call`() async throws {
        _ = try await world.buy(LegacyWorld.pro, atomically: false, of: world.launch())
        let legacy = world.launch()
        #expect(legacy.canMakePayments)
        _ = try await world.product(LegacyWorld.coins, of: legacy)
        _ = try await world.buy(LegacyWorld.coins, of: legacy)
        _ = try await world.restore(of: legacy)
        let unasked = Answers<[Purchase]>()
        legacy.completeTransactions(completion: unasked.completion())
        expectEqual(try await unasked.next().map(\.productId), [LegacyWorld.pro])
    }

    @Test(arguments: [0, -3, 11, 99, .max, .min])
    func `P12: quantities outside 1 to 10 are SKError.paymentInvalid, and named`(quantity: Int) async throws {
        let legacy = world.launch()
        let product = try await world.product(LegacyWorld.coins, of: legacy)
        let answers = Answers<PurchaseResult>()
        let request = legacy.purchaseProduct(LegacyWorld.coins, quantity: quantity, completion: answers.completion())
        legacy.purchaseProduct(product, quantity: quantity, completion: answers.completion())
        request.cancel()
        for result in try await answers.first(2) {
            expectEqual(result.error?.code, .paymentInvalid)
            expectEqual(result.error?.debugText.contains("\(quantity)"), true)
        }
        try await world.settle(legacy)
        #expect(world.appStore.allTransactions().isEmpty && world.appStore.misuses.isEmpty && answers.count == 2)
    }

    @Test func `P12: without a user name the payment has none, not an empty one`() async throws {
        let purchase = try #require(await world.buy(LegacyWorld.coins, of: world.launch()).success)
        let payment = try #require(purchase.transaction as? SKPaymentTransaction).payment
        expectEqual(payment.applicationUsername, nil)
    }

    @Test func `P13: a transaction removed without an outcome ends the wait, and the next payment gets its own answer`()
        async throws
    {
        let legacy = world.launch()
        world.appStore.setNextPurchaseOutcome(.removed)
        expectEqual(try await world.buy(LegacyWorld.coins, of: legacy).error?.code, .unknown)
        #expect(try await world.buy(LegacyWorld.coins, of: legacy).success != nil)
    }

    @Test func `P14: the original purchase date of a failed or deferred transaction is the distant past`()
        async throws
    {
        let legacy = world.launch()
        let unasked = Answers<[Purchase]>()
        legacy.completeTransactions(completion: unasked.completion())
        world.appStore.setNextPurchaseOutcome(.deferred)
        expectEqual(try await world.buy(LegacyWorld.pro, of: legacy).deferred?.originalPurchaseDate, .distantPast)
        try world.appStore.declineAskToBuyTransaction(id: try world.entry(.deferred))
        expectEqual(try await unasked.next().map(\.originalPurchaseDate), [.distantPast])
    }

    @Test func `P16: finishing a purchasing, deferred, finished or foreign transaction has no effect`() async throws {
        let environment = StoreKit1Environment(launch: world.appStore.launch())
        let legacy = LegacyStore(
            backend: StoreKit1Backend(environment: environment), configuration: StoreConfiguration(clock: world.clock))
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let request = legacy.purchaseProduct(LegacyWorld.news) { _ in }
        let purchasing = Answers<Void>()
        _ = legacy.retrieveProductsInfo([LegacyWorld.news], completion: { _ in purchasing.completion()(()) })
        try await purchasing.first(1)
        try await world.settle(legacy)
        let object = try #require(environment.queue.transactions.first)
        expectEqual(object.transactionState, .purchasing)
        legacy.finishTransaction(object)
        try await world.settle(legacy)
        #expect(environment.queue.transactions.first === object)
        request.cancel()
        world.appStore.setNextPurchaseOutcome(.deferred)
        let deferred = try #require(await world.buy(LegacyWorld.pro, of: legacy).deferred)
        legacy.finishTransaction(deferred.transaction)
        let purchase = try #require(await world.buy(LegacyWorld.coins, atomically: false, of: legacy).success)
        legacy.finishTransaction(purchase.transaction)
        legacy.finishTransaction(purchase.transaction)
        try await world.settle(legacy)
        legacy.finishTransaction(purchase.transaction)
        legacy.finishTransaction(SKPaymentTransaction())
        try await world.settle(legacy)
        #expect(world.appStore.misuses.isEmpty)
        expectEqual(Set(world.appStore.allTransactions().map(\.isFinished)), [false, true])
    }
}
