import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct ProductFlowTests {
    @Test(arguments: Engine.allCases) func `products and invalid identifiers are returned separately`(engine: Engine)
        async throws
    {
        let world = LegacyWorld(engine)
        let answers = Answers<RetrieveResults>()
        let request = world.launch().retrieveProductsInfo(
            [LegacyWorld.pro, LegacyWorld.coins, "nothing"], completion: answers.completion())
        let results = try await answers.next()
        expectEqual(Set(results.retrievedProducts.map(\.productIdentifier)), [LegacyWorld.pro, LegacyWorld.coins])
        expectEqual(results.invalidProductIDs, ["nothing"])
        #expect(results.error == nil)
        #expect(answers.cameOnMain)
        // The request was already running and has ended.
        request.start()
        request.cancel()
        try await MainQueue.drain()
        expectEqual(answers.count, 1)
    }

    @Test(arguments: Engine.allCases) func `an empty request completes once with an empty result and no error`(
        engine: Engine
    )
        async throws
    {
        let world = LegacyWorld(engine)
        let answers = Answers<RetrieveResults>()
        let legacy = world.launch()
        let request = legacy.retrieveProductsInfo([], completion: answers.completion())
        let results = try await answers.next()
        #expect(results.retrievedProducts.isEmpty && results.invalidProductIDs.isEmpty && results.error == nil)
        request.cancel()
        try await MainQueue.drain()
        expectEqual(answers.count, 1)
    }

    @Test(arguments: Engine.allCases) func `a canceled request ends immediately with SKError.paymentCancelled`(
        engine: Engine
    )
        async throws
    {
        let world = LegacyWorld(engine)
        world.appStore.behavior.productRequestsAreNeverAnswered = true
        let answers = Answers<RetrieveResults>()
        let legacy = world.launch()
        let request = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: answers.completion())
        request.cancel()
        request.cancel()
        let error = try #require(await answers.next().error)
        expectEqual((error as? SKError)?.code, .paymentCancelled)
        try await MainQueue.drain()
        expectEqual(answers.count, 1)
    }

    @Test(arguments: Engine.allCases) func `an unanswered request ends with an error after the timeout`(engine: Engine)
        async throws
    {
        let world = LegacyWorld(engine)
        world.appStore.behavior.productRequestsAreNeverAnswered = true
        let answers = Answers<RetrieveResults>()
        let legacy = world.launch()
        _ = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: answers.completion())
        try await world.clock.waitForSleepers(1, duration: 30)
        world.clock.advance(by: 30)
        let error = try #require(await answers.next().error) as NSError
        #expect(
            error.domain == NSURLErrorDomain && error.code == NSURLErrorTimedOut
                && error.debugText.contains("30"))
    }
}
