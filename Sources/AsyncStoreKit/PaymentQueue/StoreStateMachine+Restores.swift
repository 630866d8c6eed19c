// Calls of `restore`. The restore actor tracks whether a restore is running, and which rows it has brought.
extension StoreStateMachine {
    /// Records that the restore is about to start.
    mutating func restoreStarted(_ id: CallID, _ call: RestoreCall) {
        restores.calls[id] = call
        start(.restoreInactivity(id), seconds: restores.timeout)
        actions.append(.startRestore(applicationUsername: call.applicationUsername))
    }

    /// Gives rows to the call of a restore. An entry that is being delivered keeps its owner, and the call waits for
    /// it.
    mutating func assignRows(_ rows: [StoreTransaction], to id: CallID) {
        for row in rows {
            if ledger.wasDelivered(row) {
                // A restore doesn't bring an unfinished consumable. It would be credited a second time.
                if row.isConsumable, isSettled(row) { continue }
                restores.calls[id]?.repeated.insert(row.token)
            }
            assignIfFree(row.token, to: id)
        }
    }

    private mutating func assignIfFree(_ token: TransactionToken, to id: CallID) {
        switch ledger[token]?.state {
        // What waits for the server or for a pause is delivered at once, because a call waits for it.
        case .delivering where deliveries.isWaiting(token), .retrying:
            withdraw(token)
            fallthrough
        case .open, .offered, .withCaller:
            ledger.setState(.delivering, of: token, now: now)
            restores.calls[id]?.assigned.insert(token)
        case .delivering, .downloading, .finished, nil:
            break
        }
    }

    /// Records the end of a restore.
    /// - Parameters:
    ///   - owned: The products that the customer owns.
    ///   - failure: Why the restore may be incomplete.
    mutating func restoreEnded(
        _ ended: RestoreStateMachine.Ended, owned: Set<String> = [], failure: StoreError?
    ) {
        guard let id = ended.phase.id else { return }
        stop(.restoreInactivity(id))
        if case .awaited = ended.phase {
            return answerRestore(id, ended.rows + unfinished(of: owned, besides: ended.rows, for: id), failure: failure)
        }
        // They were offered, and may have been delivered since.
        for answered in takeAnswers(among: ended.rows) { answer(answered.id, answered.style, withOlder: answered.row) }
        startPayments()
    }

    /// Returns the purchases of owned products that aren't finished, and gives them to the call: StoreKit doesn't
    /// restore a purchase that waits in the queue.
    private mutating func unfinished(
        of owned: Set<String>, besides rows: [StoreTransaction], for id: CallID
    ) -> [StoreTransaction] {
        guard !owned.isEmpty, let call = restores.calls[id] else { return [] }
        let known = Set(rows.map(UnfinishedTransactions.key))
        let waiting = ledger.unfinished.map(\.transaction).filter { row in
            owned.contains(row.productID) && !row.isConsumable && !known.contains(UnfinishedTransactions.key(of: row))
                && (call.account.map { row.account?.isSame($0) == true && !ledger.isKnownToBeForAnother(row, than: $0) }
                    ?? true)
        }
        assignRows(waiting, to: id)
        return waiting
    }

    private mutating func answerRestore(_ id: CallID, _ rows: [StoreTransaction], failure: StoreError?) {
        var rows = rows
        for answered in takeAnswers(among: rows) {
            rows.removeAll { $0.token == answered.row.token }
            restores.calls[id]?.assigned.remove(answered.row.token)
            answer(answered.id, answered.style, with: answered.row)
        }
        startPayments()
        guard let call = restores.calls[id] else { return }
        if let failure, !call.takesPartial || deliverer(of: call) == .installedDelivery {
            return abandonRestore(id, rows, with: failure)
        }
        restores.calls[id]?.rows = rows
        restores.calls[id]?.failure = failure
        continueRestore(id, waitsForDeliveries: true)
    }

    /// Returns the rows that answer payments.
    private mutating func takeAnswers(among rows: [StoreTransaction]) -> [PaymentStateMachine.RestoredAnswer] {
        guard !payments.submitted.isEmpty else { return [] }
        let tokens = Set(rows.map(\.token))
        let known = rows.filter { row in ledger.siblings(of: row.token).contains { !tokens.contains($0) } }
        let answers = payments.takeAnswers(among: rows, unfinished: Set(known.map(\.token)))
        let rest = rows.filter { row in !answers.contains { $0.row.token == row.token } }
        for id in payments.recordRestored(rest) {
            start(.preexistingAnswer(id), seconds: payments.preexistingAnswerDelay)
        }
        return answers
    }

    private func deliverer(of call: RestoreCall) -> Deliverer {
        Deliverer(of: .restored, answering: call.style, hasInstalledDelivery: deliveries.isInstalled)
    }

    /// Continues the restores that wait for deliveries.
    mutating func continueRestores() {
        for id in restores.waiting { continueRestore(id, waitsForDeliveries: true) }
    }

