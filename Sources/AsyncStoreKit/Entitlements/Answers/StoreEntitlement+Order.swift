import AppReceipt
import Foundation

// The one order of entitlements: of several purchases of a product, and of several subscriptions of a group.

extension StoreEntitlement {
    /// Returns whether this entitlement comes before another one: access first, then the level of service, then a
    /// purchase of the customer's own, then the later end, then the newer transaction. Without access, billing retry
    /// comes first, and the level and the payer are ignored.
    /// - Parameter comparesLevels: Whether the levels of all candidates are known. With some unknown levels, the order
    ///   would depend on the order of the comparisons.
    private func precedes(_ other: StoreEntitlement, comparesLevels: Bool) -> Bool {
        if isEntitled != other.isEntitled { return isEntitled }
        if isEntitled {
            if comparesLevels, let level, let otherLevel = other.level, level != otherLevel {
                return level < otherLevel
            }
            let (isShared, otherIsShared) = (transaction.facts.isPaidByOthers, other.transaction.facts.isPaidByOthers)
            if isShared != otherIsShared { return otherIsShared }
        } else {
            let (isRetried, otherIsRetried) = (state == .inBillingRetryPeriod, other.state == .inBillingRetryPeriod)
            if isRetried != otherIsRetried { return isRetried }
        }
        if end != other.end { return end > other.end }
        let (row, otherRow) = (transaction.facts, other.transaction.facts)
        if row.purchaseDate != otherRow.purchaseDate { return row.purchaseDate > otherRow.purchaseDate }
        // Identifiers are increasing numbers, so the longer one is newer.
        return (row.transactionID.utf8.count, row.transactionID)
            > (otherRow.transactionID.utf8.count, otherRow.transactionID)
    }

    /// When access ends, or ended.
    private var end: Date {
        let end = accessEndDate ?? .distantFuture
        return isEntitled ? end : min(end, revocationDate ?? .distantFuture)
    }

    /// Returns the best entitlement to each product, in the order of the products.
    static func best(_ entitlements: some Sequence<StoreEntitlement>) -> [StoreEntitlement] {
        // The levels of one product are the same.
        Dictionary(entitlements.map { ($0.transaction.facts.productID, $0) }) {
            $1.precedes($0, comparesLevels: false) ? $1 : $0
        }
        .inOrder { $0.key < $1.key }.map(\.value)
    }

    /// Returns the best subscription of a group. A customer can have several: one that the customer pays, and others
    /// that family members share.
    static func best(ofGroup entitlements: [StoreEntitlement]) -> StoreEntitlement? {
        let comparesLevels = entitlements.allSatisfy { $0.level != nil }
        return entitlements.min { $0.precedes($1, comparesLevels: comparesLevels) }
    }
}
