import Foundation

/// Orders a receipt's transactions and renewals by their contents, regardless of the order of the input.
enum ReceiptOrder {
    /// Returns the transactions newest first, without duplicates.
    ///
    /// Of two copies, the one that Apple signed later is kept. Without signed dates, the copy that expires later is
    /// kept (Apple may extend a period), then the one that was revoked or upgraded.
    static func transactions(_ rows: [ReceiptTransaction]) -> [ReceiptTransaction] {
        var rows = rows
        // The rows may come from another receipt and have a refund that has been reversed since.
        for position in rows.indices where rows[position].hasInheritedRevocation { rows[position].inherit(nil) }
        var places: [ByteKeyPair: Int] = [:]
        places.reserveCapacity(rows.count)
        var kept: [Int] = []
        kept.reserveCapacity(rows.count)
        for (position, row) in rows.enumerated() {
            let key = ByteKeyPair(ByteKey(row.facts.transactionID), ByteKey(row.facts.productID))
            guard let place = places[key] else {
                places[key] = kept.count
                kept.append(position)
                continue
            }
            if isNewer(row.facts, than: rows[kept[place]].facts) { kept[place] = position }
        }
        spreadRevocations(kept, &rows)
        // This sort is specialized because a receipt may have ten thousand rows.
        return kept.map { SortKey(rows[$0].facts, position: $0) }.sorted().map { rows[$0.position] }
    }

    /// Copies a refund to all copies of the purchase or period. Restored copies have their own transaction identifiers,
    /// and Apple's statements about them don't mention the refund.
    private static func spreadRevocations(_ kept: [Int], _ rows: inout [ReceiptTransaction]) {
        var revocations: [Copies: PurchaseFacts] = [:]
        for position in kept {
            guard rows[position].facts.isRevoked else { continue }
            let row = rows[position].facts
            for copies in Copies.revoked(by: row) {
                // The earliest of several refunds is used, in any order of the rows.
                if let known = revocations[copies], !precedes(row, known) { continue }
                revocations[copies] = row
            }
        }
        guard !revocations.isEmpty else { return }
        for position in kept where rows[position].facts.isValid {
            let found = Copies.revoking(rows[position].facts).compactMap { revocations[$0] }
            if let revoked = found.min(by: precedes) { rows[position].inherit(revoked) }
        }
    }

    private static func precedes(_ revoked: PurchaseFacts, _ other: PurchaseFacts) -> Bool {
        let (date, otherDate) = (revoked.revocationDate ?? .distantFuture, other.revocationDate ?? .distantFuture)
        if date != otherDate { return date < otherDate }
        return revoked.revocationReason?.rawValue ?? .max < other.revocationReason?.rawValue ?? .max
    }

    /// The common values of all copies of a purchase or period.
    private struct Copies: Hashable {
        let productID: ByteKey
        /// The original transaction, or the line item of a period.
        let identifier: ByteKey
        let match: Match

        enum Match: Hashable {
            /// All transactions of a purchase without an end.
            case purchase
            /// The periods with a line item.
            case lineItem
            /// The periods with these dates that have no line item, or any line item if the refunded one has none.
            case dates(Date, Date, isOfAnyLineItem: Bool)
        }

        /// Returns the copies that the revocation of a transaction applies to.
        static func revoked(by row: PurchaseFacts) -> [Copies] {
            copies(of: row) { hasLineItem in hasLineItem ? [false] : [false, true] }
        }

        /// Returns the copies whose revocation applies to a transaction.
        static func revoking(_ row: PurchaseFacts) -> [Copies] {
            copies(of: row) { hasLineItem in [hasLineItem] }
        }

        private static func copies(of row: PurchaseFacts, byDates: (Bool) -> [Bool]) -> [Copies] {
            let productID = ByteKey(row.productID)
            let original = ByteKey(row.originalTransactionID)
            guard let end = row.expirationDate else {
                return [Copies(productID: productID, identifier: original, match: .purchase)]
            }
            // Xcode's local testing gives every period the line item 0.
            let item = row.webOrderLineItemID.flatMap { $0.utf8.isEmpty || $0.hasSameBytes(as: "0") ? nil : $0 }
            let named = item.map { [Copies(productID: productID, identifier: ByteKey($0), match: .lineItem)] } ?? []
            return named
                + byDates(item != nil).map {
                    Copies(
                        productID: productID, identifier: original,
                        match: .dates(row.purchaseDate, end, isOfAnyLineItem: $0))
                }
        }
    }

    /// Returns the renewals in the order of original transaction and product, those signed later first.
    static func renewals(_ renewals: [ReceiptRenewal]) -> [ReceiptRenewal] {
        renewals.inOrder(by: precedes)
    }

    private static func precedes(_ left: ReceiptRenewal, _ right: ReceiptRenewal) -> Bool {
        let originals = [left, right].map { ByteKey($0.originalTransactionID ?? "") }
        if originals[0] != originals[1] { return originals[0] < originals[1] }
        let products = [left, right].map { ByteKey($0.productID) }
        if products[0] != products[1] { return products[0] < products[1] }
        let (signed, otherSigned) = (left.signedDate ?? .distantPast, right.signedDate ?? .distantPast)
        if signed != otherSigned { return signed > otherSigned }
        let (grace, otherGrace) = (
            left.gracePeriodExpirationDate ?? .distantPast, right.gracePeriodExpirationDate ?? .distantPast
        )
        return grace != otherGrace ? grace > otherGrace : left.isInBillingRetry && !right.isInBillingRetry
    }

    private static func isNewer(_ row: PurchaseFacts, than other: PurchaseFacts) -> Bool {
        let (signed, otherSigned) = (row.signedDate ?? .distantPast, other.signedDate ?? .distantPast)
        if signed != otherSigned { return signed > otherSigned }
        let (end, otherEnd) = (row.expirationDate ?? .distantPast, other.expirationDate ?? .distantPast)
        if end != otherEnd { return end > otherEnd }
        if row.isValid != other.isValid { return other.isValid }
        return (row.revocationDate ?? .distantPast) > (other.revocationDate ?? .distantPast)
    }

    /// Sorted instead of the transactions, which are large.
    private struct SortKey: Comparable {
        let purchased: Double
        let expires: Double
        let transactionID: ByteKey
        let productID: ByteKey
        let position: Int

        init(_ row: PurchaseFacts, position: Int) {
            purchased = row.purchaseDate.timeIntervalSince1970
            expires = row.expirationDate?.timeIntervalSince1970 ?? -Double.infinity
            transactionID = ByteKey(row.transactionID)
            productID = ByteKey(row.productID)
            self.position = position
        }

        static func < (lhs: SortKey, rhs: SortKey) -> Bool {
            if lhs.purchased != rhs.purchased { return lhs.purchased > rhs.purchased }
            if lhs.expires != rhs.expires { return lhs.expires > rhs.expires }
            // Identifiers are increasing numbers, so the longer one is newer.
            let (left, right) = (lhs.transactionID.text.utf8.count, rhs.transactionID.text.utf8.count)
            if left != right { return left > right }
            if lhs.transactionID != rhs.transactionID { return rhs.transactionID < lhs.transactionID }
            return lhs.productID < rhs.productID
        }
    }
}
