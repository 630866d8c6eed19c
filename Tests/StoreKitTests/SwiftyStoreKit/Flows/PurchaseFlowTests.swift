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
        let world = LegacyWorld(engine)
        let legacy = world.launch()
        let answers = Answers<PurchaseResult>()
        _ = legacy.purchaseProduct(LegacyWorld.coins, quantity: 3, completion: answers.completion())
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
        let world = LegacyWorld(engine)
        let legacy = world.launch()
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

    @Test(arguments: Engine.allCases) func `a purchase that isn't atomic stays in the queue until the app finishes it`(
        engine: Engine
    )
        async throws
    {
        let world = LegacyWorld(engine)
        let legacy = world.launch()
        let purchase = try #require(await world.buy(LegacyWorld.pro, atomically: false, of: legacy).success)
        #expect(purchase.needsFinishTransaction)
        expectEqual(try await world.queue(of: legacy).count, 1)
        legacy.finishTransaction(purchase.transaction)
        #expect(try await world.queue(of: legacy).isEmpty)
        try await world.untilFinished()
        expectEqual(world.appStore.allTransactions().map(\.isFinished), [true])
    }

    @Test(arguments: Engine.storeKit1(because: .transaction))
    func `a loaded product is bought without a request, with its offer`(engine: Engine) async throws {
        let world = LegacyWorld(engine)
        world.appStore.catalog = LegacyWorld.catalogWithOffer
        let legacy = world.launch()
        let product = try await world.product("monthly", of: legacy)
        let answers = Answers<PurchaseResult>()
        legacy.purchaseProduct(
            product, paymentDiscount: PaymentDiscount(discount: LegacyWorld.discount), completion: answers.completion())
        let purchase = try #require(await answers.next().success)
        #expect(purchase.product === product)
        let payment = try #require(purchase.transaction as? SKPaymentTransaction).payment
        expectEqual(payment.paymentDiscount?.identifier, "half")
        expectEqual(payment.paymentDiscount?.nonce, LegacyWorld.discount.nonce)
        expectEqual(world.appStore.allTransactions().first?.promotionalOfferID, "half")
    }

    @Test(arguments: Engine.storeKit1(because: .error))
    func `a failed purchase keeps StoreKit's code and description, and leaves the queue`(engine: Engine) async throws {
        let world = LegacyWorld(engine)
        let legacy = world.launch()
        for error in [
            SimulatedError.unknown, .storeProductNotAvailable, .paymentNotAllowed,
            SimulatedError(code: 9999, message: "New"),
        ] {
            world.appStore.setNextPurchaseOutcome(.failed(error))
            let result = try #require(await world.buy(LegacyWorld.coins, of: legacy).error)
            expectEqual(result.errorCode, error.code)
            expectEqual(result.localizedDescription, error.message)
            expectEqual(result._nsError.domain, SKErrorDomain)
        }
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test(arguments: Engine.allCases) func `a sheet that the customer closes is SKError.paymentCancelled`(
        engine: Engine
    ) async throws {
        let world = LegacyWorld(engine)
        let legacy = world.launch()
        world.appStore.setNextPurchaseOutcome(.userCancelled)
        let error = try #require(await world.buy(LegacyWorld.coins, of: legacy).error)
        expectEqual(error.code, .paymentCancelled)
        #expect(engine == .storeKit2 || error.localizedDescription == SimulatedError.paymentCancelled.message)
    }

    @Test(arguments: Engine.allCases)
    func `a deferred purchase is reported, isn't finished, and has StoreKit's transaction`(engine: Engine)
        async throws
    {
        let world = LegacyWorld(engine)
        let legacy = world.launch()
        world.appStore.setNextPurchaseOutcome(.deferred)
        let purchase = try #require(await world.buy(LegacyWorld.pro, of: legacy).deferred)
        expectEqual(purchase.productId, LegacyWorld.pro)
        expectEqual(purchase.product.productIdentifier, LegacyWorld.pro)
        #expect(
            purchase.transaction is SKPaymentTransaction == engine.hasObjects
                && purchase.transaction.transactionState == .deferred)
        #expect(!purchase.needsFinishTransaction && purchase.originalPurchaseDate == .distantPast)
        try await world.settle(legacy)
        #expect(world.appStore.allTransactions().map(\.state) == [.deferred] && world.appStore.misuses.isEmpty)
    }

    @Test(arguments: Engine.storeKit1(because: .userName)) func `the Ask to Buy simulation is set on the payment`(
        engine: Engine
    )
        async throws
    {
        let world = LegacyWorld(engine)
        let legacy = world.launch()
        let answers = Answers<PurchaseResult>()
        _ = legacy.purchaseProduct(
            LegacyWorld.pro, applicationUsername: "ada", simulatesAskToBuyInSandbox: true,
            completion: answers.completion())
        let transaction = try #require(await answers.next().deferred?.transaction as? SKPaymentTransaction)
        #expect(transaction.payment.simulatesAskToBuyInSandbox && transaction.payment.applicationUsername == "ada")
    }

    @Test(arguments: Engine.storeKit1(because: .ownedAlready))
    func `an owned product that StoreKit returns again is a success with its original`(engine: Engine) async throws {
        let world = LegacyWorld(engine)
        let legacy = try await world.owning([LegacyWorld.pro])
        world.appStore.setNextPurchaseOutcome(.restored)
        let purchase = try #require(await world.buy(LegacyWorld.pro, of: legacy).success)
        #expect(
            purchase.transaction.transactionState == .restored && purchase.originalTransaction is SKPaymentTransaction)
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `a product that is not for sale is SKError.paymentInvalid, and the message for the log names it`(
        engine: Engine
    ) async throws {
        let world = LegacyWorld(engine)
        let legacy = world.launch()
        let error = try #require(await world.buy("nothing", of: legacy).error)
        expectEqual(error.code, .paymentInvalid)
        expectEqual(error.debugText, "Invalid product id: nothing")
        #expect(!error.localizedDescription.contains("nothing"), "customers read no identifiers")
    }

    @Test(arguments: Engine.allCases) func `a device without permission to pay fails with SKError.paymentNotAllowed`(
        engine: Engine
    )
        async throws
    {
        let world = LegacyWorld(engine)
        world.appStore.behavior.canMakePayments = false
        let legacy = world.launch()
        #expect(!legacy.canMakePayments)
        expectEqual(try #require(await world.buy(LegacyWorld.coins, of: legacy).error).code, .paymentNotAllowed)
        #expect(world.appStore.allTransactions().isEmpty)
    }

    @Test(arguments: Engine.allCases) func `a completion can buy again, restore and load products`(engine: Engine)
        async throws
    {
        let world = LegacyWorld(engine)
        let legacy = world.launch()
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
        let world = LegacyWorld(.storeKit1, thread: thread)
        let legacy = world.launch()
        let older = try #require(await world.buy(LegacyWorld.pro, atomically: false, of: legacy).success)
        world.clock.advance(by: 60)
        world.appStore.setNextPurchaseOutcome(.returnsUnfinishedTransaction)
        let answer = try #require(await world.buy(LegacyWorld.pro, of: legacy).success)
        expectEqual(answer.transaction.transactionIdentifier, older.transaction.transactionIdentifier)
        #expect(try await world.queue(of: legacy).isEmpty)
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
        let gold = try #require(try await world.buy("gold", of: legacy).success)
        let silver = try #require(try await world.buy("silver", of: legacy).success)
        expectEqual(gold.productId, "gold")
        expectEqual(silver.productId, engine == .storeKit1 ? "silver" : "gold")
        expectEqual(silver.product.productIdentifier, "silver", "the product of the call")
        expectEqual(silver.transaction.transactionIdentifier, gold.transaction.transactionIdentifier)
    }
}
