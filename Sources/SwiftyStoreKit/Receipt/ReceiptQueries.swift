import AppReceipt
package import Foundation

/// Answers the block API's questions about a receipt dictionary.
package enum ReceiptQueries {
    package static func verifyPurchase(productId: String, inReceipt receipt: ReceiptInfo) -> VerifyPurchaseResult {
        let purchase = ReceiptCache.shared.reading(of: .inApp, in: receipt)?.receipt.latestValidTransaction(
            of: productId)
        return purchase.map { .purchased(item: ReceiptItem($0)) } ?? .notPurchased
    }

    package static func verifySubscriptions(
        ofType type: SubscriptionType, productIds: Set<String>, inReceipt receipt: ReceiptInfo, validUntil date: Date,
        recentResponses: RecentResponses = .shared
    ) -> VerifySubscriptionResult {
        let date = recentResponses.evaluationDate(of: receipt, for: date)
        guard let reading = ReceiptCache.shared.reading(of: ReceiptInfoList(of: type), in: receipt) else {
            return .notPurchased
        }
        return subscription(ofType: type, productIds, reading, until: date)
    }

    /// Checks a subscription in one list of transactions.
    static func subscription(
        ofType type: SubscriptionType, _ productIds: Set<String>, _ reading: ReceiptReading, until date: Date
    ) -> VerifySubscriptionResult {
        switch type {
        case .autoRenewable:
            let items = reading.items(of: productIds, by: .expiration)
            guard let last = items.first?.subscriptionExpirationDate else { return .notPurchased }
            let status = reading.receipt.subscriptionStatus(of: productIds, lastingUntil: date)
            return status.isEntitled
                ? .purchased(expiryDate: status.accessEndDate ?? last, items: items)
                : .expired(expiryDate: last, items: items)
        case .nonRenewing(let validDuration):
            // Count from the original purchase date, as in 0.16.4: a restored copy doesn't last longer than its
            // purchase.
            let items = reading.items(of: productIds, by: .originalPurchase)
            guard let last = items.first?.originalPurchaseDate.addingTimeInterval(validDuration) else {
                return .notPurchased
            }
            return last > date ? .purchased(expiryDate: last, items: items) : .expired(expiryDate: last, items: items)
        }
    }

    package static func getDistinctPurchaseIds(ofType type: SubscriptionType, inReceipt receipt: ReceiptInfo) -> Set<
        String
    >? {
        let products = ReceiptCache.shared.reading(of: ReceiptInfoList(of: type), in: receipt)?.receipt
            .distinctProductIDs
        return products?.isEmpty == false ? products : nil
    }
}
