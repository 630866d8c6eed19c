import AppReceipt
import Foundation

/// One subscription or purchase of one product and one owner, with everything that is known of it. Purchases may be
/// from any source: StoreKit 1's receipt, StoreKit 2's signed texts, the simulator, or the cache.
struct KnownPurchase: Sendable {
    typealias Record = EntitlementRecords.Record

    /// What the dates of the transactions say.
    struct Dates: Sendable {
        let signedTransaction: VerifiedTransaction
        let state: SubscriptionState
        /// When access ends or ended, with the grace period that the state is in; `nil` without an end.
        let end: Date?
    }

    private let productID: String
    private let kind: ProductKind
    private let duration: TimeInterval?
    /// The transactions that can give access, newest first.
    private let records: [Record]
    /// The transactions that only say why access ended.
    private let past: [VerifiedTransaction]
    private let renewal: VerifiedRenewal?

    /// Returns what the transactions that can give access say, and the record that decides; `nil` if there are none.
    func current(at date: Date) -> (dates: Dates, record: Record)? {
        guard let dates = dates(records.map(\.signedTransaction), at: date) else { return nil }
        let record =
            records.count == 1 ? records[0] : records.first { $0.signedTransaction.id == dates.signedTransaction.id }
        return record.map { (dates, $0) }
    }

    /// Returns why the purchase gives no access, from the transactions of the past, too.
    func ended(at date: Date) -> StoreEntitlement? {
        guard !past.isEmpty else { return nil }
        let history = (records.map(\.signedTransaction) + past).inOrder { $0.isNewer(than: $1) }
        return dates(history, at: date).flatMap { $0.state.isEntitled ? nil : entitlement($0) }
    }

    /// The entitlement to the product. The caller may change the state.
    func entitlement(_ dates: Dates) -> StoreEntitlement {
        // A non-renewing subscription with a duration has an end, whatever its transactions say about the kind.
        let kind = duration != nil && kind != .nonConsumable && kind != .autoRenewable ? .nonRenewable : kind
        return StoreEntitlement(
            dates.signedTransaction, kind: kind, state: dates.state, accessEndDate: dates.end,
            renewal: kind == .autoRenewable ? renewal : nil)
    }

    /// Returns the last state with access of a subscription whose access has ended by the dates: the answer while the
    /// evidence says that access continues. `nil` if a transaction says that it has ended.
    func continued(_ dates: Dates) -> Dates? {
        guard kind == .autoRenewable, dates.state == .expired || dates.state == .inBillingRetryPeriod,
            let end = dates.signedTransaction.facts.expirationDate
        else { return nil }
        let grace = renewal?.facts.gracePeriodExpirationDate.flatMap { $0 > end ? $0 : nil }
        return Dates(
            signedTransaction: dates.signedTransaction, state: grace == nil ? .subscribed : .inGracePeriod,
            end: grace ?? end)
    }

    private func dates(_ rows: [VerifiedTransaction], at date: Date) -> Dates? {
        guard let newest = rows.first else { return nil }
        if kind == .autoRenewable { return subscription(rows, newest, at: date) }
        if let duration { return stacked(rows, duration, at: date) }
        let signedTransaction = rows.first(where: \.facts.isValid) ?? newest
        return Dates(signedTransaction: signedTransaction, state: signedTransaction.facts.stateWithoutEnd, end: nil)
    }

    /// The valid period that ends last decides; without one that runs, a revocation of the newest transaction.
    private func subscription(_ rows: [VerifiedTransaction], _ newest: VerifiedTransaction, at date: Date) -> Dates {
        // A product that is a subscription elsewhere and has no end here is owned permanently.
        if let owned = rows.first(where: \.facts.isValid), rows.allSatisfy(\.facts.isPermanent) {
            return Dates(signedTransaction: owned, state: .subscribed, end: nil)
        }
        var last: (signedTransaction: VerifiedTransaction, end: Date)?
        for row in rows where row.facts.isValid {
            if let end = row.facts.expirationDate, last.map({ end > $0.end }) ?? true { last = (row, end) }
        }
        if let last, last.end > date {
            return Dates(signedTransaction: last.signedTransaction, state: .subscribed, end: last.end)
        }
        guard newest.facts.isValid, let (signedTransaction, end) = last else {
            let state = newest.facts.isValid ? SubscriptionState.expired : newest.facts.stateWithoutEnd
            return Dates(signedTransaction: newest, state: state, end: newest.facts.expirationDate)
        }
        if let grace = renewal?.facts.gracePeriodExpirationDate, grace > date {
            return Dates(signedTransaction: signedTransaction, state: .inGracePeriod, end: grace)
        }
        // Apple's documentation of `is_in_billing_retry_period` says up to 60 days, and up to 90 within a commitment.
        let retry: TimeInterval = (signedTransaction.facts.commitment == nil ? 60 : 90) * 86_400
        let isRetried = renewal?.facts.isInBillingRetry == true && date < end.addingTimeInterval(retry)
        return Dates(
            signedTransaction: signedTransaction, state: isRetried ? .inBillingRetryPeriod : .expired, end: end)
    }

