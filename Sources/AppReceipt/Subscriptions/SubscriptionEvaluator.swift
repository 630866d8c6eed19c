import Foundation

/// Evaluates where a subscription stands. It looks at two rows of each product, which the index has picked beforehand.
struct SubscriptionEvaluator {
    let receipt: Receipt
    let productIDs: Set<String>
    let date: Date
    private let horizon: Date

    /// "For up to 60 days", Apple's documentation of `is_in_billing_retry_period`.
    private static let billingRetry: TimeInterval = 60 * 86_400

    init(receipt: Receipt, productIDs: Set<String>, date: ReceiptEvaluationDate) {
        self.receipt = receipt
        self.productIDs = productIDs
        self.date = date.date(for: receipt)
        horizon = date.horizon(for: receipt)
    }

    /// Evaluates whether a subscription lasts until `date`, whenever its periods begin.
    init(receipt: Receipt, productIDs: Set<String>, lastingUntil date: Date) {
        self.receipt = receipt
        self.productIDs = productIDs
        self.date = date
        horizon = ReceiptEvaluationDate.endOfTime
    }

    func autoRenewable() -> ReceiptSubscriptionStatus {
        guard let newest = newest() else { return neverSubscribed() }
        guard let last = lastToExpire(beginningBefore: horizon), let expiration = last.expirationDate else {
            // Every row was taken back or upgraded away, or none has an end: then the newest is all there is to say.
            return status(newest.isUpgraded ? .upgraded : newest.isRevoked ? .revoked : .expired, newest)
        }
        if expiration > date { return status(.subscribed, last) }
        if newest.isUpgraded { return status(.upgraded, newest) }
        if newest.isRevoked { return status(.revoked, newest) }
        if let renewal = renewal(of: last) {
            if let grace = renewal.gracePeriodExpirationDate, grace > date, grace >= expiration { return status(.inGracePeriod, last) }
            if renewal.isInBillingRetry, date < expiration.addingTimeInterval(Self.billingRetry) {
                return status(.inBillingRetryPeriod, last)
            }
        }
        return status(.expired, last)
    }

    func nonRenewing(duration: TimeInterval) -> ReceiptSubscriptionStatus {
        guard let newest = newest() else { return neverSubscribed() }
        guard let last = candidate(\.newestValid, before: horizon, { $0.purchaseDate }) else { return status(.revoked, newest) }
        let expiration = last.purchaseDate.addingTimeInterval(duration)
        if expiration > date { return status(.subscribed, last, expiration) }
        return newest.isRevoked
            ? status(.revoked, newest, newest.purchaseDate.addingTimeInterval(duration)) : status(.expired, last, expiration)
    }

    private func lastToExpire(beginningBefore limit: Date) -> ReceiptTransaction? {
        candidate(\.lastToExpire, before: limit) { $0.expirationDate ?? .distantPast }
    }

    /// The row that was bought last, valid or not.
    private func newest() -> ReceiptTransaction? {
        candidate(\.rows, before: horizon) { $0.purchaseDate }
    }

    /// Of the rows that `list` names at the newest place up to `limit`, one for each product, the one with the greatest `rank`.
    private func candidate(
        _ list: KeyPath<ReceiptIndex.ProductRows, [Int32]>, before limit: Date, _ rank: (ReceiptTransaction) -> Date
    ) -> ReceiptTransaction? {
        var best: (position: Int32, rank: Date)?
        for productID in productIDs {
            guard let rows = receipt.storage.index.products[productID], let place = firstPlace(in: rows.rows, notAfter: limit),
                let row = receipt.row(rows[keyPath: list][place])
            else { continue }
            let found = (position: rows[keyPath: list][place], rank: rank(row))
            // Between equals the receipt's order decides, not the set's.
            if best.map({ found.rank != $0.rank ? found.rank > $0.rank : found.position < $0.position }) ?? true { best = found }
        }
        return receipt.row(best?.position)
    }

    /// The first place whose row begins at `horizon` or before; rows are ordered newest first.
    private func firstPlace(in rows: [Int32], notAfter horizon: Date) -> Int? {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = low + (high - low) / 2
            if let row = receipt.row(rows[middle]), row.purchaseDate > horizon {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < rows.count ? low : nil
    }

    private func renewal(of row: ReceiptTransaction) -> ReceiptRenewal? {
        let index = receipt.storage.index
        let position = index.renewalByOriginal[row.originalTransactionID] ?? index.renewalByProduct[row.productID]
        guard let position, receipt.renewals.indices.contains(position) else { return nil }
        return receipt.renewals[position]
    }

    private func neverSubscribed() -> ReceiptSubscriptionStatus {
        ReceiptSubscriptionStatus(
            state: .neverSubscribed, productIDs: productIDs, date: date, expirationDate: nil, transaction: nil, renewal: nil,
            receipt: receipt)
    }

    private func status(
        _ state: ReceiptSubscriptionState, _ row: ReceiptTransaction, _ expiration: Date? = nil
    ) -> ReceiptSubscriptionStatus {
        ReceiptSubscriptionStatus(
            state: state, productIDs: productIDs, date: date, expirationDate: expiration ?? row.expirationDate, transaction: row,
            renewal: renewal(of: row), receipt: receipt)
    }
}
