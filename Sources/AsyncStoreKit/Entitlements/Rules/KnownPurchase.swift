import AppReceipt
import Foundation

/// One subscription or purchase of one product and one owner, with everything that is known of it. Purchases may be
/// from any source: StoreKit 1's receipt, StoreKit 2's signed texts, the simulator, or the cache.
struct KnownPurchase: Sendable {
    typealias Record = EntitlementRecords.Record

    private let productID: String
    private let kind: ProductKind
    private let duration: TimeInterval?
    /// Newest first.
    private let records: [Record]
    private let renewal: VerifiedRenewal?

    /// Returns the entitlement by the dates of the transactions that can give access, and the record that decides;
    /// `nil` if there are none.
    func current(at date: Date) -> (entitlement: StoreEntitlement, record: Record)? {
        let current = records.filter { !$0.isPast }
        guard let entitlement = entitlement(current.map(\.signedTransaction), at: date) else { return nil }
        return current.first { $0.signedTransaction.id == entitlement.transaction.id }.map { (entitlement, $0) }
    }

    /// Returns why the purchase gives no access, from the transactions of the past, too.
    func ended(at date: Date) -> StoreEntitlement? {
        entitlement(records.map(\.signedTransaction), at: date).flatMap { $0.isEntitled ? nil : $0 }
    }

    /// Returns the last state with access of a subscription whose access has ended by the dates: the answer while the
    /// evidence says that access continues. `nil` if a transaction says that it has ended.
    func continued(_ ended: StoreEntitlement) -> StoreEntitlement? {
        guard kind == .autoRenewable, ended.state == .expired || ended.state == .inBillingRetryPeriod,
            let end = ended.transaction.facts.expirationDate
        else { return nil }
        let grace = renewal?.facts.gracePeriodExpirationDate.flatMap { $0 > end ? $0 : nil }
        return entitlement(ended.transaction, grace == nil ? .subscribed : .inGracePeriod, end: grace ?? end)
    }

    /// - Parameter end: When access ends or ended, with the grace period that the state is in; `nil` without an end.
    private func entitlement(
        _ transaction: VerifiedTransaction, _ state: SubscriptionState, end: Date?
    ) -> StoreEntitlement {
        // A non-renewing subscription with a duration has an end, whatever its transactions say about the kind.
        let kind = duration != nil && kind != .nonConsumable && kind != .autoRenewable ? .nonRenewable : kind
        return StoreEntitlement(
            transaction, kind: kind, state: state, accessEndDate: end,
            renewal: kind == .autoRenewable ? renewal : nil)
    }

    private func entitlement(_ rows: [VerifiedTransaction], at date: Date) -> StoreEntitlement? {
        guard let newest = rows.first else { return nil }
        if kind == .autoRenewable { return subscription(rows, newest, at: date) }
        if let duration { return stacked(rows, duration, at: date) }
        let transaction = rows.first(where: \.facts.isValid) ?? newest
        return entitlement(transaction, transaction.facts.stateWithoutEnd, end: nil)
    }

    /// The valid period that ends last decides; without one that runs, a revocation of the newest transaction.
    private func subscription(
        _ rows: [VerifiedTransaction], _ newest: VerifiedTransaction, at date: Date
    ) -> StoreEntitlement {
        // A product that is a subscription elsewhere and has no end here is owned permanently.
        if let owned = rows.first(where: \.facts.isValid), rows.allSatisfy(\.facts.isPermanent) {
            return entitlement(owned, .subscribed, end: nil)
        }
        var last: (transaction: VerifiedTransaction, end: Date)?
        for row in rows where row.facts.isValid {
            if let end = row.facts.expirationDate, last.map({ end > $0.end }) ?? true { last = (row, end) }
        }
        if let last, last.end > date { return entitlement(last.transaction, .subscribed, end: last.end) }
        guard newest.facts.isValid, let (transaction, end) = last else {
            let state = newest.facts.isValid ? .expired : newest.facts.stateWithoutEnd
            return entitlement(newest, state, end: newest.facts.expirationDate)
        }
        if let grace = renewal?.facts.gracePeriodExpirationDate, grace > date {
            return entitlement(transaction, .inGracePeriod, end: grace)
        }
        // Apple's documentation of `is_in_billing_retry_period` says up to 60 days, and up to 90 within a commitment.
        let retry: TimeInterval = (transaction.facts.commitment == nil ? 60 : 90) * 86_400
        let isRetried = renewal?.facts.isInBillingRetry == true && date < end.addingTimeInterval(retry)
        return entitlement(transaction, isRetried ? .inBillingRetryPeriod : .expired, end: end)
    }

