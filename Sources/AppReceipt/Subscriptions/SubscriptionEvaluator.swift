import Foundation

/// Evaluates the status of a subscription. Each original transaction is evaluated separately, and the best result is
/// returned.
///
/// The evaluation uses the newest transaction and the one that ends last, which the index contains.
struct SubscriptionEvaluator {
    private let receipt: Receipt
    /// Accessed by position, because rows are large.
    private let rows: [ReceiptTransaction]
    private let productIDs: Set<String>
    private let date: Date
    /// The latest start of a period that is evaluated.
    private let horizon: Date
    /// Whether only the history up to `date` is evaluated instead of the whole receipt.
    private let isRetrospective: Bool
    /// Whether a product without an expiration date is included.
    private let includesLifetime: Bool

    /// Returns the duration of billing retry after a period: up to 60 days according to Apple's documentation of
    /// `is_in_billing_retry_period`, and up to 90 days within a commitment.
    private static func billingRetry(after period: PurchaseFacts) -> TimeInterval {
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

    /// Creates an evaluator for whether a subscription lasts until `date`, regardless of when its periods start.
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

    /// The result for one original transaction.
    private struct Finding {
        let state: SubscriptionState
        /// The deciding transaction.
        let position: Int32
        /// The end of access; `nil` for a permanently owned product.
        let end: Date?
        /// The start of the newest period.
        let newest: Date

        /// Returns whether the finding is better: access first, then billing retry, then the newer period, then the
        /// receipt's order.
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
        func finding(_ state: SubscriptionState, _ position: Int32, _ end: Date?) -> Finding {
            Finding(state: state, position: position, end: end, newest: rows[Int(newest)].facts.purchaseDate)
        }
        if let (position, end) = running(chains) { return finding(.subscribed, position, end) }
        let newestEnd = rows[Int(newest)].facts.expirationDate
        if rows[Int(newest)].facts.isReplaced { return finding(.upgraded, newest, newestEnd) }
        if rows[Int(newest)].facts.isRevoked { return finding(.revoked, newest, newestEnd) }
        guard let (last, end) = lastToExpire(chains, beginningBefore: horizon) else {
            return finding(.expired, newest, newestEnd)
        }
        if let renewal = renewal(of: last) {
            if let grace = renewal.gracePeriodExpirationDate, grace > date, grace >= end {
                return finding(.inGracePeriod, last, end)
            }
            if renewal.isInBillingRetry, date < end.addingTimeInterval(Self.billingRetry(after: rows[Int(last)].facts))
            {
                return finding(.inBillingRetryPeriod, last, end)
            }
        }
        return finding(.expired, last, end)
    }

    /// Returns the active period at `date` and its end.
    private func running(_ chains: [ReceiptIndex.Chain]) -> (Int32, Date)? {
        if isRetrospective {
            // A period that has started takes precedence over a renewal that the receipt lists early.
            if let (position, end) = lastToExpire(chains, beginningBefore: date), end > date { return (position, end) }
            for chain in chains {
                for upgrade in chain.upgrades where upgrade.date > date {
                    let place = Int(upgrade.position)
                    guard rows[place].facts.purchaseDate <= date, let end = rows[place].facts.expirationDate, end > date
                    else {
                        continue
                    }
                    return (upgrade.position, min(end, upgrade.date))
                }
            }
        }
        guard let (position, end) = lastToExpire(chains, beginningBefore: horizon), end > date else { return nil }
        return (position, end)
    }

    private func lifetime(_ product: ReceiptIndex.Product) -> Finding? {
        guard
            let position = product.rows.first(where: {
                rows[Int($0)].facts.purchaseDate <= horizon && rows[Int($0)].facts.isValid
            })
        else {
            return nil
        }
        return Finding(state: .subscribed, position: position, end: nil, newest: rows[Int(position)].facts.purchaseDate)
    }

    /// Returns the status of a non-renewing subscription. Each purchase extends an active subscription by `duration`,
    /// or starts a new one on its original date.
    func nonRenewing(duration: TimeInterval) -> ReceiptSubscriptionStatus {
        // Unlike renewals, these purchases are never listed early.
        let horizon = isRetrospective ? date : horizon
        var purchases: [Int32] = []
        // The newest revoked purchase, which the receipt lists first.
        var taken: Int32?
        for productID in productIDs {
            for chain in receipt.storage.index.products[ByteKey(productID)]?.chains ?? [] {
                let known = chain.rows.filter { start(of: $0) <= horizon }
                if let first = known.last(where: { rows[Int($0)].facts.isValid }) {
                    purchases.append(first)
                } else if let newest = known.first {
                    taken = min(newest, taken ?? newest)
                }
            }
        }
        // The receipt lists the newer one of two purchases with the same start first.
        let inOrder = purchases.inOrder { (start(of: $0), $1) < (start(of: $1), $0) }
        let end = inOrder.reduce(Date.distantPast) { end, position in
            max(end, start(of: position)).addingTimeInterval(
                duration * Double(max(rows[Int(position)].facts.quantity, 1)))
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

    /// Returns the start of a purchase. The original date of a restored copy is the date of the purchase.
    private func start(of position: Int32) -> Date {
        min(rows[Int(position)].facts.originalPurchaseDate, rows[Int(position)].facts.purchaseDate)
    }

    /// Returns the valid transaction that ends last and starts at `limit` or earlier, and its end.
    private func lastToExpire(_ chains: [ReceiptIndex.Chain], beginningBefore limit: Date) -> (Int32, Date)? {
        var best: (position: Int32, end: Date)?
        for chain in chains {
            guard let place = firstPlace(in: chain.rows, notAfter: limit), chain.lastToExpire[place] >= 0,
                let end = rows[Int(chain.lastToExpire[place])].expirationDate
            else { continue }
            let found = (position: chain.lastToExpire[place], end: end)
            // The receipt's order is the tie-breaker, because the set has no order.
            if best.map({ found.end != $0.end ? found.end > $0.end : found.position < $0.position }) ?? true {
                best = found
            }
        }
        return best
    }

    /// Returns the newest transaction, valid or not.
    private func newest(_ chains: [ReceiptIndex.Chain]) -> Int32? {
        var best: Int32?
        for chain in chains {
            guard let place = firstPlace(in: chain.rows, notAfter: horizon) else { continue }
            // The receipt lists the newest first.
            best = min(chain.rows[place], best ?? chain.rows[place])
        }
        return best
    }

    /// Returns the first index of a transaction that starts at `limit` or earlier. The transactions are ordered newest
    /// first.
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
        guard let place = receipt.storage.index.renewal(of: rows[Int(position)].facts),
            receipt.renewals.indices.contains(place)
        else {
            return nil
        }
        return receipt.renewals[place]
    }

    private func neverSubscribed() -> ReceiptSubscriptionStatus {
        ReceiptSubscriptionStatus(
            state: .neverSubscribed, productIDs: productIDs, date: date, expirationDate: nil, transaction: nil,
            renewal: nil,
            receipt: receipt)
    }

    private func status(_ state: SubscriptionState, _ position: Int32, _ end: Date?) -> ReceiptSubscriptionStatus {
        ReceiptSubscriptionStatus(
            state: state, productIDs: productIDs, date: date, expirationDate: end, transaction: rows[Int(position)],
            renewal: renewal(of: position), receipt: receipt)
    }
}
