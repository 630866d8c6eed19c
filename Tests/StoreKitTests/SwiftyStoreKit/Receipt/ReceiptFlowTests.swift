import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Tests receipts with StoreKit's requests, which the simulator answers.
@Suite(.bounded) struct ReceiptFlowTests {
    private let call = ReceiptCall()

    @Test(arguments: Engine.allCases) func `a receipt is fetched, and an app's own validator reads it`(engine: Engine)
        async throws
    {
        let world = LegacyWorld(engine)
        let receipts = world.launch().receipts
        expectEqual(receipts.localReceiptData, nil)
        try world.appStore.buyProduct(productID: BehaviorWorld.pro)
        let validator = ClosureValidator { data, finish in
            let receipt = try? Receipt.unverified(pkcs7: data)
            let isPro = receipt?.owns(BehaviorWorld.pro, at: .requestDate) ?? false
            finish(.success(receipt: ["environment": (isPro ? "pro" : "free") as AnyObject]))
        }
        _ = receipts.verifyReceipt(using: validator, forceRefresh: true) { call.record($0) }
        expectEqual(try await call.result(), .once("valid pro"))
        expectEqual(receipts.localReceiptData?.isEmpty, false)
    }

    @Test(arguments: Engine.allCases, [SimulatedError.paymentCancelled, .notConnectedToInternet])
    func `a refresh that StoreKit fails has StoreKit's error`(engine: Engine, error: SimulatedError) async throws {
        let world = LegacyWorld(engine)
        world.appStore.behavior.receiptRefreshError = error
        _ = world.launch().receipts.fetchReceipt(forceRefresh: false) { call.record($0) }
        expectEqual(try await call.result(), .once(error == .paymentCancelled ? "SKError 2" : "NSURLErrorDomain -1009"))
    }

    @Test(arguments: Engine.allCases)
    func `V2: an unanswered refresh ends with a cancellation, or with the store's time limit`(
        engine: Engine
    ) async throws {
        let world = LegacyWorld(engine)
        world.appStore.behavior.receiptRefreshesAreNeverAnswered = true
        let receipts = world.launch().receipts
        let waiting = ReceiptCall()
        _ = receipts.fetchReceipt(forceRefresh: true) { waiting.record($0) }
        try await world.clock.waitForSleepers(1, duration: 60)
        receipts.fetchReceipt(forceRefresh: true) { call.record($0) }?.cancel()
        expectEqual(try await call.result(), .cancelledOnce)
        world.clock.advance(by: 60)
        expectEqual(try await waiting.result(), .once("NSURLErrorDomain -1001"))
    }
}
