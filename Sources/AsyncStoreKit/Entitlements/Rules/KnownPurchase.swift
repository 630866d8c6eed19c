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

    /// The purchases that are evaluated together.
    fileprivate let group: KnownPurchases.Group
    private let productID: String
    private let kind: ProductKind
    private let duration: TimeInterval?
    /// The transactions that can give access, newest first.
    private let records: [Record]
    /// The transactions that only say why access ended.
    fileprivate let past: [VerifiedTransaction]
    private let renewal: VerifiedRenewal?
    /// What followed from the evidence, while it still follows.
    fileprivate(set) var answer: PurchaseAnswer?

    fileprivate init(
        _ productID: String, of group: KnownPurchases.Group, _ kind: ProductKind, _ duration: TimeInterval?,
        _ records: [Record], past: [VerifiedTransaction], _ renewal: VerifiedRenewal?
    ) {
        self.records = records.inOrder { $0.signedTransaction.isNewer(than: $1.signedTransaction) }
        (self.productID, self.group, self.kind, self.duration) = (productID, group, kind, duration)
        (self.past, self.renewal) = (past, renewal)
    }

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
        if let grace = renewal?.facts.gracePeriodExpirationDate, grace > date, grace >= end {
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

/// The purchases of the customer: each of one product, one original transaction and one owner.
struct KnownPurchases: Sendable {
    typealias Record = EntitlementRecords.Record

    /// Identifies the transactions that are evaluated together.
    fileprivate struct Group: Hashable, Sendable {
        /// The original transaction, or the product if its purchases add up.
        let id: String
        let isPaidByOthers: Bool
        let isStacked: Bool
    }

    private struct Rows {
        var records: [Record] = []
        var past: [VerifiedTransaction] = []
    }

    private(set) var all: [KnownPurchase] = []
    /// The kinds of the products except consumables, from the transactions with the most details.
    private let kinds: [String: ProductKind]
    /// How long non-renewing subscriptions last, in seconds, by product.
    private let durations: [String: TimeInterval]
    /// The renewal information, by ``VerifiedRenewal/subscriptionID``.
    private let renewals: [String: [VerifiedRenewal]]

    /// - Parameters:
    ///   - records: The transactions that can give access.
    ///   - past: The transactions that say why access ended.
    init(
        _ records: some Collection<Record>, past: [VerifiedTransaction] = [], _ renewals: [String: [VerifiedRenewal]],
        durations: [String: TimeInterval]
    ) {
        kinds = Self.kinds(records.map(\.signedTransaction) + past)
        (self.renewals, self.durations) = (renewals, durations)
        var groups = [Group: Rows](minimumCapacity: records.count)
        for record in records { groups[group(record.signedTransaction), default: Rows()].records.append(record) }
        for row in past { groups[group(row), default: Rows()].past.append(row) }
        all.reserveCapacity(groups.count)
        for (group, rows) in groups { add(group, rows) }
    }

    /// Replaces the purchases to which reported transactions belong, and keeps the answers about all others.
    /// - Parameters:
    ///   - former: Those of the transactions that were known before.
    ///   - records: Every transaction that can give access.
    /// - Returns: `false` if the reports may change other purchases, too, as the first one of a product does.
    mutating func update(
        _ reported: [VerifiedTransaction], from former: [VerifiedTransaction], in records: some Collection<Record>
    ) -> Bool {
        let changed = Set(reported.map(group))
        guard changed.isSuperset(of: former.map(group)),
            reported.lazy.map(\.facts).allSatisfy({ kinds[$0.productID] == $0.knownKind })
        else { return false }
        let keys = Set(reported.map { TransactionKey($0.facts) })
        var groups = [Group: Rows]()
        for purchase in all where changed.contains(purchase.group) {
            groups[purchase.group, default: Rows()].past += purchase.past.filter {
                !keys.contains(TransactionKey($0.facts))
            }
        }
        for record in records {
            let group = group(record.signedTransaction)
            if changed.contains(group) { groups[group, default: Rows()].records.append(record) }
        }
        all.removeAll { changed.contains($0.group) }
        for (group, rows) in groups { add(group, rows) }
        return true
    }

    /// Records what followed from the evidence about a purchase.
    mutating func setAnswer(_ answer: PurchaseAnswer, at index: Int) { all[index].answer = answer }

    /// Has every purchase evaluated again, because a read has ended.
    mutating func forgetAnswers() {
        for index in all.indices { all[index].answer = nil }
    }

    private mutating func add(_ group: Group, _ rows: Rows) {
        let products = Set(rows.records.map(\.signedTransaction.facts.productID)).union(
            rows.past.map(\.facts.productID))
        for productID in products {
            guard let kind = kinds[productID] else { continue }
            all.append(
                KnownPurchase(
                    productID, of: group, kind, durations[productID],
                    rows.records.filter { $0.signedTransaction.facts.productID == productID },
                    past: rows.past.filter { $0.facts.productID == productID },
                    renewal(of: productID, group.id, in: products)))
        }
    }

    /// Returns the renewal information about a product, or about the whole subscription if it names none of its
    /// products.
    private func renewal(of productID: String, _ original: String, in products: Set<String>) -> VerifiedRenewal? {
        let own = renewals[original] ?? renewals[productID] ?? []
        return own.filter { $0.facts.productID == productID }.latest
            ?? own.filter { !products.contains($0.facts.productID) }.latest
    }

    private func group(_ signedTransaction: VerifiedTransaction) -> Group {
        let row = signedTransaction.facts
        let kind = kinds[row.productID]
        let isStacked = durations[row.productID] != nil && kind != .autoRenewable
        // A free trial that is bought once is each customer's own. Other prepaid time adds up.
        return Group(
            id: isStacked ? row.productID : row.originalTransactionID,
            isPaidByOthers: row.isPaidByOthers && (!isStacked || kind == .nonConsumable), isStacked: isStacked)
    }

    private static func kinds(_ rows: [VerifiedTransaction]) -> [String: ProductKind] {
        var kinds = [String: ProductKind?]()
        for row in rows.lazy.map(\.facts) {
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
