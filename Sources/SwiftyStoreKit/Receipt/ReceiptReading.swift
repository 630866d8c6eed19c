package import AppReceipt
import Foundation

/// One list of a receipt dictionary, read once, with the items that answers hand out.
// @unchecked because: `lists` is only touched while `lock` is held, and nothing else changes.
package final class ReceiptReading: @unchecked Sendable {
    package let receipt: Receipt
    private let lock = NSLock()
    private var lists: [Key: [ReceiptItem]] = [:]

    private struct Key: Hashable {
        let productID: String
        let order: Order
    }

    /// By which date items are ordered, latest first.
    package enum Order: Hashable {
        /// By the end of their period; those without one are left out.
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

    /// The items of `productIDs` that were neither taken back nor upgraded away, latest first.
    package func items(of productIDs: Set<String>, by order: Order) -> [ReceiptItem] {
        let lists = productIDs.map { items(of: $0, by: order) }.filter { !$0.isEmpty }
        return lists.count == 1 ? lists[0] : Self.ordered(lists.flatMap { $0 }, by: order)
    }

    private func items(of productID: String, by order: Order) -> [ReceiptItem] {
        let key = Key(productID: productID, order: order)
        if let known = lock.withLock({ lists[key] }) { return known }
        let items = Self.ordered(receipt.transactions(of: productID).filter(\.isValid).map { ReceiptItem($0) }, by: order)
        // Only products that the receipt has: there is no end of others.
        if !items.isEmpty { lock.withLock { lists[key] = items } }
        return items
    }

    private static func ordered(_ items: [ReceiptItem], by order: Order) -> [ReceiptItem] {
        let dated = items.enumerated().compactMap { place, item in
            order.date(of: item).map { (date: $0.timeIntervalSince1970, place: place) }
        }
        // Between equals the receipt's own order stays: the purchase made last is first.
        return dated.sorted { ($0.date, $1.place) > ($1.date, $0.place) }.map { items[$0.place] }
    }
}
