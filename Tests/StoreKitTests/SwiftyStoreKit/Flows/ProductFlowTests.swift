import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import Testing

@Suite("Old API: products")
struct ProductFlowTests {
    private let world = LegacyWorld()

    @Test("products for sale and identifiers without one are told apart")
    func products() async throws {
        let answers = Answers<RetrieveResults>()
        let request = world.launch().retrieveProductsInfo(
            [LegacyWorld.pro, LegacyWorld.coins, "nothing"], completion: answers.completion())
        let results = await answers.next()
        #expect(Set(results.retrievedProducts.map(\.productIdentifier)) == [LegacyWorld.pro, LegacyWorld.coins])
        #expect(results.invalidProductIDs == ["nothing"] && results.error == nil)
        #expect(answers.cameOnMain)
        // It was running already, and is over.
        request.start()
        request.cancel()
        await MainQueue.drain()
        #expect(answers.count == 1)
    }

    @Test("asking for nothing is answered with nothing, once, and without an error")
    func nothing() async {
        let answers = Answers<RetrieveResults>()
        let legacy = world.launch()
        let request = legacy.retrieveProductsInfo([], completion: answers.completion())
        let results = await answers.next()
        #expect(results.retrievedProducts.isEmpty && results.invalidProductIDs.isEmpty && results.error == nil)
        request.cancel()
        await MainQueue.drain()
        #expect(answers.count == 1)
    }

    @Test("a request that is cancelled ends at once as SKError.paymentCancelled")
    func cancelled() async throws {
        world.appStore.behavior.productRequestsAreNeverAnswered = true
        let answers = Answers<RetrieveResults>()
        let legacy = world.launch()
        let request = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: answers.completion())
        request.cancel()
        request.cancel()
        let error = try #require(await answers.next().error)
        #expect((error as? SKError)?.code == .paymentCancelled)
        await MainQueue.drain()
        #expect(answers.count == 1)
    }

    @Test("a request that is never answered ends in time, with an error")
    func silence() async throws {
        world.appStore.behavior.productRequestsAreNeverAnswered = true
        let answers = Answers<RetrieveResults>()
        let legacy = world.launch()
        _ = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: answers.completion())
        await world.clock.sleepers(1, of: 30)
        world.clock.advance(by: 30)
        let error = try #require(await answers.next().error as? SKError)
        #expect(error.code == .unknown && error.localizedDescription.contains("30"))
    }
}
