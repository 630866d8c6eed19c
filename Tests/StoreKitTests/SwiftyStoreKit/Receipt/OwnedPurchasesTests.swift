import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Tests the questions without a receipt over both engines.
@Suite(.bounded) struct OwnedPurchasesTests {
    private func stage(_ engine: Engine) async throws -> QueueStage {
        let stage = try await LegacyWorld.$engine.withValue(engine) { try await QueueStage() }
        stage.appStore.behavior.signsReceipts = true
        return stage
    }

    private func subscription(_ product: String, of stage: QueueStage) async throws -> String {
        let answers = Answers<Result<VerifySubscriptionResult, StoreError>>()
        OwnedPurchases(core: stage.legacy.store.core).verifySubscriptions(
            ofType: .autoRenewable, productIds: [product], validUntil: stage.appStore.now,
            completion: answers.completion())
        let result = try await answers.next()
        #expect(answers.cameOnMain)
        switch result {
        case .success(.purchased(_, let items)): return "purchased \(items.count)"
        case .success(.expired): return "expired"
        case .success(.notPurchased): return "not purchased"
        case .failure(let error): return "\(error.code)"
        }
    }

    @Test(arguments: Engine.allCases)
    func `a subscription is purchased, and expires`(engine: Engine) async throws {
        let stage = try await stage(engine)
        #expect(try await stage.buy(LegacyWorld.weekly).success != nil)
        try await stage.world.settle(stage.legacy)
        expectEqual(try await subscription(LegacyWorld.weekly, of: stage), "purchased 1")
        expectEqual(try await subscription("another", of: stage), "not purchased")
        try stage.appStore.expireSubscription(productID: LegacyWorld.weekly)
        try await stage.world.settle(stage.legacy)
        expectEqual(try await subscription(LegacyWorld.weekly, of: stage), "expired")
    }

    @Test(arguments: Engine.allCases)
    func `a purchase is found, and its product is among the purchased products`(engine: Engine) async throws {
        let stage = try await stage(engine)
        let bought = try #require(await stage.buy(LegacyWorld.pro).success)
        try await stage.world.settle(stage.legacy)
        let answers = Answers<Result<VerifyPurchaseResult, StoreError>>()
        let owned = OwnedPurchases(core: stage.legacy.store.core)
        owned.verifyPurchase(productId: LegacyWorld.pro, completion: answers.completion())
        guard case .success(.purchased(let item)) = try await answers.next() else {
            Issue.record("not purchased")
            return
        }
        expectEqual(item.transactionId, bought.transaction.transactionIdentifier)
        let ids = Answers<Result<Set<String>, StoreError>>()
        owned.distinctPurchaseIds(completion: ids.completion())
        expectEqual(try await ids.next().get(), [LegacyWorld.pro])
    }
}
