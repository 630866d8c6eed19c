import Foundation

// Warnings about purchases that stay unfinished: the app doesn't listen, or it forgets to call `finish()`.
extension StoreStateMachine {
    /// How long a purchase may be offered or with the app without a warning, in seconds.
    static let unfinishedLimit: TimeInterval = 60

    /// Starts the time after which the developer is warned about a purchase that was offered or given to the app.
    mutating func watchUnfinished(_ record: PurchaseRecord) {
        guard mode == .finishing, timers[.unfinishedWarning] == nil else { return }
        let state = ledger[record.transaction.token]?.state
        guard state == .offered || state == .withCaller else { return }
        start(.unfinishedWarning, seconds: Self.unfinishedLimit)
    }

    /// Warns once about each purchase that isn't finished.
    mutating func warnAboutUnfinished() {
        guard mode == .finishing else { return }
        // The timer's date is computed from an interval, and can be earlier by the last digit.
        let (overdue, next) = ledger.markOverdue(since: now.addingTimeInterval(0.5 - Self.unfinishedLimit))
        for entry in overdue {
            let advice =
                ledger.wasReceived(entry.transaction)
                ? "isn't finished \(Int(Self.unfinishedLimit)) seconds after the app has received it. Call `finish()` when the content is delivered."
                : "waits to be delivered. Observe `transactions`, or set a delivery."
            log(.warning, "\(StoreTransaction.name(of: [entry.transaction])) \(advice)")
        }
        guard let next else { return }
        start(.unfinishedWarning, seconds: max(1, Self.unfinishedLimit - now.timeIntervalSince(next)))
    }

    /// Warns that the queue had no object for an entry that was to be finished.
    mutating func warnAboutLostFinish(of token: TransactionToken) {
        let name = ledger[token].map { StoreTransaction.name(of: [$0.transaction]) } ?? "A transaction"
        log(
            .warning,
            "\(name) can't be finished, because the queue no longer has it. The next launch may offer it again.")
    }
}

extension StoreTransaction {
    /// Names purchases in the log, by product and transaction.
    static func name(of transactions: [StoreTransaction]) -> String {
        guard let transaction = transactions.first else { return "A purchase" }
        let others = transactions.count > 1 ? " and \(transactions.count - 1) more" : ""
        return "The purchase of \"\(transaction.productID)\" (transaction \(transaction.id ?? "unknown"))\(others)"
    }
}
