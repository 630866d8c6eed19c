import Foundation

/// Evaluates where a subscription stands. Every original transaction is evaluated by itself, and the best of them
/// counts.
///
/// Of each it looks at the transaction that is newest and the one that ends last, which the index has picked
/// beforehand.
struct SubscriptionEvaluator {
    private let receipt: Receipt
    /// Looked at in place, by position: they are large.
    private let rows: [ReceiptTransaction]
    private let productIDs: Set<String>
    private let date: Date
    /// The latest beginning of a period that counts.
    private let horizon: Date
    /// Whether the customer's history up to `date` is asked for, and not what the receipt says altogether.
    private let isRetrospective: Bool
    /// Whether a product without an end counts.
    private let includesLifetime: Bool

    /// How long Apple tries to charge the customer after a period: up to 60 days by its documentation of
    /// `is_in_billing_retry_period`, and up to 90 days within a commitment.
    private static func billingRetry(after period: ReceiptTransaction) -> TimeInterval {
        (period.commitment == nil ? 60 : 90) * 86_400
    }

    init(receipt: Receipt, productIDs: Set<String>, date: ReceiptEvaluationDate) {
        self.receipt = receipt
        rows = receipt.transactions
        self.productIDs = productIDs
        self.date = date.date(for: receipt)
        horizon = date.horizon(for: receipt)
        if case .date = date { isRetrospective = true } else { isRetrospective = false }
        includesLifetime = true
    }

    /// Evaluates whether a subscription lasts until `date`, whenever its periods begin.
    init(receipt: Receipt, productIDs: Set<String>, lastingUntil date: Date) {
        self.receipt = receipt
        rows = receipt.transactions
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
        return status(best.state, best.position, best.end)
    }

    /// What one original transaction's periods come to.
    private struct Finding {
        let state: ReceiptSubscriptionState
        /// The transaction that decides.
        let position: Int32
        /// When access ends or ended by it; `nil` for a product owned for good.
        let end: Date?
        /// When the newest period begins.
        let newest: Date

        /// Access first, then what may still become access, then the more recent news; between equals the receipt's
        /// order.
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
        guard let newest = newest(chains) else { return nil }
        func finding(_ state: ReceiptSubscriptionState, _ position: Int32, _ end: Date?) -> Finding {
            Finding(state: state, position: position, end: end, newest: rows[Int(newest)].purchaseDate)
        }
        if let (position, end) = running(chains) { return finding(.subscribed, position, end) }
        let newestEnd = rows[Int(newest)].expirationDate
        if rows[Int(newest)].isReplaced { return finding(.upgraded, newest, newestEnd) }
        if rows[Int(newest)].isRevoked { return finding(.revoked, newest, newestEnd) }
        guard let (last, end) = lastToExpire(chains, beginningBefore: horizon) else { return finding(.expired, newest, newestEnd) }
        if let renewal = renewal(of: last) {
            if let grace = renewal.gracePeriodExpirationDate, grace > date, grace >= end { return finding(.inGracePeriod, last, end) }
            if renewal.isInBillingRetry, date < end.addingTimeInterval(Self.billingRetry(after: rows[Int(last)])) {
                return finding(.inBillingRetryPeriod, last, end)
            }
        }
        return finding(.expired, last, end)
    }

    /// The period that runs at `date`, and when it ends.
    private func running(_ chains: [ReceiptIndex.Chain]) -> (Int32, Date)? {
        if isRetrospective {
            // What had begun on that day goes before a renewal that the receipt lists ahead of time.
            if let (position, end) = lastToExpire(chains, beginningBefore: date), end > date { return (position, end) }
            for chain in chains {
                for upgrade in chain.upgrades where upgrade.date > date {
                    let place = Int(upgrade.position)
                    guard rows[place].purchaseDate <= date, let end = rows[place].expirationDate, end > date else { continue }
                    return (upgrade.position, min(end, upgrade.date))
                }
            }
        }
        guard let (position, end) = lastToExpire(chains, beginningBefore: horizon), end > date else { return nil }
        return (position, end)
    }

