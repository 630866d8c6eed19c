import Foundation

/// Where the rows of each product are, and which of them decides, so that no question has to look at all of them.
struct ReceiptIndex: Sendable {
    /// The rows of one product.
    struct ProductRows: Sendable {
        /// Positions in the receipt's list, newest first.
        var rows: [Int32] = []
        /// For each position in `rows`: the position of the newest valid row from there on, or -1.
        var newestValid: [Int32] = []
        /// For each position in `rows`: the position of the valid row that expires last from there on, or -1.
        var lastToExpire: [Int32] = []
    }

    private(set) var products: [String: ProductRows] = [:]
    /// The products of each subscription group that the receipt names.
    private(set) var groups: [String: Set<String>] = [:]
    private(set) var renewalByOriginal: [String: Int] = [:]
    private(set) var renewalByProduct: [String: Int] = [:]

    init(_ contents: ReceiptContents) {
        for (position, row) in contents.transactions.enumerated() {
            products[row.productID, default: ProductRows()].rows.append(Int32(clamping: position))
            if let group = row.subscriptionGroupID, groups[group]?.contains(row.productID) != true {
                groups[group, default: []].insert(row.productID)
            }
        }
        for key in products.keys {
            products[key]?.link(contents.transactions)
        }
        for (position, renewal) in contents.renewals.enumerated() {
            if let original = renewal.originalTransactionID, renewalByOriginal[original] == nil {
                renewalByOriginal[original] = position
            }
            if renewalByProduct[renewal.productID] == nil {
                renewalByProduct[renewal.productID] = position
            }
        }
    }

    /// `rows` newest first, each transaction of a product once. The order depends on the rows alone, not on how they came.
    static func ordered(_ rows: [ReceiptTransaction]) -> [ReceiptTransaction] {
        var seen: [Key: Int] = [:]
        seen.reserveCapacity(rows.count)
        var kept: [Int] = []
        kept.reserveCapacity(rows.count)
        for (position, row) in rows.enumerated() {
            let key = Key(transactionID: row.transactionID, productID: row.productID)
            guard let place = seen[key] else {
                seen[key] = kept.count
                kept.append(position)
                continue
            }
            // A copy that was taken back is the more recent news, wherever it stands.
            if rows[kept[place]].isValid && !row.isValid { kept[place] = position }
        }
        return kept.map { SortKey(rows[$0], position: $0) }.sorted().map { rows[$0.position] }
    }

    private struct Key: Hashable {
        let transactionID: String
        let productID: String
    }
}

extension ReceiptIndex.ProductRows {
    fileprivate mutating func link(_ purchases: [ReceiptTransaction]) {
        var newest: Int32 = -1
        var last: Int32 = -1
        var lastExpiration = -Double.infinity
        newestValid = Array(repeating: -1, count: rows.count)
        lastToExpire = newestValid
        for place in rows.indices.reversed() {
            let row = purchases[Int(rows[place])]
            if row.isValid {
                newest = rows[place]
                if let expiration = row.expirationDate?.timeIntervalSince1970, expiration >= lastExpiration {
                    last = rows[place]
                    lastExpiration = expiration
                }
            }
            newestValid[place] = newest
            lastToExpire[place] = last
        }
    }
}

/// Orders rows newest first without moving them about while sorting.
private struct SortKey: Comparable {
    let purchased: Double
    let expires: Double
    let transactionID: String
    let productID: String
    let position: Int

    init(_ row: ReceiptTransaction, position: Int) {
        purchased = row.purchaseDate.timeIntervalSince1970
        expires = row.expirationDate?.timeIntervalSince1970 ?? -Double.infinity
        transactionID = row.transactionID
        productID = row.productID
        self.position = position
    }

    static func < (lhs: SortKey, rhs: SortKey) -> Bool {
        if lhs.purchased != rhs.purchased { return lhs.purchased > rhs.purchased }
        if lhs.expires != rhs.expires { return lhs.expires > rhs.expires }
        // Identifiers are numbers that grow: the longer one is the later one.
        let (left, right) = (lhs.transactionID.utf8.count, rhs.transactionID.utf8.count)
        if left != right { return left > right }
        if lhs.transactionID != rhs.transactionID { return lhs.transactionID > rhs.transactionID }
        return lhs.productID < rhs.productID
    }
}
