import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct UnsolicitedTransactionTests {
    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `unfinished transactions at launch reach completeTransactions on the main queue, and are then finished`(
        engine: StoreEngine
    ) async throws {
        let world = StoreWorld(selling: .shop, signs: true, engine: engine)
        let products = [StoreWorld.coins, StoreWorld.news, StoreWorld.pro]
        for product in products { try world.appStore.buyProduct(productID: product) }
        let legacy = world.launchLegacy()
        let answers = legacy.listening()
        expectEqual(try await world.unfinished(of: legacy), [])
        let purchases = answers.all.flatMap { $0 }
        expectEqual(purchases.map(\.productId).sorted(), products)
        #expect(purchases.allSatisfy { $0.transaction.transactionState == .purchased && !$0.needsFinishTransaction })
        #expect(answers.cameOnMain)
        expectEqual(world.appStore.allTransactions().map(\.isFinished), [true, true, true])
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `without atomicity, transactions stay until the app finishes them`(
        engine: StoreEngine
    ) async throws {
        let world = StoreWorld(selling: .shop, signs: true, engine: engine)
        let legacy = world.launchLegacy()
        let answers = legacy.listening(atomically: false)
        try world.appStore.buyProduct(productID: StoreWorld.pro)
        let purchase = try #require(await answers.next().first)
        #expect(purchase.needsFinishTransaction)
        expectEqual(try await world.unfinished(of: legacy), [StoreWorld.pro])
        legacy.finishTransaction(purchase.transaction)
        expectEqual(try await world.unfinished(of: legacy), [])
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `an approval reaches completeTransactions, and an unfinished transaction the next launch`(
        engine: StoreEngine
    ) async throws {
        let world = StoreWorld(selling: .shop, signs: true, engine: engine)
        world.appStore.setNextPurchaseOutcome(.deferred)
        let legacy = world.launchLegacy()
        let answers = legacy.listening(atomically: false)
        let outcome = try await legacy.store.purchase(StoreWorld.coins)
        guard case .pending = outcome else {
            Issue.record("\(outcome)")
            return
        }
        try world.appStore.approvePurchase(of: StoreWorld.coins)
        try await world.settle(legacy)
        expectEqual(answers.all.last?.map(\.productId), [StoreWorld.coins])
        let next = world.launchLegacy()
        let again = next.listening()
        expectEqual(try await again.next().map(\.productId), [StoreWorld.coins])
        expectEqual(try await world.unfinished(of: next), [])
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `five calls of completeTransactions credit one coin, and the first call decides who finishes`(
        engine: StoreEngine
    ) async throws {
        let world = StoreWorld(selling: .shop, signs: true, engine: engine)
        let log = Recorder<StoreLogEvent>()
        let legacy = world.launchLegacy(StoreConfiguration(log: { log.record($0) }))
        let credits = Answers<[Purchase]>()
        for call in 0..<5 { legacy.completeTransactions(atomically: call != 0, completion: credits.completion()) }
        try world.appStore.buyProduct(productID: StoreWorld.coins)
        let purchase = try #require(await credits.next().first)
        #expect(purchase.needsFinishTransaction)
        // The later atomic calls don't finish transactions that the first handler is delivering.
        expectEqual(try await world.unfinished(of: legacy), [StoreWorld.coins])
        legacy.finishTransaction(purchase.transaction)
        expectEqual(try await world.unfinished(of: legacy), [])
        expectEqual(credits.count, 1)
        let ignored = log.elements.filter { $0.level == .warning && $0.message.hasPrefix("completeTransactions uses") }
        expectEqual(ignored.count, 4)
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `only the first handler of revoked entitlements is called, on the main queue, even for an earlier revocation`(
        engine: StoreEngine
    ) async throws {
        let world = StoreWorld(selling: .shop, signs: true, engine: engine)
        let legacy = try await world.launchLegacy(owning: [StoreWorld.pro])
        try world.appStore.refund(StoreWorld.pro)
        try await world.settle(legacy)
        let (first, second) = (Answers<[String]>(), Answers<[String]>())
        legacy.onEntitlementRevocation(completion: first.completion())
        legacy.onEntitlementRevocation(completion: second.completion())
        expectEqual(try await first.next(), [StoreWorld.pro])
        try await world.settle(legacy)
        #expect(first.count == 1 && first.cameOnMain && second.count == 0)
        // StoreKit 2 repeats a revocation at every launch until the app has received it.
        let next = world.launchLegacy()
        next.onEntitlementRevocation(completion: second.completion())
        try await world.settle(next)
        expectEqual(second.count, 0)
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2]) func `a subscription is purchased, and expires`(
        engine: StoreEngine
    )
        async throws
    {
        let world = StoreWorld(selling: .shop, signs: true, engine: engine)
        world.appStore.behavior.signsReceipts = true
        let legacy = try await world.launchLegacy(owning: [StoreWorld.weekly])
        func word() async throws -> String {
            let answers = Answers<Result<VerifySubscriptionResult, StoreError>>()
            OwnedPurchases(core: legacy.store.core).verifySubscriptions(
                ofType: .autoRenewable, productIds: [StoreWorld.weekly], validUntil: world.appStore.now,
                completion: answers.completion())
            switch try await answers.next() {
            case .success(.purchased(_, let items)): return "purchased \(items.count)"
            case .success(.expired): return "expired"
            case .success(.notPurchased): return "not purchased"
            case .failure(let error): return "\(error.code)"
            }
        }
        expectEqual(try await word(), "purchased 1")
        try world.appStore.expireSubscription(productID: StoreWorld.weekly)
        try await world.settle(legacy)
        expectEqual(try await word(), "expired")
    }
}
