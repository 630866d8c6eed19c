import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import SwiftyStoreKit
import Testing

/// Over StoreKit's own requests, as the simulator answers them.
@Suite("Receipts over the simulated App Store")
struct ReceiptFlowTests {
    private let world = LegacyWorld()
    private let call = ReceiptCall()

    @Test("a receipt is fetched, and an app's own validator reads it")
    func fetchedAndRead() async throws {
        let receipts = world.launch().receipts
        #expect(receipts.localReceiptData == nil)
        try world.appStore.buyProduct(productID: BehaviorWorld.pro)
        let validator = ClosureValidator { data, finish in
            let receipt = try? Receipt(pkcs7: data)
            let isPro = receipt?.owns(BehaviorWorld.pro, at: .requestDate) ?? false
            finish(.success(receipt: ["environment": (isPro ? "pro" : "free") as AnyObject]))
        }
        _ = receipts.verifyReceipt(using: validator, forceRefresh: true) { call.record($0) }
        #expect(await call.result() == .once("valid pro"))
        #expect(receipts.localReceiptData?.isEmpty == false)
    }

    @Test(
        "a refresh that StoreKit fails has StoreKit's error",
        arguments: [(SimulatedError.paymentCancelled, "SKError 2"), (.notConnectedToInternet, "NSURLErrorDomain -1009")])
    func failed(error: SimulatedError, word: String) async {
        world.appStore.behavior.receiptRefreshError = error
        _ = world.launch().receipts.fetchReceipt(forceRefresh: false) { call.record($0) }
        #expect(await call.result() == .once(word))
    }

    @Test("V2: a refresh that StoreKit never answers is ended by cancelling, or by the store's time limit")
    func neverAnswered() async {
        world.appStore.behavior.receiptRefreshesAreNeverAnswered = true
        let receipts = world.launch().receipts
        let waiting = ReceiptCall()
        _ = receipts.fetchReceipt(forceRefresh: true) { waiting.record($0) }
        await world.clock.sleepers(1, of: 60)
        receipts.fetchReceipt(forceRefresh: true) { call.record($0) }?.cancel()
        #expect(await call.result() == .cancelledOnce)
        world.clock.advance(by: 60)
        #expect(await waiting.result() == .once("NSURLErrorDomain -1001"))
    }
}
