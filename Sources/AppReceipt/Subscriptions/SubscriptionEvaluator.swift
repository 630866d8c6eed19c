import Foundation

/// Evaluates where a subscription stands. Every original transaction is evaluated by itself, and the best of them counts.
///
/// Of each it looks at the transaction that is newest and the one that ends last, which the index has picked beforehand.
struct SubscriptionEvaluator {
    private let receipt: Receipt
    private let productIDs: Set<String>
    private let date: Date
    /// The latest beginning of a period that counts.
    private let horizon: Date
    /// Whether the customer's history up to `date` is asked for, and not what the receipt says altogether.
    private let isRetrospective: Bool
    /// Whether a product without an end counts.
    private let includesLifetime: Bool

    /// "For up to 60 days", Apple's documentation of `is_in_billing_retry_period`.
    private static let billingRetry: TimeInterval = 60 * 86_400

    init(receipt: Receipt, productIDs: Set<String>, date: ReceiptEvaluationDate) {
        self.receipt = receipt
        self.productIDs = productIDs
        self.date = date.date(for: receipt)
        horizon = date.horizon(for: receipt)
        if case .date = date { isRetrospective = true } else { isRetrospective = false }
        includesLifetime = true
    }

    /// Evaluates whether a subscription lasts until `date`, whenever its periods begin.
    init(receipt: Receipt, productIDs: Set<String>, lastingUntil date: Date) {
        self.receipt = receipt
        self.productIDs = productIDs
        self.date = date
        horizon = ReceiptEvaluationDate.endOfTime
        isRetrospective = false
        includesLifetime = false
    }

    func autoRenewable() -> ReceiptSubscriptionStatus {
        var best: Finding?
        func note(_ finding: Finding?) {
            if let finding, best.map({ finding.isBetter(than: $0) }) ?? true { best = finding }
        }
        var chains: [ByteKey: [ReceiptIndex.Chain]] = [:]
        for productID in productIDs {
            guard let product = receipt.storage.index.products[ByteKey(productID)] else { continue }
            if includesLifetime, product.isLifetime { note(lifetime(product)) }
            for chain in product.chains { chains[chain.original, default: []].append(chain) }
        }
        for chain in chains.values { note(finding(chain)) }
        guard let best else { return neverSubscribed() }
        return status(best.state, best.row, best.end)
    }

    /// What one original transaction's periods come to.
    private struct Finding {
        let state: ReceiptSubscriptionState
        let row: ReceiptTransaction
        /// When access ends or ended by it; `nil` for a product owned for good.
        let end: Date?
        /// When the newest period begins.
        let newest: Date
        let position: Int32

