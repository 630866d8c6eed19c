import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Over StoreKit's own requests, as the simulator answers them.
@Suite(.bounded) struct ReceiptFlowTests {
    private let world = LegacyWorld()
    private let call = ReceiptCall()

    @Test func `a receipt is fetched, and an app's own validator reads it`() async throws {
        let receipts = world.launch().receipts
        #expect(receipts.localReceiptData == nil)
        try world.appStore.buyProduct(productID: BehaviorWorld.pro)
        let validator = ClosureValidator { data, finish in
            let receipt = try? Receipt(pkcs7: data)
            let isPro = receipt?.owns(BehaviorWorld.pro, at: .requestDate) ?? false
            finish(.success(receipt: ["environment": (isPro ? "pro" : "free") as AnyObject]))
        }
        _ = receipts.verifyReceipt(using: validator, forceRefresh: true) { call.record($0) }
        #expect(try await call.result() == .once("valid pro"))
        #expect(receipts.localReceiptData?.isEmpty == false)
    }

    @Test(arguments: [(SimulatedError.paymentCancelled, "SKError 2"), (.notConnectedToInternet, "NSURLErrorDomain -1009")])
    func `a refresh that StoreKit fails has StoreKit's error`(error: SimulatedError, word: String) async throws {
        world.appStore.behavior.receiptRefreshError = error
        _ = world.launch().receipts.fetchReceipt(forceRefresh: false) { call.record($0) }
        #expect(try await call.result() == .once(word))
    }

    @Test func `V2: a refresh that StoreKit never answers is ended by cancelling, or by the store's time limit`() async throws {
        world.appStore.behavior.receiptRefreshesAreNeverAnswered = true
        let receipts = world.launch().receipts
        let waiting = ReceiptCall()
        _ = receipts.fetchReceipt(forceRefresh: true) { waiting.record($0) }
        try await world.clock.sleepers(1, of: 60)
        receipts.fetchReceipt(forceRefresh: true) { call.record($0) }?.cancel()
        #expect(try await call.result() == .cancelledOnce)
        world.clock.advance(by: 60)
        #expect(try await waiting.result() == .once("NSURLErrorDomain -1001"))
    }
}
