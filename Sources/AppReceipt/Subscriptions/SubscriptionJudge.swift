import Foundation

/// Decides where a subscription stands. It looks at two rows of each product, which the index has picked beforehand.
struct SubscriptionJudge {
    let receipt: Receipt
    let productIDs: Set<String>
    let date: Date
    private let horizon: Date
    /// Whether a gap before a later period counts; not for who asks until when somebody has paid.
    private let seesPauses: Bool

    /// "For up to 60 days", Apple's documentation of `is_in_billing_retry_period`.
    private static let billingRetry: TimeInterval = 60 * 86_400

    init(receipt: Receipt, productIDs: Set<String>, date: ReceiptJudgingDate) {
        self.receipt = receipt
        self.productIDs = productIDs
        self.date = date.date(for: receipt)
        horizon = date.horizon(for: receipt)
        seesPauses = true
    }

    /// Judges whether a subscription lasts until `date`, whenever its periods begin.
    init(receipt: Receipt, productIDs: Set<String>, lastingUntil date: Date) {
        self.receipt = receipt
        self.productIDs = productIDs
        self.date = date
        horizon = ReceiptJudgingDate.endOfTime
        seesPauses = false
    }

    func autoRenewable() -> ReceiptSubscriptionStatus {
        guard let newest = newest() else { return neverBought() }
        guard let last = lastToExpire(beginningBefore: horizon), let expiration = last.expirationDate else {
            // Every row was taken back or upgraded away, or none has an end: then the newest is all there is to say.
            return answer(newest.isUpgraded ? .upgraded : newest.isRevoked ? .revoked : .expired, newest)
        }
        if seesPauses, let paused = periodBeforePause() { return answer(.paused, paused) }
        if expiration > date { return answer(.active, last) }
        if newest.isUpgraded { return answer(.upgraded, newest) }
        if newest.isRevoked { return answer(.revoked, newest) }
        if let renewal = renewal(of: last) {
            if let grace = renewal.gracePeriodExpirationDate, grace > date, grace >= expiration { return answer(.inGracePeriod, last) }
            if renewal.isInBillingRetry, date < expiration.addingTimeInterval(Self.billingRetry) { return answer(.inBillingRetry, last) }
        }
        return answer(.expired, last)
    }

    func nonRenewing(duration: TimeInterval) -> ReceiptSubscriptionStatus {
        guard let newest = newest() else { return neverBought() }
        guard let last = candidate(\.newestValid, before: horizon, { $0.purchaseDate }) else { return answer(.revoked, newest) }
        let expiration = last.purchaseDate.addingTimeInterval(duration)
        if expiration > date { return answer(.active, last, expiration) }
        return newest.isRevoked
            ? answer(.revoked, newest, newest.purchaseDate.addingTimeInterval(duration)) : answer(.expired, last, expiration)
    }

    /// The period that has ended at `date`, when a later one of the same subscription is in the receipt and has yet to begin.
    private func periodBeforePause() -> ReceiptPurchase? {
        let reach = date.addingTimeInterval(ReceiptJudgingDate.renewalLead)
        guard let ended = lastToExpire(beginningBefore: reach), let expiration = ended.expirationDate, expiration <= date,
            let later = lastToExpire(beginningBefore: ReceiptJudgingDate.endOfTime), later.purchaseDate > reach,
            later.originalTransactionID == ended.originalTransactionID
        else { return nil }
        return ended
    }

    private func lastToExpire(beginningBefore limit: Date) -> ReceiptPurchase? {
        candidate(\.lastToExpire, before: limit) { $0.expirationDate ?? .distantPast }
    }

    /// The row that was bought last, valid or not.
    private func newest() -> ReceiptPurchase? {
        candidate(\.rows, before: horizon) { $0.purchaseDate }
    }

    /// Of the rows that `list` names at the newest place up to `limit`, one for each product, the one with the greatest `rank`.
    private func candidate(
        _ list: KeyPath<ReceiptIndex.ProductRows, [Int32]>, before limit: Date, _ rank: (ReceiptPurchase) -> Date
    ) -> ReceiptPurchase? {
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

    private func renewal(of row: ReceiptPurchase) -> ReceiptRenewal? {
        let index = receipt.storage.index
        let position = index.renewalByOriginal[row.originalTransactionID] ?? index.renewalByProduct[row.productID]
        guard let position, receipt.renewals.indices.contains(position) else { return nil }
        return receipt.renewals[position]
    }

    private func neverBought() -> ReceiptSubscriptionStatus {
        ReceiptSubscriptionStatus(
            state: .neverBought, productIDs: productIDs, date: date, expirationDate: nil, purchase: nil, renewal: nil, receipt: receipt)
    }

    private func answer(
        _ state: ReceiptSubscriptionState, _ row: ReceiptPurchase, _ expiration: Date? = nil
    ) -> ReceiptSubscriptionStatus {
        ReceiptSubscriptionStatus(
            state: state, productIDs: productIDs, date: date, expirationDate: expiration ?? row.expirationDate, purchase: row,
            renewal: renewal(of: row), receipt: receipt)
    }
}
