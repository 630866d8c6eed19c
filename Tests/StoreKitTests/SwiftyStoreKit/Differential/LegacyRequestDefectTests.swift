import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Dispatch
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Tests that the block API doesn't have 0.16.4's defects of product requests.
@Suite(.bounded) struct LegacyRequestDefectTests {
    private let world = LegacyWorld()

    @Test func `Q1: after a canceled request the same products can be requested, and bought`() async throws {
        world.appStore.behavior.productRequestsAreNeverAnswered = true
        let legacy = world.launch()
        let cancelled = Answers<RetrieveResults>()
        legacy.retrieveProductsInfo([LegacyWorld.pro], completion: cancelled.completion()).cancel()
        expectEqual((try await cancelled.next().error as? SKError)?.code, .paymentCancelled)
        world.appStore.behavior.productRequestsAreNeverAnswered = false
        expectEqual(try await world.product(LegacyWorld.pro, of: legacy).productIdentifier, LegacyWorld.pro)
        #expect(try await world.buy(LegacyWorld.pro, of: legacy).success != nil)
    }

    @Test func `Q1: canceling one of two requests that share an answer leaves the other waiting`() async throws {
        let world = LegacyWorld(thread: .main)
        let legacy = world.launch()
        let hold = MainQueue.hold()
        let one = Answers<RetrieveResults>()
        let other = Answers<RetrieveResults>()
        let request = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: one.completion())
        _ = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: other.completion())
        request.cancel()
        hold.release()
        #expect(try await one.next().error != nil)
        expectEqual(try await other.next().retrievedProducts.count, 1)
    }

    @Test func `Q3: two taps buy twice and are answered once each`() async throws {
        let legacy = world.launch()
        let one = Answers<PurchaseResult>()
        let other = Answers<PurchaseResult>()
        _ = legacy.purchaseProduct(LegacyWorld.coins, completion: one.completion())
        _ = legacy.purchaseProduct(LegacyWorld.coins, completion: other.completion())
        let first = try #require(await one.next().success)
        let second = try #require(await other.next().success)
        #expect(first.transaction.transactionIdentifier != second.transaction.transactionIdentifier)
        try await world.settle(legacy)
        expectEqual(one.count, 1)
        expectEqual(other.count, 1)
        expectEqual(world.appStore.allTransactions().count, 2)
    }

    @Test func `Q3: a request from inside a completion has its own answer`() async throws {
        let legacy = world.launch()
        let outer = Answers<RetrieveResults>()
        let inner = Answers<RetrieveResults>()
        _ = legacy.retrieveProductsInfo(
            [LegacyWorld.pro],
            completion: outer.completion { _ in
                _ = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: inner.completion())
            })
        try await inner.first(1)
        try await world.settle(legacy)
        expectEqual(outer.count, 1)
        expectEqual(inner.count, 1)
    }

    @Test func `Q5: a failure after the response isn't a second completion`() async throws {
        world.appStore.behavior.productRequestsFailAfterReply = true
        let legacy = world.launch()
        let answers = Answers<RetrieveResults>()
        _ = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: answers.completion())
        expectEqual(try await answers.next().retrievedProducts.count, 1)
        try await world.settle(legacy)
        expectEqual(answers.count, 1)
    }

    @Test func `Q6: a response after cancel() isn't a second completion`() async throws {
        let world = LegacyWorld(pacing: .manual)
        world.appStore.behavior.repliesAfterCancel = true
        let legacy = world.launch()
        let answers = Answers<RetrieveResults>()
        let request = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: answers.completion())
        try await world.clock.waitForSleepers(1, duration: 30)
        request.cancel()
        #expect(try await answers.next().error != nil)
        world.appStore.runUntilIdle()
        try await MainQueue.drain()
        expectEqual(answers.count, 1)
    }

    @Test
    func `Q7: a thousand requests from many threads are answered once each`() async throws {
        let legacy = world.launch()
        let answers = Answers<RetrieveResults>()
        let cancelled = Answers<RetrieveResults>()
        DispatchQueue.concurrentPerform(iterations: 1_000) { index in
            let products: Set<String> =
                index.isMultiple(of: 3) ? [LegacyWorld.pro] : [LegacyWorld.pro, LegacyWorld.news, "no\(index % 7)"]
            if index.isMultiple(of: 10) {
                legacy.retrieveProductsInfo(products, completion: cancelled.completion()).cancel()
            } else {
                _ = legacy.retrieveProductsInfo(products, completion: answers.completion())
            }
        }
        let results = try await answers.first(900)
        #expect(results.allSatisfy { $0.error == nil && !$0.retrievedProducts.isEmpty })
        try await cancelled.first(100)
        try await world.settle(legacy)
        expectEqual(answers.count, 900)
        expectEqual(cancelled.count, 100)
        #expect(answers.cameOnMain && cancelled.cameOnMain)
    }

    @Test func `E1: a network error of a request is one, even if StoreKit wraps it in its own domain`() async throws {
        let legacy = world.launch()
        world.appStore.behavior.productRequestError = .notConnectedToInternet
        let plain = Answers<RetrieveResults>()
        _ = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: plain.completion())
        let error = try #require(await plain.next().error) as NSError
        expectEqual(error.domain, NSURLErrorDomain)
        expectEqual(error.code, NSURLErrorNotConnectedToInternet)
        world.appStore.behavior.productRequestError = SimulatedError(code: -1009, message: "offline")
        let disguised = Answers<RetrieveResults>()
        _ = legacy.retrieveProductsInfo([LegacyWorld.pro], completion: disguised.completion())
        let cause = try #require(await disguised.next().error) as NSError
        expectEqual(cause.domain, NSURLErrorDomain)
        expectEqual(cause.code, NSURLErrorNotConnectedToInternet)
        expectEqual(cause.localizedDescription, "offline")
    }

    @Test func `E1: a network error of a purchase, its look-up or a restore is SKError.unknown with its cause`()
        async throws
    {
        let legacy = world.launch()
        world.appStore.behavior.productRequestError = .notConnectedToInternet
        var errors = [try #require(await world.buy(LegacyWorld.pro, of: legacy).error)]
        world.appStore.behavior.productRequestError = nil
        for error in [SimulatedError.notConnectedToInternet, SimulatedError(code: -1009)] {
            world.appStore.setNextPurchaseOutcome(.failed(error))
            errors.append(try #require(await world.buy(LegacyWorld.pro, of: legacy).error))
            world.appStore.behavior.restoreEnding = .fails(error, afterRows: 0)
            errors.append(try #require(await world.restore(of: legacy).restoreFailedPurchases.first).0)
        }
        expectEqual(errors.count, 5)
        for error in errors {
            expectEqual(error.errorCode, SKError.Code.unknown.rawValue)
            expectEqual(error._nsError.domain, SKErrorDomain)
            let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
            expectEqual(cause.domain, NSURLErrorDomain)
            expectEqual(cause.code, NSURLErrorNotConnectedToInternet)
        }
    }
}
