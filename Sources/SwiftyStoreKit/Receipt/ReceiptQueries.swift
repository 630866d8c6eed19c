import AppReceipt
package import Foundation

/// Answers the block API's questions about a receipt dictionary.
package enum ReceiptQueries {
    package static func verifyPurchase(productId: String, inReceipt receipt: ReceiptInfo) -> VerifyPurchaseResult {
        let purchase = ReceiptReader.shared.receipt(of: .inApp, in: receipt)?.latestValidTransaction(of: productId)
        return purchase.map { .purchased(item: ReceiptItem($0)) } ?? .notPurchased
    }

    package static func verifySubscriptions(
        ofType type: SubscriptionType, productIds: Set<String>, inReceipt receipt: ReceiptInfo, validUntil date: Date,
        recentResponses: RecentResponses = .shared
    ) -> VerifySubscriptionResult {
        let date = recentResponses.evaluationDate(of: receipt, for: date)
        guard let list = ReceiptReader.shared.receipt(of: ReceiptInfoList(of: type), in: receipt) else {
            return .notPurchased
        }
        return subscription(ofType: type, productIds, list, until: date)
    }

    /// Checks a subscription in one list of transactions.
    static func subscription(
        ofType type: SubscriptionType, _ productIds: Set<String>, _ receipt: Receipt, until date: Date
    ) -> VerifySubscriptionResult {
        switch type {
        case .autoRenewable:
            let items = items(of: productIds, in: receipt) { $0.subscriptionExpirationDate }
            guard let last = items.first?.subscriptionExpirationDate else { return .notPurchased }
            let status = receipt.subscriptionStatus(of: productIds, lastingUntil: date)
            return status.isEntitled
                ? .purchased(expiryDate: status.accessEndDate ?? last, items: items)
                : .expired(expiryDate: last, items: items)
        case .nonRenewing(let validDuration):
            // Count from the original purchase date, as in 0.16.4: a restored copy doesn't last longer than its
            // purchase.
            let items = items(of: productIds, in: receipt) { $0.originalPurchaseDate }
            guard let last = items.first?.originalPurchaseDate.addingTimeInterval(validDuration) else {
                return .notPurchased
            }
            return last > date ? .purchased(expiryDate: last, items: items) : .expired(expiryDate: last, items: items)
        }
    }

    /// Returns the items of products that were neither revoked nor upgraded, by their date, latest first. Items without
    /// the date are left out.
    private static func items(
        of productIds: Set<String>, in receipt: Receipt, by date: (ReceiptItem) -> Date?
    ) -> [ReceiptItem] {
        let items = receipt.transactions(of: productIds).filter(\.isValid).map { ReceiptItem($0) }
        let dated = items.enumerated().compactMap { place, item in
            date(item).map { (date: $0.timeIntervalSince1970, place: place) }
        }
        // Items with equal dates keep the reversed order of the receipt: the latest purchase is first.
        return dated.sorted { ($0.date, $1.place) > ($1.date, $0.place) }.map { items[$0.place] }
    }

    package static func getDistinctPurchaseIds(ofType type: SubscriptionType, inReceipt receipt: ReceiptInfo) -> Set<
        String
    >? {
        let products = ReceiptReader.shared.receipt(of: ReceiptInfoList(of: type), in: receipt)?.distinctProductIDs
        return products?.isEmpty == false ? products : nil
    }
}