        /// Access first, then what may still become access, then the more recent news; between equals the receipt's order.
        func isBetter(than other: Finding) -> Bool {
            if rank != other.rank { return rank > other.rank }
            let (end, otherEnd) = (end ?? .distantFuture, other.end ?? .distantFuture)
            if rank > 0, end != otherEnd { return end > otherEnd }
            return newest != other.newest ? newest > other.newest : position < other.position
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

    private func finding(_ chains: [ReceiptIndex.Chain]) -> Finding? {
        guard let (newestPosition, newest) = newest(chains) else { return nil }
        func finding(_ state: ReceiptSubscriptionState, _ row: ReceiptTransaction, _ position: Int32, _ end: Date?) -> Finding {
            Finding(state: state, row: row, end: end, newest: newest.purchaseDate, position: position)
        }
        if let (position, row, end) = running(chains) { return finding(.subscribed, row, position, end) }
        if newest.isUpgraded { return finding(.upgraded, newest, newestPosition, newest.expirationDate) }
        if newest.isRevoked { return finding(.revoked, newest, newestPosition, newest.expirationDate) }
        guard let (position, last) = lastToExpire(chains, beginningBefore: horizon), let end = last.expirationDate else {
            return finding(.expired, newest, newestPosition, newest.expirationDate)
        }
        if let renewal = renewal(of: last) {
            if let grace = renewal.gracePeriodExpirationDate, grace > date, grace >= end {
                return finding(.inGracePeriod, last, position, end)
            }
            if renewal.isInBillingRetry, date < end.addingTimeInterval(Self.billingRetry) {
                return finding(.inBillingRetryPeriod, last, position, end)
            }
        }
        return finding(.expired, last, position, end)
    }

    /// The period that runs at `date`, and when it ends.
    private func running(_ chains: [ReceiptIndex.Chain]) -> (Int32, ReceiptTransaction, Date)? {
        if isRetrospective {
            // What had begun on that day goes before a renewal that the receipt lists ahead of time.
            if let (position, row) = lastToExpire(chains, beginningBefore: date), let end = row.expirationDate, end > date {
                return (position, row, end)
            }
            for upgrade in chains.lazy.flatMap(\.upgrades) where upgrade.date > date {
                guard let row = receipt.row(upgrade.position), row.purchaseDate <= date, let end = row.expirationDate, end > date else {
                    continue
                }
                return (upgrade.position, row, min(end, upgrade.date))
            }
        }
        guard let (position, row) = lastToExpire(chains, beginningBefore: horizon), let end = row.expirationDate, end > date else {
            return nil
        }
        return (position, row, end)
    }

    private func lifetime(_ product: ReceiptIndex.Product) -> Finding? {
        let rows = product.rows.lazy.compactMap { position in receipt.row(position).map { (position, $0) } }
        let known = rows.filter { $0.1.purchaseDate <= horizon }
        guard let (position, row) = known.first(where: { $0.1.isValid }) else { return nil }
        return Finding(state: .subscribed, row: row, end: nil, newest: row.purchaseDate, position: position)
    }

    /// Every purchase adds `duration` to the end of those before it, or begins on its own original date where they have ended.
    func nonRenewing(duration: TimeInterval) -> ReceiptSubscriptionStatus {
        // Nothing is listed ahead of time, as renewals are.
        let horizon = isRetrospective ? date : horizon
        // By position in the receipt, which orders them whatever the order of the set.
        var purchases: [Int32: ReceiptTransaction] = [:]
        var revoked: [Int32: ReceiptTransaction] = [:]
        for chain in productIDs.lazy.flatMap({ receipt.storage.index.products[ByteKey($0)]?.chains ?? [] }) {
            let rows = chain.rows.compactMap { position in receipt.row(position).map { (position, $0) } }.filter {
                start(of: $0.1) <= horizon
            }
            if let first = rows.last(where: { $0.1.isValid }) {
                purchases[first.0] = first.1
            } else if let newest = rows.first {
                revoked[newest.0] = newest.1
            }
        }
        let inOrder = purchases.sorted { (start(of: $0.value), $1.key) < (start(of: $1.value), $0.key) }.map(\.value)
        let end = inOrder.reduce(Date.distantPast) { end, row in
            max(end, start(of: row)).addingTimeInterval(duration * Double(max(row.quantity, 1)))
        }
        let taken = revoked.min { $0.key < $1.key }?.value
        guard let last = inOrder.last else {
            return taken.map { status(.revoked, $0, start(of: $0).addingTimeInterval(duration)) } ?? neverSubscribed()
        }
        if end > date { return status(.subscribed, last, end) }
        if let taken, start(of: taken) > start(of: last) {
            return status(.revoked, taken, start(of: taken).addingTimeInterval(duration))
        }
        return status(.expired, last, end)
    }

    /// A restored copy has a date of its own, and the purchase's as its original one.
    private func start(of row: ReceiptTransaction) -> Date {
        min(row.originalPurchaseDate, row.purchaseDate)
    }

    private func lastToExpire(_ chains: [ReceiptIndex.Chain], beginningBefore limit: Date) -> (Int32, ReceiptTransaction)? {
        candidate(chains, before: limit, \.lastToExpire) { $0.expirationDate ?? .distantPast }
    }

    /// The transaction that was made last, valid or not.
    private func newest(_ chains: [ReceiptIndex.Chain]) -> (Int32, ReceiptTransaction)? {
        candidate(chains, before: horizon, \.rows) { $0.purchaseDate }
    }

    /// Of the transactions that `list` names at the newest place up to `limit`, one for each product, the one with the greatest `rank`.
    private func candidate(
        _ chains: [ReceiptIndex.Chain], before limit: Date, _ list: KeyPath<ReceiptIndex.Chain, [Int32]>,
        _ rank: (ReceiptTransaction) -> Date
    ) -> (Int32, ReceiptTransaction)? {
        var best: (position: Int32, row: ReceiptTransaction)?
        for chain in chains {
            guard let place = firstPlace(in: chain.rows, notAfter: limit), let row = receipt.row(chain[keyPath: list][place]) else {
                continue
            }
            let found = (position: chain[keyPath: list][place], row: row)
            // Between equals the receipt's order decides, not the set's.
            if best.map({ rank(row) != rank($0.row) ? rank(row) > rank($0.row) : found.position < $0.position }) ?? true { best = found }
        }
        return best
    }

    /// The first place whose transaction begins at `limit` or before; they are ordered newest first.
    private func firstPlace(in rows: [Int32], notAfter limit: Date) -> Int? {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = low + (high - low) / 2
            if let row = receipt.row(rows[middle]), row.purchaseDate > limit {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < rows.count ? low : nil
    }

    private func renewal(of row: ReceiptTransaction) -> ReceiptRenewal? {
        guard let position = receipt.storage.index.renewal(of: row), receipt.renewals.indices.contains(position) else { return nil }
        return receipt.renewals[position]
    }

    private func neverSubscribed() -> ReceiptSubscriptionStatus {
        ReceiptSubscriptionStatus(
            state: .neverSubscribed, productIDs: productIDs, date: date, expirationDate: nil, transaction: nil, renewal: nil,
            receipt: receipt)
    }

    private func status(_ state: ReceiptSubscriptionState, _ row: ReceiptTransaction, _ end: Date?) -> ReceiptSubscriptionStatus {
        ReceiptSubscriptionStatus(
            state: state, productIDs: productIDs, date: date, expirationDate: end, transaction: row, renewal: renewal(of: row),
            receipt: receipt)
    }
}
