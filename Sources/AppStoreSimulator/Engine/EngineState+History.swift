import Foundation

extension EngineState {
    /// The history of the account: paid, deferred and interrupted transactions, in the order of their creation.
    var history: [SimulatedHistoryRecord] {
        let waiting = queue.known.filter { queue[$0].phase == .queued && queue[$0].state == .deferred }
        let interrupted = account.interrupted.compactMap { queue.index(of: $0) }
        let pending =
            waiting.map { pendingRecord($0, state: .deferred) }
            + interrupted.map { pendingRecord($0, state: .interrupted) }
        return (account.presentRows.map { record(ofRow: $0) } + pending).sorted { $0.id < $1.id }
    }

    func record(ofRow index: Int) -> SimulatedHistoryRecord {
        var record = account.rows[index].record
        if let subscription = account.rows[index].key.flatMap({ account.subscriptions[$0] }) {
            record.willAutoRenew = subscription.row == index && subscription.autoRenews
        }
        return record
    }

    /// The renewal information of every subscription, by group.
    var renewals: [SimulatedRenewal] {
        account.subscriptions.sorted { $0.key.isBefore($1.key) }.map { renewal(of: $0.value, $0.key) }
    }

    /// The content of the receipt file on the device; `nil` without a file.
    var receiptContent: SimulatedReceiptContent? {
        guard device.receipt.exists else { return nil }
        return SimulatedReceiptContent(
            bundleID: bundleID, creationDate: device.receipt.creationDate, environment: behavior.environment,
            transactions: device.receipt.rows.filter { !account.rows[$0].isDeleted }.map { record(ofRow: $0) },
            properties: device.receipt.properties)
    }

    /// The content of a receipt that the App Store would create now: all transactions except finished consumables.
    var currentReceiptContent: SimulatedReceiptContent {
        let rows = account.presentRows.filter { account.rows[$0].kind != .consumable || !account.rows[$0].isFinished }
        return SimulatedReceiptContent(
            bundleID: bundleID, creationDate: now, environment: behavior.environment,
            transactions: rows.map { record(ofRow: $0) }, properties: SimulatedReceiptProperties())
    }

    func pendingRecord(_ index: Int, state: SimulatedHistoryRecord.State) -> SimulatedHistoryRecord {
        let entry = queue[index]
        let payment = entry.payment
        let number = entry.number.map { String($0) }
        return SimulatedHistoryRecord(
            state: state, id: entry.id, transactionID: number, originalTransactionID: number,
            productID: payment.productID, kind: kind(of: payment.productID), quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, purchaseDate: entry.date,
            originalPurchaseDate: entry.date)
    }
}
