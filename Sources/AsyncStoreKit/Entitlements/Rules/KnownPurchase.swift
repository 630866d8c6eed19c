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

    let productID: String
    private let kind: ProductKind
    private let duration: TimeInterval?
    /// The transactions that can give access, newest first.
    private let entries: [Record]
    /// The transactions with those of the past, newest first; empty without a past.
    private let history: [VerifiedTransaction]
    private let renewal: VerifiedRenewal?

    /// Returns what the transactions that can give access say, and the entry that decides; `nil` if there are none.
    func current(at date: Date) -> (dates: Dates, entry: Record)? {
        guard entries.count != 1 else {
            return dates([entries[0].signedTransaction], at: date).map { ($0, entries[0]) }
        }
        guard let dates = dates(entries.map(\.signedTransaction), at: date) else { return nil }
        return entries.first { $0.signedTransaction.facts.transactionID == dates.signedTransaction.facts.transactionID }
            .map {
                (dates, $0)
            }
    }

    /// Returns why the purchase gives no access, from the transactions of the past, too.
    func ended(at date: Date) -> StoreEntitlement? {
        dates(history, at: date).flatMap { $0.state.isEntitled ? nil : entitlement($0) }
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
        return rows.first { $0.facts.transactionID == row.transactionID }.map {
            Dates(signedTransaction: $0, state: status.state, end: status.expirationDate)
        }
    }
}

extension PurchaseFacts {
    /// Whether nothing says that the purchase ends.
    fileprivate var isPermanent: Bool { expirationDate == nil && productKind ?? .nonConsumable == .nonConsumable }

    /// The state of a purchase without an end, and of one that Apple has revoked or replaced.
    fileprivate var stateWithoutEnd: SubscriptionState { isValid ? .subscribed : isReplaced ? .upgraded : .revoked }
}

extension KnownPurchase {
    /// Returns the purchases of the customer: each of one product, one original transaction and one owner.
    /// - Parameters:
    ///   - entries: The transactions that can give access.
    ///   - past: The transactions that say why access ended.
    ///   - durations: How long non-renewing subscriptions last, in seconds, by product.
    static func all(
        _ entries: some Collection<Record>, past: [VerifiedTransaction] = [], _ renewals: [VerifiedRenewal],
        durations: [String: TimeInterval]
    ) -> [KnownPurchase] {
        let kinds = kinds(entries.map(\.signedTransaction) + past)
        var groups = [Group: (entries: [Record], past: [VerifiedTransaction])]()
        groups.reserveCapacity(entries.count)
        for entry in entries {
            groups[Group(entry.signedTransaction, kinds, durations), default: ([], [])].entries.append(entry)
        }
        for row in past { groups[Group(row, kinds, durations), default: ([], [])].past.append(row) }
        let renewals = Renewals(renewals, originals: Set(groups.keys.map(\.id)))
        var purchases: [KnownPurchase] = []
        purchases.reserveCapacity(groups.count)
        for (_, group) in groups {
            let products = Set((group.entries.map(\.signedTransaction) + group.past).map(\.facts.productID))
            for productID in products {
                guard let kind = kinds[productID] else { continue }
                let entries = group.entries.filter { $0.signedTransaction.facts.productID == productID }
                    .inOrder { $0.signedTransaction.isNewer(than: $1.signedTransaction) }
                let past = group.past.filter { $0.facts.productID == productID }
                let rows =
                    past.isEmpty ? [] : (entries.map(\.signedTransaction) + past).inOrder { $0.isNewer(than: $1) }
                let original = (rows.first ?? entries.first?.signedTransaction)?.facts.originalTransactionID
                purchases.append(
                    KnownPurchase(
                        productID: productID, kind: kind, duration: durations[productID], entries: entries,
                        history: rows, renewal: renewals.of(productID, original ?? "", in: products)))
            }
        }
        return purchases
    }

    /// Returns the kinds of the products except consumables, from the rows with the most details.
    private static func kinds(_ rows: [VerifiedTransaction]) -> [String: ProductKind] {
        var kinds = [String: ProductKind?]()
        for row in rows.lazy.map(\.facts) {
            let kind = row.expirationDate != nil ? ProductKind.autoRenewable : row.productKind
            guard let known = kinds[row.productID] else {
                kinds[row.productID] = .some(kind)
                continue
            }
            if known == nil || kind == .autoRenewable { kinds[row.productID] = .some(kind) }
        }
        return kinds.compactMapValues { $0 == .consumable ? nil : $0 ?? .unknown }
    }

    /// Identifies the transactions that are evaluated together.
    private struct Group: Hashable {
        /// The original transaction, or the product if its purchases add up.
        let id: String
        let isPaidByOthers: Bool
        let isStacked: Bool

        init(
            _ signedTransaction: VerifiedTransaction, _ kinds: [String: ProductKind],
            _ durations: [String: TimeInterval]
        ) {
            let row = signedTransaction.facts
            let kind = kinds[row.productID]
            isStacked = durations[row.productID] != nil && kind != .autoRenewable
            id = isStacked ? row.productID : row.originalTransactionID
            // A free trial that is bought once is each customer's own. Other prepaid time adds up.
            isPaidByOthers = row.isPaidByOthers && (!isStacked || kind == .nonConsumable)
        }
    }

    /// The renewal information by original transaction. Information about an original transaction without a
    /// transaction applies to the product.
    private struct Renewals {
        private var byOriginal = [String: [VerifiedRenewal]]()
        private var byProduct = [String: [VerifiedRenewal]]()

        init(_ renewals: [VerifiedRenewal], originals: Set<String>) {
            for renewal in renewals {
                if let original = renewal.facts.originalTransactionID, originals.contains(original) {
                    byOriginal[original, default: []].append(renewal)
                } else {
                    byProduct[renewal.facts.productID, default: []].append(renewal)
                }
            }
        }

        /// Returns the information about a product, or about the whole subscription if it names none of its products.
        func of(_ productID: String, _ original: String, in products: Set<String>) -> VerifiedRenewal? {
            let own = byOriginal[original] ?? []
            return own.filter { $0.facts.productID == productID }.latest ?? byProduct[productID]?.latest
                ?? own.filter { !products.contains($0.facts.productID) }.latest
        }
    }
}

extension [VerifiedRenewal] {
    /// The one that Apple signed last.
    fileprivate var latest: VerifiedRenewal? {
        reduce(nil) { latest, next in
            guard let latest else { return next }
            return next.facts.signedDate ?? .distantPast > latest.facts.signedDate ?? .distantPast ? next : latest
        }
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
