import Foundation

// Events for analytics and logs.
extension StoreStateMachine {
    /// Records an event of a call, or of a payment that has no transaction.
    mutating func record(
        _ occasion: StoreEvent.Occasion, _ productID: String, _ transaction: StoreTransaction? = nil,
        error: StoreError? = nil
    ) {
        events.append(
            StoreEvent(occasion: occasion, date: now, productID: productID, transaction: transaction, error: error))
    }

    /// Records that a payment has ended without a purchase.
    /// - Parameter transaction: The failed transaction, if no call has waited for it.
    mutating func recordFailure(of productID: String, _ error: StoreError, _ transaction: StoreTransaction? = nil) {
        switch error.code {
        case .userCancelled: record(.known(.cancelled), productID)
        // StoreKit may still sell the product, or has sold it.
        case .taskCancelled, .timedOut, .storeClosed, .backendUnavailable, .purchaseInterrupted: break
        default: record(.known(.failed), productID, transaction, error: error)
        }
    }

    /// Records that a transaction is paid or restored, once for each purchase.
    /// - Parameter isRequested: Whether the transaction answers a call, as the queue says.
    mutating func recordPaid(_ transaction: StoreTransaction, isRequested: Bool = false) {
        guard transaction.holdsContent else { return }
        if transaction.state == .restored {
            record(.known(.restored), once: .restored, transaction)
        } else {
            record(.paid(isRequested: isRequested), once: .paid, transaction)
        }
    }

    mutating func recordUpgrade(_ transaction: StoreTransaction) {
        record(.known(.upgraded), once: .upgraded, transaction)
    }

    mutating func recordRevocation(_ revocation: PurchaseRevocation) {
        for transaction in revocation.transactions { record(.revoked, once: .revoked, transaction) }
        guard revocation.transactions.isEmpty else { return }
        for productID in revocation.productIDs.sorted() { record(.revoked, productID) }
    }

    private mutating func record(
        _ occasion: StoreEvent.Occasion, once event: UnfinishedTransactions.Purchase.Event,
        _ transaction: StoreTransaction
    ) {
        if ledger.isFirst(event, of: transaction) { record(occasion, transaction.productID, transaction) }
    }
}

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
        let (overdue, next) = ledger.markOverdue(since: now - Self.unfinishedLimit)
        for entry in overdue {
            let advice =
                ledger.wasReceived(entry.transaction)
                ? "isn't finished \(Int(Self.unfinishedLimit)) seconds after the app has received it. Call `finish()` when the content is delivered."
                : "waits to be delivered. Observe `transactions`, or set a delivery."
            log(.warning, "\(StoreTransaction.name(of: [entry.transaction])) \(advice)")
        }
        guard let end = next.map({ $0 + Self.unfinishedLimit }) else { return }
        start(.unfinishedWarning, seconds: end.timeIntervalSince(now), until: end)
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
