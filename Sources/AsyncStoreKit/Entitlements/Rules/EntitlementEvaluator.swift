import AppReceipt
import Foundation

/// Evaluates purchases by their dates, each separately: a subscription or purchase of one original transaction and one
/// owner. Purchases may be from any source: StoreKit 1's receipt, StoreKit 2's signed texts, the simulator, or the
/// cache.
struct EntitlementEvaluator: Sendable {
    /// One subscription or purchase of one product.
    struct Purchase: Sendable {
        let productID: String
        fileprivate let kind: ProductKind
        fileprivate let duration: TimeInterval?
        /// The transactions that can give access.
        fileprivate let evidence: Rows?
        /// The transactions with those of the past, if there are any of the past.
        fileprivate let all: Rows?
        fileprivate let renewals: [VerifiedRenewal]

        /// Returns the entitlement by the transactions that can give access. The caller adds the signed texts.
        func entitlement(at date: Date) -> StoreEntitlement? { evidence.flatMap { entitlement(by: $0, at: date) } }

        /// Returns why the purchase gives no access, from the transactions of the past, too.
        func ended(at date: Date) -> StoreEntitlement? {
            all.flatMap { entitlement(by: $0, at: date) }.flatMap { $0.isEntitled ? nil : $0 }
        }
    }

    /// The transactions of one purchase. One transaction without an end needs no index, and a customer may have
    /// thousands of these.
    fileprivate enum Rows: Sendable {
        case single(PurchaseFacts)
        case indexed(Receipt)
    }

    let purchases: [Purchase]
    private let contents: [Group: Content]

    /// - Parameters:
    ///   - rows: The transactions that can give access.
    ///   - past: The transactions that say why access ended.
    ///   - durations: How long non-renewing subscriptions last, in seconds, by product.
    ///   - former: The evaluator of earlier records. What hasn't changed isn't indexed again.
    init(
        _ rows: [PurchaseFacts], past: [PurchaseFacts] = [], _ renewals: [VerifiedRenewal],
        durations: [String: TimeInterval], reusing former: EntitlementEvaluator? = nil
    ) {
        let kinds = Self.kinds(rows + past)
        var groups = [Group: (rows: [PurchaseFacts], past: [PurchaseFacts])]()
        groups.reserveCapacity(rows.count)
        for row in rows { groups[Group(row, kinds, durations), default: ([], [])].rows.append(row) }
        for row in past { groups[Group(row, kinds, durations), default: ([], [])].past.append(row) }
        let renewals = Renewals(renewals, originals: Set(groups.keys.map(\.id)))
        var contents = [Group: Content]()
        contents.reserveCapacity(groups.count)
        for (group, rows) in groups {
            var content = Content(rows: rows.rows, past: rows.past, renewals: renewals.of(rows.rows + rows.past))
            if let known = former?.contents[group], known.hasSameContent(as: content),
                known.purchases.allSatisfy({ kinds[$0.productID] == $0.kind })
            {
                contents[group] = known
                continue
            }
            let evidence = Self.rows(rows.rows, content.renewals, group)
            let all = rows.past.isEmpty ? nil : Self.rows(rows.rows + rows.past, content.renewals, group)
            content.purchases = Set((rows.rows + rows.past).map(\.productID)).compactMap { productID in
                guard let kind = kinds[productID] else { return nil }
                return Purchase(
                    productID: productID, kind: kind, duration: durations[productID], evidence: evidence, all: all,
                    renewals: content.renewals)
            }
            contents[group] = content
        }
        self.contents = contents
        purchases = contents.values.flatMap(\.purchases)
    }

    /// Returns the best entitlement to each product, by the dates alone, in the order of the products.
    func entitlements(at date: Date) -> [StoreEntitlement] {
        Self.best(purchases.lazy.compactMap { $0.entitlement(at: date) })
    }

    /// Returns the best entitlement to each product, in the order of the products.
    static func best(_ entitlements: some Sequence<StoreEntitlement>) -> [StoreEntitlement] {
        Dictionary(entitlements.map { ($0.transaction.facts.productID, $0) }) { $1.isBetter(than: $0) ? $1 : $0 }
            .inOrder { $0.key < $1.key }.map(\.value)
    }

    private static func rows(_ rows: [PurchaseFacts], _ renewals: [VerifiedRenewal], _ group: Group) -> Rows? {
        guard let first = rows.first else { return nil }
        if rows.count == 1, first.expirationDate == nil, !group.isStacked { return .single(first) }
        let contents = ReceiptContents(
            transactions: rows.map { ReceiptTransaction($0) }, renewals: renewals.map(\.receiptRenewal))
        return .indexed(Receipt(contents))
    }

