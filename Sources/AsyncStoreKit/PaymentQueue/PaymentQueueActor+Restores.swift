extension PaymentQueueActor {
    func restore(_ id: CallID, _ username: String?, _ waiter: RestoreWaiter) {
        if let termination { return waiter.reply.fail(termination) }
        switch restores.ask({ $0.begin(id) }) {
        case .cancelled:
            waiter.reply.fail(.cancelled("the restore"))
        case .refuse:
            waiter.reply.fail(StoreError(.restoreInProgress, "Another restore is running; wait for its end, or share its result."))
        case .start:
            // The waiter is on record before StoreKit is asked: the queue may answer from inside the call.
            restoreWaiters[id] = waiter
            start(.restoreInactivity(id), seconds: configuration.restoreTimeout)
            do {
                try backend.restoreCompletedTransactions(applicationUsername: username)
            } catch {
                endRestore(failure: error)
            }
        }
    }

    func cancelRestore(_ id: CallID) {
        switch restores.ask({ $0.cancel(id) }) {
        case .abandon(let rows):
            restoreWaiters.removeValue(forKey: id)?.reply.fail(.cancelled("the restore"))
            offer(rows)
        case .remember:
            // All rows have come, and the installed delivery has them: that goes on, only nobody waits for it.
            guard let waiter = restoreWaiters.removeValue(forKey: id) else { return }
            restores.ask { $0.forget(id) }
            deliveries.abandon(.restore(id))
            waiter.reply.fail(.cancelled("the delivery of a restore"))
        }
    }

    func endRestore(failure: StoreError?) {
        finishRestore(restores.ask { $0.end() }, failure: failure)
    }

    func restoreTimedOut(_ id: CallID) {
        finishRestore(
            restores.ask { $0.timeOut(id) },
            failure: StoreError(.timedOut, "Nothing was heard of the restore for \(configuration.restoreTimeout) seconds."))
    }

    /// Gives restored transactions to the restore that runs. False when they are nobody's.
    func claimForRestore(_ rows: [StoreTransaction]) -> Bool {
        switch restores.ask({ $0.claim(rows) }) {
        case .notRunning:
            return false
        case .unawaited(let id):
            start(.restoreInactivity(id), seconds: configuration.restoreTimeout)
            return false
        case .claimed(let id):
            start(.restoreInactivity(id), seconds: configuration.restoreTimeout)
            for row in rows { ledger.hand(row.id, to: .delivering, now: now) }
            return true
        }
    }

    private func finishRestore(_ action: RestoreStateMachine.EndAction, failure: StoreError?) {
        switch action {
        case .notRunning:
            break
        case .unawaited(let id):
            stop(.restoreInactivity(id))
        case .answer(let id, let rows):
            stop(.restoreInactivity(id))
            answerRestore(id, rows, failure: failure)
        }
    }

    private func answerRestore(_ id: CallID, _ rows: [StoreTransaction], failure: StoreError?) {
        var rows = rows
        if let (payment, row) = payments.takeAnswer(among: rows) {
            rows.removeAll { $0.id == row.id }
            answer(payment, with: row)
            startPayments()
        }
        guard let waiter = restoreWaiters[id] else { return }
        if failure == nil, waiter.handling == .store, delivery != nil, !rows.isEmpty {
            // The waiter stays: it is answered when the delivery has ended.
            return deliver(rows, cause: .restore, origin: .restore(id))
        }
        restoreWaiters[id] = nil
        if let failure, !waiter.takesPartial || (waiter.handling == .store && delivery != nil) {
            offer(rows)
            return waiter.reply.fail(failure)
        }
        let records = rows.map { TransactionRecord(transaction: $0, isRedelivery: ledger.isRedelivery($0)) }
        for row in rows { ledger.hand(row.id, to: waiter.handling == .closure ? .delivering : .handedOver, now: now) }
        waiter.reply.succeed(RestoreAnswer(records: records, failure: failure))
    }
}
