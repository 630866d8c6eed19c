import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct PromotionFlowTests {
    private struct Question: Sendable, Equatable {
        let payment: String
        let product: String
        let isOnMain: Bool
        /// The number of earlier purchases.
        let purchases: Int
    }

    @Test(arguments: Engine.allCases, SimulatorBehavior.DeliveryThread.allCases)
    func `the handler is called on the main queue, and continued purchases go to completeTransactions`(
        engine: Engine, thread: SimulatorBehavior.DeliveryThread
    )
        async throws
    {
        let world = LegacyWorld(engine, thread: thread)
        let (legacy, appStore) = (world.launch(), world.appStore)
        let questions = Recorder<Question>()
        legacy.shouldAddStorePaymentHandler = { payment, product in
            questions.record(
                Question(
                    payment: payment.productIdentifier, product: product.productIdentifier,
                    isOnMain: MainQueue.isCurrent, purchases: appStore.allTransactions().count))
            return true
        }
        let answers = legacy.listening()
        try world.appStore.promotePurchase(of: LegacyWorld.pro)
        expectEqual(
            try await questions.first(1),
            [Question(payment: LegacyWorld.pro, product: LegacyWorld.pro, isOnMain: true, purchases: 0)])
        expectEqual(try await answers.next().map(\.productId), [LegacyWorld.pro])
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test @MainActor func `on the main thread, the handler is called from inside the call`() async throws {
        let (world, legacy) = LegacyWorld.launched(.storeKit1(because: .promotedPurchase), thread: .caller)
        let questions = Recorder<Bool>()
        legacy.shouldAddStorePaymentHandler = { _, _ in
            questions.record(MainQueue.isCurrent)
            return false
        }
        try world.appStore.promotePurchase(of: LegacyWorld.pro)
        expectEqual(questions.elements, [true])
    }

    @Test(arguments: Engine.allCases) func `a purchase that the handler defers waits in the store's purchaseIntents`(
        engine: Engine
    ) async throws {
        let (world, legacy) = LegacyWorld.launched(engine)
        let asked = Recorder<String>()
        legacy.shouldAddStorePaymentHandler = { payment, _ in
            asked.record(payment.productIdentifier)
            return false
        }
        try world.appStore.promotePurchase(of: LegacyWorld.pro)
        _ = try await asked.first(1)
        try await world.settle(legacy)
        #expect(world.appStore.allTransactions().isEmpty)
        var promotions = legacy.store.purchaseIntents.makeAsyncIterator()
        let promotion = try #require(await promotions.next())
        #expect(promotion.product.id == LegacyWorld.pro && !promotion.isContinuedAutomatically)
        _ = try await promotion.purchase { _ in }
        expectEqual(world.appStore.allTransactions().count, 1)
    }

    @Test(arguments: Engine.allCases) func `the handler takes precedence over the store's policy until it's removed`(
        engine: Engine
    ) async throws {
        let (world, legacy) = LegacyWorld.launched(engine)
        legacy.store.setPolicies(PaymentQueuePolicies(promotedPurchase: .continue))
        let asked = Recorder<String>()
        legacy.shouldAddStorePaymentHandler = { payment, _ in
            asked.record(payment.productIdentifier)
            return false
        }
        #expect(legacy.shouldAddStorePaymentHandler != nil)
        try world.appStore.promotePurchase(of: LegacyWorld.pro)
        _ = try await asked.first(1)
        try await world.settle(legacy)
        #expect(world.appStore.allTransactions().isEmpty)
        legacy.shouldAddStorePaymentHandler = nil
        #expect(legacy.shouldAddStorePaymentHandler == nil)
        let purchases = StreamListener(legacy.store.transactions)
        try world.appStore.promotePurchase(of: LegacyWorld.news)
        _ = try await purchases.next()
        expectEqual(world.appStore.allTransactions().map(\.productID), [LegacyWorld.news])
        expectEqual(asked.elements, [LegacyWorld.pro])
    }

    @Test(arguments: Engine.allCases)
    func `a continued purchase that fails goes to completeTransactions and leaves the queue`(engine: Engine)
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(engine)
        legacy.shouldAddStorePaymentHandler = { _, _ in true }
        let answers = legacy.listening()
        world.appStore.setNextPurchaseOutcome(.failed(.purchaseNotAllowed))
        try world.appStore.promotePurchase(of: LegacyWorld.pro)
        let purchase = try #require(await answers.next().first)
        expectEqual(purchase.productId, LegacyWorld.pro)
        expectEqual(purchase.transaction.transactionState, .failed)
        #expect(!purchase.needsFinishTransaction)
        try await world.settle(legacy)
        #expect(world.appStore.allTransactions().isEmpty)
    }

    @Test(arguments: Engine.allCases) func `the handler may call back into the library`(engine: Engine) async throws {
        let (world, legacy) = LegacyWorld.launched(engine)
        let products = Answers<RetrieveResults>()
        legacy.shouldAddStorePaymentHandler = { _, product in
            _ = legacy.retrieveProductsInfo([product.productIdentifier], completion: products.completion())
            legacy.shouldAddStorePaymentHandler = nil
            return true
        }
        try world.appStore.promotePurchase(of: LegacyWorld.pro)
        expectEqual(try await products.next().retrievedProducts.count, 1)
    }
}