    /// Returns the kinds of the products except consumables, from the rows with the most details.
    private static func kinds(_ rows: [PurchaseFacts]) -> [String: ProductKind] {
        var kinds = [String: ProductKind?]()
        for row in rows {
            let kind = row.expirationDate != nil ? ProductKind.autoRenewable : row.productKind
            guard let known = kinds[row.productID] else {
                kinds[row.productID] = .some(kind)
                continue
            }
            if known == nil || kind == .autoRenewable { kinds[row.productID] = .some(kind) }
        }
        return kinds.compactMapValues { $0 == .consumable ? nil : $0 ?? .unknown }
    }
}

extension EntitlementEvaluator {
    /// The transactions of a group, and the purchases that they are.
    private struct Content: Sendable {
        let rows: [PurchaseFacts]
        let past: [PurchaseFacts]
        let renewals: [VerifiedRenewal]
        var purchases: [Purchase] = []

        /// Whether the purchases are the same, apart from newer signatures.
        func hasSameContent(as other: Content) -> Bool {
            rows.elementsEqual(other.rows) { $0.hasSameContent(as: $1) }
                && past.elementsEqual(other.past) { $0.hasSameContent(as: $1) }
                && renewals == other.renewals
        }
    }

    /// Identifies the transactions that are evaluated together.
    private struct Group: Hashable {
        /// The original transaction, or the product if its purchases add up.
        let id: String
        let isPaidByOthers: Bool
        let isStacked: Bool

        init(
            _ row: PurchaseFacts, _ kinds: [String: ProductKind], _ durations: [String: TimeInterval]
        ) {
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

        func of(_ rows: [PurchaseFacts]) -> [VerifiedRenewal] {
            Set(rows.map(\.originalTransactionID)).flatMap { byOriginal[$0] ?? [] }
                + Set(rows.map(\.productID)).flatMap { byProduct[$0] ?? [] }
        }
    }
}

extension EntitlementEvaluator.Purchase {
    private func entitlement(by rows: EntitlementEvaluator.Rows, at date: Date) -> StoreEntitlement? {
        switch rows {
        case .single(let row): return entitlement(row, state(of: row), end: nil, renewal: nil)
        case .indexed(var receipt):
            receipt.clock = { date }
            return entitlement(by: receipt)
        }
    }

    private func entitlement(by receipt: Receipt) -> StoreEntitlement? {
        if kind == .autoRenewable {
            let status = receipt.subscriptionStatus(of: productID, at: .now)
            return entitlement(status, end: status.accessEndDate)
        }
        if let duration {
            let status = receipt.subscriptionStatus(ofNonRenewing: [productID], duration: duration, at: .now)
            // A shared trial of a family gives no access.
            let isShared = kind == .nonConsumable && status.transaction?.isFamilyShared == true
            return isShared ? nil : entitlement(status, end: status.expirationDate)
        }
        guard let newest = receipt.transactions(of: productID).first else { return nil }
        let row = receipt.latestValidTransaction(of: productID) ?? newest
        return entitlement(row.facts, state(of: row.facts), end: nil, renewal: nil)
    }

    private func state(of row: PurchaseFacts) -> SubscriptionState {
        row.isValid ? .subscribed : row.isUpgraded ? .upgraded : .revoked
    }

    private func entitlement(_ status: ReceiptSubscriptionStatus, end: Date?) -> StoreEntitlement? {
        guard let row = status.transaction?.facts else { return nil }
        return entitlement(row, status.state, end: end, renewal: status.renewal)
    }

    private func entitlement(
        _ row: PurchaseFacts, _ state: SubscriptionState, end: Date?, renewal: ReceiptRenewal?
    ) -> StoreEntitlement {
        // A non-renewing subscription with a duration has an end, whatever its transactions say about the kind.
        let kind = duration != nil && kind != .nonConsumable && kind != .autoRenewable ? .nonRenewable : kind
        let renewal = renewal.flatMap { renewal in renewals.first { $0.facts == renewal.facts } }
        return StoreEntitlement(row, kind: kind, state: state, accessEndDate: end, renewal: renewal)
    }
}

extension StoreEntitlement {
    /// Returns whether this entitlement is better than another one to the same product: access first, then billing
    /// retry, then the later end, then the newer transaction.
    fileprivate func isBetter(than other: StoreEntitlement) -> Bool {
        if rank != other.rank { return rank > other.rank }
        let (end, otherEnd) = (accessEndDate ?? .distantFuture, other.accessEndDate ?? .distantFuture)
        if rank > 0, end != otherEnd { return end > otherEnd }
        let (row, otherRow) = (transaction.facts, other.transaction.facts)
        if row.purchaseDate != otherRow.purchaseDate { return row.purchaseDate > otherRow.purchaseDate }
        // Identifiers are increasing numbers, so the longer one is newer.
        let (id, otherID) = (row.transactionID, otherRow.transactionID)
        return (id.utf8.count, id) > (otherID.utf8.count, otherID)
    }

    private var rank: Int {
        switch state {
        case .subscribed: 3
        case .inGracePeriod: 2
        case .inBillingRetryPeriod: 1
        default: 0
        }
    }
}
