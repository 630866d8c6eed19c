package import AppReceipt
import AsyncStoreKit
import Foundation

/// One parsed list of a receipt dictionary, with the items that answers contain.
package final class ReceiptReading: Sendable {
    package let receipt: Receipt
    private let lists = Locked<[Key: List]>([:])

    // @unchecked because: items are values without references.
    private struct List: @unchecked Sendable {
        let items: [ReceiptItem]
    }

    private struct Key: Hashable {
        let productID: String
        let order: Order
    }

    /// The date by which items are sorted, latest first.
    package enum Order: Hashable {
        /// The end of the period. Items without an end are omitted.
        case expiration
        case originalPurchase

        func date(of item: ReceiptItem) -> Date? {
            switch self {
            case .expiration: item.subscriptionExpirationDate
            case .originalPurchase: item.originalPurchaseDate
            }
        }
    }

    init(_ receipt: Receipt) {
        self.receipt = receipt
    }

    /// Returns the items of `productIDs` that were neither revoked nor upgraded, latest first.
    package func items(of productIDs: Set<String>, by order: Order) -> [ReceiptItem] {
        let lists = productIDs.map { items(of: $0, by: order) }.filter { !$0.isEmpty }
        return lists.count == 1 ? lists[0] : Self.ordered(lists.flatMap { $0 }, by: order)
    }

    private func items(of productID: String, by order: Order) -> [ReceiptItem] {
        let key = Key(productID: productID, order: order)
        if let known = lists.withLock({ $0[key] }) { return known.items }
        let items = Self.ordered(
            receipt.transactions(of: productID).filter(\.isValid).map { ReceiptItem($0) }, by: order)
        // Cache only products in the receipt, because the number of other identifiers is unlimited.
        if !items.isEmpty { lists.withLock { $0[key] = List(items: items) } }
        return items
    }

    private static func ordered(_ items: [ReceiptItem], by order: Order) -> [ReceiptItem] {
        let dated = items.enumerated().compactMap { place, item in
            order.date(of: item).map { (date: $0.timeIntervalSince1970, place: place) }
        }
        // Items with equal dates keep the reversed order of the receipt: the latest purchase is first.
        return dated.sorted { ($0.date, $1.place) > ($1.date, $0.place) }.map { items[$0.place] }
    }
}
