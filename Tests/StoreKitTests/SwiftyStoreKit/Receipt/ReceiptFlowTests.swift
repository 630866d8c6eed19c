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
        try world.appStore.buyProduct(productID: StoreWorld.pro)
        let validator = ClosureValidator { data, finish in
            let receipt = try? Receipt.unverified(pkcs7: data)
            let isPro = receipt?.owns(StoreWorld.pro, at: .requestDate) ?? false
            finish(.success(receipt: ["environment": (isPro ? "pro" : "free") as AnyObject]))
        }
        _ = receipts.verifyReceipt(using: validator, forceRefresh: true) { call.record($0) }
        expectEqual(try await call.result(), .once("valid pro"))
        expectEqual(receipts.localReceiptData?.isEmpty, false)
    }
}