    /// Purchases of prepaid time add up.
    private func stacked(
        _ rows: [VerifiedTransaction], _ duration: TimeInterval, at date: Date
    ) -> StoreEntitlement? {
        var receipt = Receipt(ReceiptContents(transactions: rows.map { ReceiptTransaction($0.facts) }))
        receipt.clock = { date }
        let status = receipt.subscriptionStatus(ofNonRenewing: [productID], duration: duration, at: .now)
        guard let row = status.transaction?.facts else { return nil }
        // A shared trial of a family gives no access.
        if kind == .nonConsumable, row.isFamilyShared { return nil }
        return rows.first { $0.id == row.transactionID }.map {
            entitlement($0, status.state, end: status.expirationDate)
        }
    }
}

// The purchases of the customer: each of one product, one original transaction and one owner.
extension KnownPurchase {
    /// Identifies the transactions that are evaluated together.
    private struct Key: Hashable {
        let productID: String
        /// The original transaction; `nil` if the purchases of the product add up.
        let originalID: String?
        let isPaidByOthers: Bool
    }

    /// Returns the purchases that transactions are.
    /// - Parameters:
    ///   - renewals: The renewal information, by ``VerifiedRenewal/subscriptionID``.
    ///   - durations: How long non-renewing subscriptions last, in seconds, by product.
    static func all(
        _ records: [Record], _ renewals: [String: [VerifiedRenewal]], durations: [String: TimeInterval]
    ) -> [KnownPurchase] {
        let rows = records.map(\.facts)
        let kinds = kinds(rows)
        var products = [String: Set<String>]()
        for row in rows where renewals[row.originalTransactionID] != nil {
            products[row.originalTransactionID, default: []].insert(row.productID)
        }
        func key(_ row: PurchaseFacts) -> Key {
            let isStacked = durations[row.productID] != nil && kinds[row.productID] != .autoRenewable
            // A free trial that is bought once is each customer's own. Other prepaid time adds up.
            let isOwn = !isStacked || kinds[row.productID] == .nonConsumable
            return Key(
                productID: row.productID, originalID: isStacked ? nil : row.originalTransactionID,
                isPaidByOthers: row.isPaidByOthers && isOwn)
        }
        return Dictionary(grouping: records) { key($0.facts) }.compactMap { key, records in
            guard let kind = kinds[key.productID] else { return nil }
            let original = key.originalID ?? ""
            let known = renewals[original] ?? renewals[key.productID] ?? []
            // The information about the product, or about the whole subscription if it names none of its products.
            let renewal =
                known.filter { $0.facts.productID == key.productID }.latest
                ?? known.filter { !(products[original]?.contains($0.facts.productID) ?? false) }.latest
            return KnownPurchase(
                productID: key.productID, kind: kind, duration: durations[key.productID],
                records: records.inOrder { $0.facts.isNewer(than: $1.facts) }, renewal: renewal)
        }
    }

    /// The kinds of the products except consumables, from the transactions with the most details.
    private static func kinds(_ rows: [PurchaseFacts]) -> [String: ProductKind] {
        let kinds = Dictionary(rows.lazy.map { ($0.productID, $0.knownKind) }) { $1 == .autoRenewable ? $1 : $0 ?? $1 }
        return kinds.compactMapValues { $0 == .consumable ? nil : $0 ?? .unknown }
    }
}

extension PurchaseFacts {
    /// The kind of the product by this transaction; `nil` if the transaction doesn't say.
    fileprivate var knownKind: ProductKind? { expirationDate != nil ? .autoRenewable : productKind }

    /// Whether nothing says that the purchase ends.
    fileprivate var isPermanent: Bool { expirationDate == nil && productKind ?? .nonConsumable == .nonConsumable }

    /// The state of a purchase without an end, and of one that Apple has revoked or replaced.
    fileprivate var stateWithoutEnd: SubscriptionState { isValid ? .subscribed : isReplaced ? .upgraded : .revoked }
}

extension VerifiedRenewal {
    /// The original transaction of the subscription, or else the product.
    var subscriptionID: String { facts.originalTransactionID ?? facts.productID }
}

extension [VerifiedRenewal] {
    /// The one that Apple signed last.
    fileprivate var latest: VerifiedRenewal? {
        self.max { ($0.facts.signedDate ?? .distantPast) < ($1.facts.signedDate ?? .distantPast) }
    }
}
