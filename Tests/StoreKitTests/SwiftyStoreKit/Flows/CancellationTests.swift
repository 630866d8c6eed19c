import AppStoreSimulator
import AsyncStoreKit
import StoreKit
import Support
import SwiftyStoreKit
import Testing

@Suite("Old API: cancelling a purchase")
struct CancellationTests {
    private let world = LegacyWorld()

    /// The error of the one call of a completion.
    private func onlyError(_ answers: Answers<PurchaseResult>, of legacy: LegacyStore) async -> SKError.Code? {
        let error = await answers.next().error
        await world.settle(legacy)
        #expect(answers.count == 1 && answers.cameOnMain)
        return error?.code
    }

    @Test("while its product is looked up: nothing is bought, and the line goes on")
    func lookingUp() async throws {
        world.appStore.behavior.productRequestsAreNeverAnswered = true
        let legacy = world.launch()
        let first = Answers<PurchaseResult>()
        let request = legacy.purchaseProduct(LegacyWorld.pro, completion: first.completion())
        request.cancel()
        #expect(await onlyError(first, of: legacy) == .paymentCancelled)
        world.appStore.behavior.productRequestsAreNeverAnswered = false
        #expect(await world.buy(LegacyWorld.coins, of: legacy).success != nil)
        #expect(world.appStore.allTransactions().map(\.productID) == [LegacyWorld.coins])
    }

    @Test("while it waits for its turn: it is withdrawn")
    func waiting() async throws {
        let legacy = world.launch()
        for id in [LegacyWorld.pro, LegacyWorld.coins] { _ = try await world.product(id, of: legacy) }
        world.appStore.nextPurchase(is: .neverAnswered(afterPurchasing: true))
        let first = Answers<PurchaseResult>()
        let second = Answers<PurchaseResult>()
        let inFlight = legacy.purchaseProduct(LegacyWorld.pro, completion: first.completion())
        let waiting = legacy.purchaseProduct(LegacyWorld.coins, completion: second.completion())
        waiting.cancel()
        #expect(await onlyError(second, of: legacy) == .paymentCancelled)
        #expect(first.count == 0)
        inFlight.cancel()
        #expect(await onlyError(first, of: legacy) == .paymentCancelled)
        #expect(world.appStore.allTransactions().isEmpty)
    }

    @Test("while it is with StoreKit: the payment goes on, and comes to completeTransactions")
    func inFlight() async throws {
        let world = LegacyWorld(thread: .main)
        let legacy = world.launch()
        _ = try await world.product(LegacyWorld.pro, of: legacy)
        let unasked = Answers<[Purchase]>()
        legacy.completeTransactions(completion: unasked.completion())
        let answers = Answers<PurchaseResult>()
        // StoreKit cannot answer meanwhile.
        let release = MainQueue.hold()
        let request = legacy.purchaseProduct(LegacyWorld.pro, completion: answers.completion())
        let inFlight = try await legacy.store.diagnostics.inFlight
        request.cancel()
        release()
        #expect(inFlight?.productID == LegacyWorld.pro)
        #expect(await answers.next().error?.code == .paymentCancelled)
        #expect(await unasked.next().map(\.productId) == [LegacyWorld.pro])
        #expect(answers.count == 1)
    }

    @Test("when it is over: nothing happens, and the next purchase is not touched")
    func over() async throws {
        let legacy = world.launch()
        let answers = Answers<PurchaseResult>()
        let request = legacy.purchaseProduct(LegacyWorld.coins, completion: answers.completion())
        #expect(await answers.next().success != nil)
        request.cancel()
        request.start()
        #expect(await world.buy(LegacyWorld.pro, of: legacy).success != nil)
        await world.settle(legacy)
        #expect(answers.count == 1)
    }

    @Test("from inside the completion: nothing happens")
    func inside() async throws {
        let legacy = world.launch()
        let answers = Answers<PurchaseResult>()
        let requests = Answers<any InAppRequest>()
        let release = MainQueue.hold()
        requests.completion()(
            legacy.purchaseProduct(LegacyWorld.coins, completion: answers.completion { _ in requests.all.first?.cancel() }))
        release()
        #expect(await answers.next().success != nil)
        #expect(await world.queue(of: legacy).isEmpty)
        #expect(answers.count == 1)
    }

    @Test("against an answer that comes at the same time: one completion, and nothing is lost")
    func racing() async throws {
        let legacy = world.launch()
        let unasked = Answers<[Purchase]>()
        legacy.completeTransactions(completion: unasked.completion())
        for _ in 0..<100 {
            let answers = Answers<PurchaseResult>()
            legacy.purchaseProduct(LegacyWorld.coins, completion: answers.completion()).cancel()
            let other = Answers<PurchaseResult>()
            let request = legacy.purchaseProduct(LegacyWorld.coins, completion: other.completion())
            _ = await answers.next()
            request.cancel()
            _ = await other.next()
            #expect(answers.count == 1 && other.count == 1)
        }
        #expect(await world.queue(of: legacy).isEmpty)
        #expect(world.appStore.allTransactions().filter { !$0.isFinished }.isEmpty)
    }
}
