import Foundation
import Support
import SwiftyStoreKit

// Comparisons for tests.
extension VerifyPurchaseResult {
    var transactionID: String? {
        guard case .purchased(let item) = self else { return nil }
        return item.transactionId
    }
}

extension VerifySubscriptionResult {
    var purchasedUntil: Date? {
        guard case .purchased(let expiryDate, _) = self else { return nil }
        return expiryDate
    }

    var expiredAt: Date? {
        guard case .expired(let expiryDate, _) = self else { return nil }
        return expiryDate
    }

    var items: [ReceiptItem] {
        switch self {
        case .purchased(_, let items), .expired(_, let items): items
        case .notPurchased: []
        }
    }

    var transactionIDs: [String] { items.map(\.transactionId) }
}

extension ReceiptQueries {
    static func subscription(
        _ productIDs: Set<String>, _ receipt: ReceiptInfo, type: SubscriptionType = .autoRenewable, until day: Double
    ) -> VerifySubscriptionResult {
        verifySubscriptions(
            ofType: type, productIds: productIDs, inReceipt: receipt, validUntil: ReceiptExamples.day(day))
    }

    static func purchase(_ productID: String, _ receipt: ReceiptInfo) -> String? {
        verifyPurchase(productId: productID, inReceipt: receipt).transactionID
    }
}
