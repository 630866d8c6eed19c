import AppStoreSimulator
import AsyncStoreKit
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// StoreKit changes an object between its report and the callback, which waits for the main queue.
@Suite(.bounded) struct ChangingObjectTests {
    /// Waits until all events have reached the block API, while the main queue is held.
    private func reportAll(_ legacy: LegacyStore, in world: LegacyWorld) async throws {
        for _ in 0..<8 {
            _ = try await legacy.store.diagnostics()
            try await world.appStore.idle()
        }
    }

    private func states(_ batches: [[Purchase]]) -> [String] {
        batches.joined().map { $0.transaction.transactionState.debugDescription }
    }

    @Test(arguments: [true, false])
    func `a deferred transaction of an earlier launch is reported as deferred, and once with the decision`(
        isApproved: Bool
    ) async throws {
        let world = LegacyWorld(.storeKit1(because: .pendingApproval))
        world.appStore.setNextPurchaseOutcome(.deferred)
        world.appStore.launch().add(SimulatedPayment(productID: LegacyWorld.coins))
        try await world.appStore.idle()
        let legacy = world.launch()
        let answers = Answers<[Purchase]>()
        let hold = MainQueue.hold()
        try await hold.begun()
        legacy.completeTransactions(atomically: false, completion: answers.completion())
        try await reportAll(legacy, in: world)
        let entry = try world.entry(.deferred)
        if isApproved {
            try world.appStore.approveAskToBuyTransaction(id: entry)
        } else {
            try world.appStore.declineAskToBuyTransaction(id: entry)
        }
        try await reportAll(legacy, in: world)
        hold.release()
        try await world.settle(legacy)
        expectEqual(states(answers.all), ["deferred", isApproved ? "purchased" : "failed"])
    }

    @Test func `a purchase whose result is deferred has a deferred transaction, and finishing that has no effect`()
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(.storeKit1(because: .pendingApproval))
        let later = legacy.listening(atomically: false)
        let product = try await world.product(LegacyWorld.coins, of: legacy)
        world.appStore.setNextPurchaseOutcome(.deferred)
        let answers = Answers<PurchaseResult>()
        let hold = MainQueue.hold()
        try await hold.begun()
        legacy.purchaseProduct(product, atomically: false, completion: answers.completion())
        try await reportAll(legacy, in: world)
        try world.appStore.approveAskToBuyTransaction(id: try world.entry(.deferred))
        try await reportAll(legacy, in: world)
        hold.release()
        let deferred = try #require(try await answers.next().deferred)
        expectEqual(deferred.transaction.transactionState, .deferred)
        #expect(deferred.transaction is SKPaymentTransaction)
        try await world.settle(legacy)
        expectEqual(states(later.all), ["purchased"])
        legacy.finishTransaction(deferred.transaction)
        expectEqual(try await world.queue(of: legacy).count, 1, "the approved purchase isn't delivered yet")
        for purchase in later.all.joined() { legacy.finishTransaction(purchase.transaction) }
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test func `downloads that go on before their callback are reported once in each state that they still have`()
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(.storeKit1(because: .hostedContent))
        let purchase = try #require(try await legacy.buying(LegacyWorld.maps, atomically: false).next().success)
        let finished = Recorder<String>()
        legacy.updatedDownloadsHandler = { downloads in
            for download in downloads where download.state == .finished {
                finished.record(download.contentIdentifier)
            }
        }
        let hold = MainQueue.hold()
        try await hold.begun()
        legacy.start(purchase.transaction.downloads)
        try await reportAll(legacy, in: world)
        for _ in 0..<10 {
            world.appStore.advance(by: 360)
            try await reportAll(legacy, in: world)
        }
        hold.release()
        try await world.settle(legacy)
        expectEqual(purchase.transaction.downloads.map(\.state), [.finished, .finished])
        expectEqual(finished.elements.sorted(), ["roads", "trails"])
    }

    @Test(arguments: Engine.allCases)
    func `products that another storefront replaces before their callback are those of the response`(
        engine: Engine
    ) async throws {
        let (world, legacy) = LegacyWorld.launched(engine)
        let known = try await world.product(LegacyWorld.pro, of: legacy)
        let (answers, results) = (Answers<RetrieveResults>(), Answers<PurchaseResult>())
        let hold = MainQueue.hold()
        try await hold.begun()
        _ = legacy.retrieveProductsInfo([LegacyWorld.coins], completion: answers.completion())
        legacy.purchaseProduct(known, completion: results.completion())
        try await reportAll(legacy, in: world)
        let before = world.appStore.storefront
        world.appStore.storefront = try #require(SimulatedStorefront(countryCode: "JPN"))
        #expect(before != world.appStore.storefront)
        _ = try await legacy.store.products(for: [LegacyWorld.coins, LegacyWorld.pro])
        try await reportAll(legacy, in: world)
        hold.release()
        let product = try #require(try await answers.next().retrievedProducts.first)
        expectEqual(product.priceLocale.identifier, known.priceLocale.identifier)
        #expect(try await results.next().success?.product === known)
        let reloaded = try await world.product(LegacyWorld.coins, of: legacy)
        #expect(reloaded.priceLocale.identifier != known.priceLocale.identifier, "the storefront has changed")
    }
}