    /// Purchases of prepaid time add up.
    private func stacked(_ rows: [VerifiedTransaction], _ duration: TimeInterval, at date: Date) -> Dates? {
        var receipt = Receipt(ReceiptContents(transactions: rows.map { ReceiptTransaction($0.facts) }))
        receipt.clock = { date }
        let status = receipt.subscriptionStatus(ofNonRenewing: [productID], duration: duration, at: .now)
        guard let row = status.transaction?.facts else { return nil }
        // A shared trial of a family gives no access.
        if kind == .nonConsumable, row.isFamilyShared { return nil }
        return rows.first { $0.id == row.transactionID }.map {
            Dates(signedTransaction: $0, state: status.state, end: status.expirationDate)
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
    ///   - records: The transactions that can give access.
    ///   - past: The transactions that say why access ended.
    ///   - renewals: The renewal information, by ``VerifiedRenewal/subscriptionID``.
    ///   - durations: How long non-renewing subscriptions last, in seconds, by product.
    static func all(
        _ records: some Collection<Record>, past: [VerifiedTransaction] = [], _ renewals: [String: [VerifiedRenewal]],
        durations: [String: TimeInterval]
    ) -> [KnownPurchase] {
        let rows = records.map(\.signedTransaction.facts) + past.map(\.facts)
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
        var groups = [Key: (records: [Record], past: [VerifiedTransaction])](minimumCapacity: records.count)
        for record in records { groups[key(record.signedTransaction.facts), default: ([], [])].records.append(record) }
        for row in past { groups[key(row.facts), default: ([], [])].past.append(row) }
        return groups.compactMap { key, rows in
            guard let kind = kinds[key.productID] else { return nil }
            let original = key.originalID ?? ""
            let known = renewals[original] ?? renewals[key.productID] ?? []
            // The information about the product, or about the whole subscription if it names none of its products.
            let renewal =
                known.filter { $0.facts.productID == key.productID }.latest
                ?? known.filter { !(products[original]?.contains($0.facts.productID) ?? false) }.latest
            return KnownPurchase(
                productID: key.productID, kind: kind, duration: durations[key.productID],
                records: rows.records.inOrder { $0.signedTransaction.isNewer(than: $1.signedTransaction) },
                past: rows.past, renewal: renewal)
        }
    }

    /// The kinds of the products except consumables, from the transactions with the most details.
    private static func kinds(_ rows: [PurchaseFacts]) -> [String: ProductKind] {
        var kinds = [String: ProductKind?]()
        for row in rows {
            let kind = row.knownKind
            if kinds[row.productID, default: nil] == nil || kind == .autoRenewable {
                kinds[row.productID] = .some(kind)
            }
        }
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

extension VerifiedTransaction {
    /// Whether the transaction is of a later purchase or period than another one.
    fileprivate func isNewer(than other: VerifiedTransaction) -> Bool {
        let (row, other) = (facts, other.facts)
        if row.purchaseDate != other.purchaseDate { return row.purchaseDate > other.purchaseDate }
        let (end, otherEnd) = (row.expirationDate ?? .distantPast, other.expirationDate ?? .distantPast)
        if end != otherEnd { return end > otherEnd }
        // Identifiers are increasing numbers, so the longer one is newer.
        return (row.transactionID.utf8.count, row.transactionID)
            > (other.transactionID.utf8.count, other.transactionID)
    }
}
