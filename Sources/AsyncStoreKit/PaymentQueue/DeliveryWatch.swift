import Foundation

/// Warns about a delivery that doesn't end. Its purchases stay unfinished, and no other delivery takes its slot.
enum DeliveryWatch {
    /// How long a delivery may run without a warning, in seconds in which the app runs.
    static let limit: TimeInterval = 60

    /// Starts to watch a delivery. Returns the closure to call when the delivery has ended.
    static func start(
        _ transactions: [StoreTransaction], clock: any StoreClock, log: @escaping @Sendable (StoreLogEvent) -> Void
    ) -> @Sendable () -> Void {
        let warn = { @Sendable in
            let name = StoreTransaction.name(of: transactions)
            log(
                StoreLogEvent(
                    .warning, "\(name) has been in delivery for \(Int(limit)) seconds. Give every wait a limit."))
        }
        return clock.startWarningTimer(limit, warn)
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