    /// Answers the call of a restore that has ended, as soon as no other delivery of its purchases is running.
    /// - Parameter waitsForDeliveries: Whether the call waits for those deliveries. If not, their purchases are
    ///   treated as delivered.
    mutating func continueRestore(_ id: CallID, waitsForDeliveries: Bool) {
        guard let rows = restores.calls[id]?.rows.map({ $0.map(currentEntry) }) else { return }
        restores.calls[id]?.rows = rows
        for row in rows { assignIfFree(row.token, to: id) }
        guard let call = restores.calls[id] else { return }
        // A restore inside a delivery doesn't wait for that delivery, which waits for the restore.
        if waitsForDeliveries,
            rows.contains(where: { isDeliveredElsewhere($0, call) && !call.enclosing.contains($0.deliveryKey) })
        {
            guard !restores.waiting.contains(id) else { return }
            restores.waiting.append(id)
            return start(.restoreInactivity(id), seconds: restores.timeout)
        }
        restores.waiting.removeAll { $0 == id }
        stop(.restoreInactivity(id))
        var purchases: Set<String?> = []
        let undelivered = rows.filter { row in
            guard !isDeliveredElsewhere(row, call) else {
                // The running delivery determines the result for this row.
                if call.assigned.contains(row.token) { ledger.setState(.open, of: row.token, now: now) }
                return false
            }
            guard call.repeated.contains(row.token) || !ledger.wasDelivered(row) else { return false }
            // StoreKit 1 can restore a purchase several times. One row is delivered, and settles the others.
            if purchases.insert(UnfinishedTransactions.key(of: row)).inserted { return true }
            ledger.setState(.open, of: row.token, now: now)
            return false
        }
        guard deliverer(of: call) != .installedDelivery || undelivered.isEmpty else {
            // The call is answered when the delivery has ended.
            return deliver(undelivered, cause: .restored, origin: .restore(id))
        }
        var returnedToCaller: [PurchaseRecord] = []
        for row in undelivered {
            let isRedelivery = assign(row, to: deliverer(of: call))
            returnedToCaller.append(PurchaseRecord(transaction: row, cause: .restored, isRedelivery: isRedelivery))
        }
        endRestore(id, delivered: returnedToCaller)
        continueRestores()
    }

    /// Returns the entry with which the purchase of a row came back after the row had left the queue, or the row.
    private func currentEntry(of row: StoreTransaction) -> StoreTransaction {
        guard ledger[row.token] == nil else { return row }
        let successors = ledger.siblings(of: row.token).compactMap { ledger[$0] }
        return successors.first { !$0.isDelivered }?.transaction ?? row
    }

    /// Whether a closure, or the installed delivery, is delivering a row, and the call of the restore is not.
    private func isDeliveredElsewhere(_ row: StoreTransaction, _ call: RestoreCall) -> Bool {
        ledger.isBeingDelivered(row) || (ledger[row.token]?.state == .delivering && !call.assigned.contains(row.token))
    }

    /// Records that the call no longer waits.
    /// - Parameter rows: The rows so far of a restore that StoreKit hasn't ended.
    mutating func cancelRestore(_ id: CallID, _ rows: [StoreTransaction]?) {
        guard let call = restores.calls[id] else { return releaseAnswers { $0.id == id } }
        // The call may wait for StoreKit, for deliveries of others, or for its own.
        if let rows = restores.waiting.contains(id) ? call.rows : rows {
            abandonRestore(id, rows, with: .cancelled("the restore"))
            // StoreKit's restore continues. No other one can begin until it has ended, or has been silent for too long.
            if call.rows == nil { start(.restoreInactivity(id), seconds: restores.timeout) }
            return
        }
        // The installed delivery continues without the call.
        deliveries.abandon(.restore(id))
        endRestore(id, .failure(.cancelled("the delivery of a restore")))
    }

    /// Ends a call with an error, and offers the rows that it had.
    private mutating func abandonRestore(_ id: CallID, _ rows: [StoreTransaction], with error: StoreError) {
        let assigned = restores.calls[id]?.assigned ?? []
        endRestore(id, .failure(error))
        let free = rows.filter { assigned.contains($0.token) }
        for row in free { ledger.setState(.open, of: row.token, now: now) }
        continueRestores()
        settle(free.filter { ledger[$0.token]?.state == .open })
    }

    /// Ends a call with all of its rows. Those that aren't given here were delivered by other calls and deliveries.
    mutating func endRestore(_ id: CallID, delivered records: [PurchaseRecord]) {
        guard let call = restores.calls[id] else { return }
        let byToken = Dictionary(records.map { ($0.transaction.token, $0) }, uniquingKeysWith: { first, _ in first })
        let all = (call.rows ?? []).map { row in
            byToken[row.token]
                ?? PurchaseRecord(
                    transaction: row, cause: .restored, isHandledElsewhere: true, isRedelivery: ledger.wasReceived(row))
        }
        endRestore(
            id, .success(RestoreResponse(records: all, failure: call.failure)),
            afterFinishing: all.map(\.transaction.token))
    }

    /// Ends a call.
    mutating func endRestore(_ id: CallID, _ result: RestoreResult, afterFinishing tokens: [TransactionToken] = []) {
        guard restores.calls.removeValue(forKey: id) != nil else { return }
        restores.waiting.removeAll { $0 == id }
        stop(.restoreInactivity(id))
        answer(id, .respondToRestore(id, result), afterFinishing: tokens)
    }
}
