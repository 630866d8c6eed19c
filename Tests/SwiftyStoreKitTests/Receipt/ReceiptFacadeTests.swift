import AsyncStoreKit
import Foundation
import SwiftyStoreKit
import TestHarness
import Testing

/// The class functions with the signatures that apps call. Through a protocol, no call warns that they are deprecated.
protocol ReceiptFacade {
    static func verifyPurchase(productId: String, inReceipt receipt: ReceiptInfo) -> VerifyPurchaseResult
    static func verifySubscription(
        ofType type: SubscriptionType, productId: String, inReceipt receipt: ReceiptInfo, validUntil date: Date
    ) -> VerifySubscriptionResult
    static func verifySubscriptions(
        ofType type: SubscriptionType, productIds: Set<String>, inReceipt receipt: ReceiptInfo, validUntil date: Date
    ) -> VerifySubscriptionResult
    static func getDistinctPurchaseIds(ofType type: SubscriptionType, inReceipt receipt: ReceiptInfo) -> Set<String>?
}

extension SwiftyStoreKit: ReceiptFacade {}

@Suite(.bounded) struct ReceiptFacadeTests {
    private typealias X = ReceiptExamples

    private let kit: any ReceiptFacade.Type = SwiftyStoreKit.self

    @Test func `the class functions read a dictionary`() {
        let rows = [X.period("weekly", "1", from: 0)]
        let receipt = X.info(["receipt": ["in_app": rows], "latest_receipt_info": rows])
        expectEqual(kit.verifyPurchase(productId: "weekly", inReceipt: receipt).transactionID, "1")
        let one = kit.verifySubscription(
            ofType: .autoRenewable, productId: "weekly", inReceipt: receipt, validUntil: X.day(1))
        expectEqual(one.purchasedUntil, X.day(30))
        let several = kit.verifySubscriptions(
            ofType: .nonRenewing(validDuration: 86_400), productIds: ["weekly", "pro"], inReceipt: receipt,
            validUntil: X.day(2))
        expectEqual(several.expiredAt, X.day(1))
        expectEqual(kit.getDistinctPurchaseIds(ofType: .autoRenewable, inReceipt: receipt), ["weekly"])
    }
}