    private func lifetime(_ product: ReceiptIndex.Product) -> Finding? {
        guard let position = product.rows.first(where: { rows[Int($0)].purchaseDate <= horizon && rows[Int($0)].isValid }) else {
            return nil
        }
        return Finding(state: .subscribed, position: position, end: nil, newest: rows[Int(position)].purchaseDate)
    }

    /// Every purchase adds `duration` to the end of those before it, or begins on its own original date where they have
    /// ended.
    func nonRenewing(duration: TimeInterval) -> ReceiptSubscriptionStatus {
        // Nothing is listed ahead of time, as renewals are.
        let horizon = isRetrospective ? date : horizon
        var purchases: [Int32] = []
        // The one that is named first in the receipt, whatever the order of the set.
        var taken: Int32?
        for productID in productIDs {
            for chain in receipt.storage.index.products[ByteKey(productID)]?.chains ?? [] {
                let known = chain.rows.filter { start(of: $0) <= horizon }
                if let first = known.last(where: { rows[Int($0)].isValid }) {
                    purchases.append(first)
                } else if let newest = known.first {
                    taken = min(newest, taken ?? newest)
                }
            }
        }
        // Of two that begin at the same time, the receipt names the later one first.
        let inOrder = purchases.inOrder { (start(of: $0), $1) < (start(of: $1), $0) }
        let end = inOrder.reduce(Date.distantPast) { end, position in
            max(end, start(of: position)).addingTimeInterval(duration * Double(max(rows[Int(position)].quantity, 1)))
        }
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
    private func start(of position: Int32) -> Date {
        min(rows[Int(position)].originalPurchaseDate, rows[Int(position)].purchaseDate)
    }

    /// The valid transaction that ends last of those that begin before a moment, and when it ends.
    private func lastToExpire(_ chains: [ReceiptIndex.Chain], beginningBefore limit: Date) -> (Int32, Date)? {
        var best: (position: Int32, end: Date)?
        for chain in chains {
            guard let place = firstPlace(in: chain.rows, notAfter: limit), chain.lastToExpire[place] >= 0,
                let end = rows[Int(chain.lastToExpire[place])].expirationDate
            else { continue }
            let found = (position: chain.lastToExpire[place], end: end)
            // Between equals the receipt's order decides, not the set's.
            if best.map({ found.end != $0.end ? found.end > $0.end : found.position < $0.position }) ?? true { best = found }
        }
        return best
    }

    /// The transaction that was made last, valid or not.
    private func newest(_ chains: [ReceiptIndex.Chain]) -> Int32? {
        var best: Int32?
        for chain in chains {
            guard let place = firstPlace(in: chain.rows, notAfter: horizon) else { continue }
            // The receipt names the newest first.
            best = min(chain.rows[place], best ?? chain.rows[place])
        }
        return best
    }

    /// The first place whose transaction begins at `limit` or before; they are ordered newest first.
    private func firstPlace(in positions: [Int32], notAfter limit: Date) -> Int? {
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = low + (high - low) / 2
            if rows[Int(positions[middle])].purchaseDate > limit {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < positions.count ? low : nil
    }

    private func renewal(of position: Int32) -> ReceiptRenewal? {
        guard let place = receipt.storage.index.renewal(of: rows[Int(position)]), receipt.renewals.indices.contains(place) else {
            return nil
        }
        return receipt.renewals[place]
    }

    private func neverSubscribed() -> ReceiptSubscriptionStatus {
        ReceiptSubscriptionStatus(
            state: .neverSubscribed, productIDs: productIDs, date: date, expirationDate: nil, transaction: nil, renewal: nil,
            receipt: receipt)
    }

    private func status(_ state: ReceiptSubscriptionState, _ position: Int32, _ end: Date?) -> ReceiptSubscriptionStatus {
        ReceiptSubscriptionStatus(
            state: state, productIDs: productIDs, date: date, expirationDate: end, transaction: rows[Int(position)],
            renewal: renewal(of: position), receipt: receipt)
    }
}
