import AsyncStoreKit
import Foundation

/// Splits the purchases of a delivery into the requests that a server accepts.
///
/// Each request has the purchases of one account, at most ``most`` of them, and at most ``largestSize`` bytes of signed
/// transactions and contexts, unless a single purchase has more.
struct HTTPDeliveryChunks: Sendable {
    /// The largest request with more than one purchase, in bytes, without the receipt.
    static let largestSize = 64_000
    /// The bytes of a purchase without its signed transaction and its context. A generous estimate.
    private static let fieldsSize = 700

    private var rest: [StorePurchase]
    private(set) var most: Int

    init(_ purchases: [StorePurchase], most: Int) {
        rest = purchases
        self.most = max(1, most)
    }

    /// The purchases that weren't returned yet.
    var keys: [String] { rest.map(\.deliveryKey) }

    /// Removes and returns the purchases of the next request; `nil` if none are left.
    mutating func next() -> [StorePurchase]? {
        guard let first = rest.first else { return nil }
        let account = first.transaction.account
        var size = 0
        var chunk: [StorePurchase] = []
        var others: [StorePurchase] = []
        for purchase in rest {
            guard chunk.count < most, purchase.transaction.account == account else {
                others.append(purchase)
                continue
            }
            size += Self.size(of: purchase)
            guard chunk.isEmpty || size <= Self.largestSize else {
                others.append(purchase)
                continue
            }
            chunk.append(purchase)
        }
        rest = others
        return chunk
    }

    /// Puts the purchases of a request back that was too large. The next requests have half as many.
    mutating func halve(_ chunk: [StorePurchase]) {
        most = max(1, chunk.count / 2)
        rest = chunk + rest
    }

    private static func size(of purchase: StorePurchase) -> Int {
        let context = if case .known(let context)? = purchase.transaction.context { context.json.count } else { 0 }
        return (purchase.transaction.jws?.utf8.count ?? 0) + context + fieldsSize
    }
}
