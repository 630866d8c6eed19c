import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Tests the questions without a receipt after a purchase of the block API, over both engines.
@Suite(.bounded) struct OwnedPurchasesTests {
    private func stage(_ engine: Engine) async throws -> QueueStage {
        let stage = try await LegacyWorld.$engine.withValue(engine) { try await QueueStage() }
        stage.appStore.behavior.signsReceipts = true
        return stage
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
