import Foundation

extension EngineState {
    /// The history of the account: everything paid, and what waits for somebody, in the order in which it began.
    var history: [SimulatedHistoryRecord] {
        let waiting = queue.known.filter { queue.entries[$0].phase == .queued && queue.entries[$0].state == .deferred }
        let interrupted = account.interrupted.compactMap { queue.index(of: $0) }
        let pending =
            waiting.map { pendingRecord($0, state: .deferred) } + interrupted.map { pendingRecord($0, state: .interrupted) }
        return (account.rows.indices.map { record(ofRow: $0) } + pending).sorted { $0.entry < $1.entry }
    }

    func record(ofRow index: Int) -> SimulatedHistoryRecord {
        let row = account.rows[index]
        let original = account.rows[row.original]
        let subscription = row.group.flatMap { account.subscriptions[$0] }
        return SimulatedHistoryRecord(
            state: .purchased, entry: row.entry, transactionIdentifier: String(row.number),
            originalTransactionIdentifier: String(original.number), productIdentifier: row.productIdentifier, kind: row.kind,
            quantity: row.quantity, applicationUsername: row.applicationUsername, purchaseDate: row.purchaseDate,
            originalPurchaseDate: original.purchaseDate, expirationDate: row.expirationDate, cancellationDate: row.cancellationDate,
            isUpgraded: row.isUpgraded, isTrialPeriod: row.isTrialPeriod,
            isInIntroductoryPricePeriod: row.isInIntroductoryPricePeriod,
            promotionalOfferIdentifier: row.promotionalOfferIdentifier, isFinished: row.isFinished,
            autoRenewingEnabled: subscription.map { $0.row == index && $0.autoRenews } ?? false)
    }

    /// What the receipt file on the device holds; `nil` when there is no file.
    var receiptContent: SimulatedReceiptContent? {
        guard account.receipt.exists else { return nil }
        let renewals = account.subscriptions.sorted { $0.key < $1.key }.map { group, subscription in
            SimulatedReceiptContent.Renewal(
                groupIdentifier: group, productIdentifier: subscription.productIdentifier,
                autoRenewProductIdentifier: subscription.renewalProductIdentifier,
                originalTransactionIdentifier: String(account.rows[account.rows[subscription.row].original].number),
                autoRenews: subscription.autoRenews, isInBillingRetry: subscription.status == .billingRetry,
                gracePeriodExpirationDate: subscription.gracePeriodExpirationDate)
        }
        return SimulatedReceiptContent(
            bundleIdentifier: bundleIdentifier, creationDate: account.receipt.creationDate,
            purchases: account.receipt.rows.map { record(ofRow: $0) }, renewals: renewals, properties: account.receipt.properties)
    }

    private func pendingRecord(_ index: Int, state: SimulatedHistoryRecord.State) -> SimulatedHistoryRecord {
        let entry = queue.entries[index]
        let payment = entry.payment
        return SimulatedHistoryRecord(
            state: state, entry: entry.id, productIdentifier: payment.productIdentifier, kind: kind(of: payment.productIdentifier),
            quantity: payment.quantity, applicationUsername: payment.applicationUsername, isUpgraded: false, isTrialPeriod: false,
            isInIntroductoryPricePeriod: false, isFinished: false, autoRenewingEnabled: false)
    }
}
