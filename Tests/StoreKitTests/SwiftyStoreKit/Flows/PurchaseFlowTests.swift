import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct PurchaseFlowTests {
    @Test(arguments: Engine.allCases) func `an atomic purchase is answered once, on main, and finished`(engine: Engine)
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(engine)
        let answers = legacy.buying(LegacyWorld.coins, quantity: 3)
        let purchase = try #require(await answers.next().success)
        expectEqual(purchase.productId, LegacyWorld.coins)
        expectEqual(purchase.quantity, 3)
        expectEqual(purchase.product.productIdentifier, LegacyWorld.coins)
        #expect(!purchase.needsFinishTransaction && purchase.originalTransaction == nil)
        #expect(
            purchase.transaction is SKPaymentTransaction == engine.hasObjects
                && purchase.transaction.transactionState == .purchased)
        expectEqual(purchase.originalPurchaseDate, purchase.transaction.transactionDate)
        #expect(try await world.queue(of: legacy).isEmpty)
        #expect(answers.count == 1 && answers.cameOnMain)
        try await world.untilFinished()
        expectEqual(world.appStore.allTransactions().map(\.isFinished), [true])
    }

    @Test(arguments: Engine.allCases) func `an atomic purchase is not finished before its completion has returned`(
        engine: Engine
    )
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(engine)
        let answers = Answers<PurchaseResult>()
        let unfinished = Answers<Int?>()
        _ = legacy.purchaseProduct(
            LegacyWorld.coins,
            completion: answers.completion { _ in world.note(unfinishedOf: legacy, in: unfinished) })
        expectEqual(try await unfinished.next(), 1)
        try await world.settle(legacy)
        try await world.untilFinished()
        expectEqual(world.appStore.allTransactions().map(\.isFinished), [true])
    }

    @Test func `a loaded product is bought without a request, with its offer`() async throws {
        let world = LegacyWorld(.storeKit1(because: .transaction))
        world.appStore.catalog = LegacyWorld.catalogWithOffer
        let legacy = world.launch()
        let product = try await world.product("monthly", of: legacy)
        let answers = legacy.buying(product, paymentDiscount: PaymentDiscount(discount: LegacyWorld.discount))
        let purchase = try #require(await answers.next().success)
        #expect(purchase.product === product)
        let payment = try #require(purchase.transaction as? SKPaymentTransaction).payment
        expectEqual(payment.paymentDiscount?.identifier, "half")
        expectEqual(payment.paymentDiscount?.nonce, LegacyWorld.discount.nonce)
        expectEqual(world.appStore.allTransactions().first?.promotionalOfferID, "half")
    }

    @Test func `the Ask to Buy simulation is set on the payment`() async throws {
        let legacy = LegacyWorld(.storeKit1(because: .userName)).launch()
        let answers = legacy.buying(LegacyWorld.pro, applicationUsername: "ada", simulatesAskToBuyInSandbox: true)
        let transaction = try #require(await answers.next().deferred?.transaction as? SKPaymentTransaction)
        #expect(transaction.payment.simulatesAskToBuyInSandbox && transaction.payment.applicationUsername == "ada")
    }

    @Test(arguments: Engine.allCases) func `a completion can buy again, restore and load products`(engine: Engine)
        async throws
    {
        let legacy = LegacyWorld(engine).launch()
        let outer = Answers<PurchaseResult>()
        let inner = Answers<PurchaseResult>()
        let restored = Answers<RestoreResults>()
        let products = Answers<RetrieveResults>()
        _ = legacy.purchaseProduct(
            LegacyWorld.coins,
            completion: outer.completion { _ in
                _ = legacy.purchaseProduct(LegacyWorld.pro, completion: inner.completion())
                legacy.restorePurchases(completion: restored.completion())
                _ = legacy.retrieveProductsInfo([LegacyWorld.news], completion: products.completion())
            })
        expectEqual(try await inner.next().success?.productId, LegacyWorld.pro)
        #expect(try await restored.next().restoreFailedPurchases.isEmpty)
        expectEqual(try await products.next().retrievedProducts.count, 1)
        expectEqual(outer.count, 1)
    }
}

extension PurchaseFlowTests {
    @Test(arguments: SimulatorBehavior.DeliveryThread.allCases)
    func `an unfinished purchase that StoreKit returns is the answer`(thread: SimulatorBehavior.DeliveryThread)
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(.storeKit1, thread: thread)
        let older = try #require(await legacy.buying(LegacyWorld.pro, atomically: false).next().success)
        world.clock.advance(by: 60)
        world.appStore.setNextPurchaseOutcome(.returnsUnfinishedTransaction)
        let answer = try #require(await legacy.buying(LegacyWorld.pro).next().success)
        expectEqual(answer.transaction.transactionIdentifier, older.transaction.transactionIdentifier)
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test func `a network error is SKError.unknown with its cause`() async throws {
        let (world, legacy) = LegacyWorld.launched()
        world.appStore.behavior.productRequestError = .notConnectedToInternet
        var errors = [try #require(await legacy.buying(LegacyWorld.pro).next().error)]
        world.appStore.behavior.productRequestError = nil
        for error in [SimulatedError.notConnectedToInternet, SimulatedError(code: -1009)] {
            world.appStore.setNextPurchaseOutcome(.failed(error))
            errors.append(try #require(await legacy.buying(LegacyWorld.pro).next().error))
            world.appStore.behavior.restoreEnding = .fails(error, afterRows: 0)
            errors.append(try #require(await legacy.restoring().next().restoreFailedPurchases.first).0)
        }
        expectEqual(errors.map(\.code), Array(repeating: .unknown, count: 5))
        let causes = errors.map { $0.userInfo[NSUnderlyingErrorKey] as? NSError }
        #expect(causes.allSatisfy { $0?.domain == NSURLErrorDomain && $0?.code == NSURLErrorNotConnectedToInternet })
    }

    @Test(arguments: Engine.allCases)
    func `a downgrade succeeds with the product that was bought, over StoreKit 2 with that of the running period`(
        engine: Engine
    ) async throws {
        let world = LegacyWorld(
            engine,
            catalog: SimulatedCatalog(products: [
                .autoRenewable("gold", price: 9, period: .month(1), group: "club"),
                .autoRenewable("silver", price: 5, period: .month(1), group: "club", level: 2),
            ]))
        let legacy = world.launch()
        let gold = try #require(try await legacy.buying("gold").next().success)
        let silver = try #require(try await legacy.buying("silver").next().success)
        expectEqual(gold.productId, "gold")
        expectEqual(silver.productId, engine == .storeKit1 ? "silver" : "gold")
        expectEqual(silver.product.productIdentifier, "silver", "the product of the call")
        expectEqual(silver.transaction.transactionIdentifier, gold.transaction.transactionIdentifier)
    }
}
