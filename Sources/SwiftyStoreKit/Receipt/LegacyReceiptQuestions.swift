package import Foundation

/// Questions to a receipt in the old API's terms.
package enum LegacyReceiptQuestions {
    package static func verifyPurchase(productId: String, inReceipt receipt: ReceiptInfo) -> VerifyPurchaseResult {
        .notPurchased
    }

    package static func verifySubscriptions(
        ofType type: SubscriptionType, productIds: Set<String>, inReceipt receipt: ReceiptInfo, validUntil date: Date
    ) -> VerifySubscriptionResult {
        .notPurchased
    }

    package static func getDistinctPurchaseIds(ofType type: SubscriptionType, inReceipt receipt: ReceiptInfo) -> Set<String>? {
        nil
    }
}
