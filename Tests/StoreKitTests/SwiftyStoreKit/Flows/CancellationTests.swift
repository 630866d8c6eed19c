import AppStoreSimulator
import AsyncStoreKit
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct CancellationTests {
    /// Returns the error of a completion that was called once.
    private func onlyError(_ answers: Answers<PurchaseResult>, of legacy: LegacyStore, in world: LegacyWorld)
        async throws -> SKError.Code?
    {
        let error = try await answers.next().error
        try await world.settle(legacy)
        #expect(answers.count == 1 && answers.cameOnMain)
        return error?.code
    }

    @Test(arguments: Engine.allCases) func `a payment canceled while it waits is removed`(engine: Engine)
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(engine)
        for id in [LegacyWorld.pro, LegacyWorld.coins] { _ = try await world.product(id, of: legacy) }
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let first = Answers<PurchaseResult>()
        let second = Answers<PurchaseResult>()
        let inFlight = legacy.purchaseProduct(LegacyWorld.pro, completion: first.completion())
        let waiting = legacy.purchaseProduct(LegacyWorld.coins, completion: second.completion())
        waiting.cancel()
        expectEqual(try await onlyError(second, of: legacy, in: world), .paymentCancelled)
        expectEqual(first.count, 0)
        inFlight.cancel()
        expectEqual(try await onlyError(first, of: legacy, in: world), .paymentCancelled)
        #expect(world.appStore.allTransactions().isEmpty)
    }

    @Test(arguments: Engine.allCases)
    func `a payment canceled while StoreKit processes it continues, and its transaction goes to completeTransactions`(
        engine: Engine
    ) async throws {
        let (world, legacy) = LegacyWorld.launched(engine)
        let unasked = legacy.listening()
        let answers = Answers<PurchaseResult>()
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let request = legacy.purchaseProduct(LegacyWorld.pro, completion: answers.completion())
        _ = try await legacy.store.core.diagnostics() { $0.inFlight?.productID == LegacyWorld.pro }
        request.cancel()
        expectEqual(try await answers.next().error?.code, .paymentCancelled)
        try world.appStore.buyProduct(productID: LegacyWorld.pro)
        expectEqual(try await unasked.next().map(\.productId), [LegacyWorld.pro])
        expectEqual(answers.count, 1)
    }

    @Test(arguments: Engine.allCases)
    func `a request for products that is canceled before its completion runs is canceled`(engine: Engine) async throws {
        let (_, legacy) = LegacyWorld.launched(engine)
        let (first, second) = (Answers<RetrieveResults>(), Answers<RetrieveResults>())
        let requests = Answers<any InAppRequest>()
        let hold = MainQueue.hold()
        // They share a response, so the second completion waits for the main queue while the first one runs.
        _ = legacy.retrieveProductsInfo(
            [LegacyWorld.coins], completion: first.completion { _ in requests.all.first?.cancel() })
        requests.completion()(legacy.retrieveProductsInfo([LegacyWorld.coins], completion: second.completion()))
        hold.release()
        expectEqual(try await first.next().retrievedProducts.count, 1)
        expectEqual((try await second.next().error as? SKError)?.code, .paymentCancelled)
    }

    @Test(arguments: Engine.allCases) func `a cancellation from inside the completion has no effect`(engine: Engine)
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(engine)
        let answers = Answers<PurchaseResult>()
        let requests = Answers<any InAppRequest>()
        let hold = MainQueue.hold()
        requests.completion()(
            legacy.purchaseProduct(
                LegacyWorld.coins, completion: answers.completion { _ in requests.all.first?.cancel() }))
        hold.release()
        #expect(try await answers.next().success != nil)
        #expect(try await world.queue(of: legacy).isEmpty)
        expectEqual(answers.count, 1)
    }

    @Test(arguments: Engine.allCases)
    func `a cancellation concurrent with an answer leads to one completion, and no transaction is lost`(
        engine: Engine
    ) async throws {
        let (world, legacy) = LegacyWorld.launched(engine)
        legacy.completeTransactions { _ in }
        for _ in 0..<100 {
            let answers = Answers<PurchaseResult>()
            legacy.purchaseProduct(LegacyWorld.coins, completion: answers.completion()).cancel()
            let other = Answers<PurchaseResult>()
            let request = legacy.purchaseProduct(LegacyWorld.coins, completion: other.completion())
            _ = try await answers.next()
            request.cancel()
            _ = try await other.next()
            expectEqual(answers.count, 1)
            expectEqual(other.count, 1)
        }
        #expect(try await world.queue(of: legacy).isEmpty)
        try await world.untilFinished()
        #expect(world.appStore.allTransactions().filter { !$0.isFinished }.isEmpty)
    }
}
