// Calls of `restore`. Whether one runs, and which rows it has brought, is the restore actor's knowledge.
extension StoreStateMachine {
    /// StoreKit is about to be asked.
    mutating func restoreStarted(_ id: CallID, _ call: RestoreCall) {
        restoreCalls[id] = call
        start(.restoreInactivity(id), seconds: patience.restore)
    }

    /// A restore has come to its end.
    /// - Parameter failure: Why there may be more to restore.
    mutating func restoreEnded(_ action: RestoreStateMachine.EndAction, failure: StoreError?) {
        switch action {
        case .notRunning:
            break
        case .unawaited(let id, let rows):
            stop(.restoreInactivity(id))
            // They have been offered, and may have been delivered since.
            for answered in payments.takeAnswers(among: rows) { answer(answered.id, answered.style, withOlder: answered.row) }
            startPayments()
        case .answer(let id, let rows):
            stop(.restoreInactivity(id))
            answerRestore(id, rows, failure: failure)
        }
    }

    private mutating func answerRestore(_ id: CallID, _ rows: [StoreTransaction], failure: StoreError?) {
        var rows = rows
        for answered in payments.takeAnswers(among: rows) {
            rows.removeAll { $0.token == answered.row.token }
            answer(answered.id, answered.style, with: answered.row)
        }
        startPayments()
        guard let call = restoreCalls[id] else { return }
        let deliverer = Deliverer(of: .restored, answering: call.style, hasInstalledDelivery: hasDelivery)
        if let failure, !call.takesPartial || deliverer == .installedDelivery {
            endRestore(id, .failure(failure))
            return offer(rows)
        }
        if deliverer == .installedDelivery, !rows.isEmpty {
            // The call is answered when the delivery has ended.
            return deliver(rows, cause: .restored, origin: .restore(id))
        }
        let records = rows.map { PurchaseRecord(transaction: $0, cause: .restored, isRedelivery: ledger.isRedelivery($0)) }
        for row in rows { ledger.setOwner(deliverer == .closure ? .delivery : .caller, of: row.token, now: now) }
        endRestore(id, .success(RestoreResponse(records: records, failure: failure)))
    }

    /// The call no longer waits.
    mutating func cancelRestore(_ id: CallID, _ action: RestoreStateMachine.CancelAction) {
        switch action {
        case .abandon(let rows):
            endRestore(id, .failure(.cancelled("the restore")))
            offer(rows)
        case .none:
            // All rows have come, and the installed delivery has them: that goes on, only nobody waits for it.
            guard restoreCalls[id] != nil else { return }
            deliveries.abandon(.restore(id))
            endRestore(id, .failure(.cancelled("the delivery of a restore")))
        }
    }

    /// The call is over.
    mutating func endRestore(_ id: CallID, _ result: RestoreResult) {
        guard restoreCalls.removeValue(forKey: id) != nil else { return }
        actions.append(.respondToRestore(id, result))
    }
}
