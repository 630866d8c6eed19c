extension PaymentQueueActor {
    /// A transaction that answers no payment, with the approval it answers.
    private struct Stranger {
        let transaction: StoreTransaction
        let pending: PendingPurchase?
    }

    /// A batch of the queue: first what answers payments, then what a restore waits for, then everything else.
    func receive(_ batch: [StoreTransaction]) {
        let hasRestored = batch.contains { $0.state == .restored }
        let isRestoring = hasRestored ? restores.ask { $0.isRunning } : false
        var strangers: [Stranger] = []
        for transaction in batch {
            if let stranger = attribute(transaction, isRestoring: isRestoring) { strangers.append(stranger) }
        }
        if isRestoring {
            let rows = strangers.filter { $0.transaction.state == .restored }.map(\.transaction)
            if !rows.isEmpty, claimForRestore(rows) {
                strangers.removeAll { $0.transaction.state == .restored }
            }
        }
        if !strangers.isEmpty { receive(strangers) }
        startPayments()
    }

    /// Gives a report to the payment it answers, or back if there is none and it is news.
    private func attribute(_ transaction: StoreTransaction, isRestoring: Bool) -> Stranger? {
        let arrival = ledger.report(transaction, now: now)
        switch arrival {
        case .news, .repetition:
            break
        case .finishAgain, .complete:
            tellFinished(transaction.id)
            return nil
        }
        switch payments.report(transaction, isNews: arrival == .news, isRestoring: isRestoring) {
        case .answer(let id):
            answer(id, with: transaction)
            return nil
        case .pending(let id, let pending):
            answerPending(id, pending, transaction)
            return nil
        case .progress:
            return nil
        case .resolved(let pending):
            return Stranger(transaction: transaction, pending: pending)
        case .candidate(let id):
            start(.paymentSettling(id), seconds: configuration.preexistingAnswerDelay)
            return arrival == .news ? Stranger(transaction: transaction, pending: nil) : nil
        case .stranger:
            return arrival == .news ? Stranger(transaction: transaction, pending: nil) : nil
        }
    }

    /// Transactions nobody waits for.
    private func receive(_ strangers: [Stranger]) {
        let isHeard = sendBatch(of: strangers)
        for stranger in strangers where stranger.transaction.state == .failed {
            finishFailed(stranger.transaction)
            let error = stranger.transaction.error ?? StoreError(.unknown, "A purchase failed without a reason.")
            report(
                PurchaseFailure(transaction: stranger.transaction, error: error, pendingPurchase: stranger.pending), isHeard: isHeard)
        }
        let paid = strangers.filter { $0.transaction.holdsContent }
        for stranger in paid {
            ledger.hand(stranger.transaction.id, to: .delivering, pending: stranger.pending, now: now)
        }
        offer(paid.map(\.transaction), isHeard: isHeard)
    }

    /// Tells those who want whole batches, before anything in it is finished. What an installed delivery is to deliver comes when
    /// it has. False when nobody wants them.
    private func sendBatch(of strangers: [Stranger]) -> Bool {
        guard !batches.isEmpty else { return false }
        let records = strangers.compactMap { stranger -> TransactionRecord? in
            let transaction = stranger.transaction
            guard transaction.state != .purchasing, delivery == nil || !transaction.holdsContent else { return nil }
            return TransactionRecord(
                transaction: transaction, pendingPurchase: stranger.pending, isRedelivery: ledger.isRedelivery(transaction))
        }
        if !records.isEmpty { batches.send(records) }
        return true
    }

    /// What a new subscriber to batches gets first: what is in nobody's hands, and what waits for an approval that no call asked for.
    func subscribeToBatches(_ id: CallID, _ subscriber: Subscriber<[TransactionRecord]>) {
        let outstanding = ledger.unclaimed.filter { payments.pendingApprovals[$0.transaction.id] == nil }.map(record)
        batches.subscribe(id, subscriber, outstanding: outstanding.isEmpty ? [] : [outstanding])
    }

    /// What is paid for, and in nobody's hands: the installed delivery's, or else every subscriber's.
    /// - Parameter isHeard: Whether those who want whole batches have been told.
    func offer(_ paid: [StoreTransaction], isHeard: Bool = false) {
        let present = paid.filter { ledger[$0.id].map { $0.holder != .finished } ?? false }
        guard delivery == nil else {
            let restored = present.filter { $0.state == .restored }
            for transaction in present where transaction.state != .restored {
                deliver([transaction], cause: .unsolicited, origin: .nobody)
            }
            if !restored.isEmpty { deliver(restored, cause: .unsolicited, origin: .nobody) }
            return
        }
        offerToSubscribers(present, isHeard: isHeard)
    }

    private func offerToSubscribers(_ paid: [StoreTransaction], isHeard: Bool = false) {
        for transaction in paid { ledger.hand(transaction.id, to: .offered, now: now) }
        if !isHeard, !batches.isEmpty, !paid.isEmpty { batches.send(paid.compactMap { ledger[$0.id].map(record) }) }
        for transaction in paid {
            if transactions.isEmpty, batches.isEmpty {
                log(.notice, "A transaction for \"\(transaction.productID)\" waits for somebody to deliver it.")
            }
            if let entry = ledger[transaction.id] { transactions.send(record(entry)) }
        }
    }

    func record(_ entry: TransactionLedger.Entry) -> TransactionRecord {
        TransactionRecord(
            transaction: entry.transaction, pendingPurchase: entry.pending, isRedelivery: ledger.isRedelivery(entry.transaction))
    }

    func report(_ failure: PurchaseFailure, isHeard: Bool = false) {
        if failures.isEmpty, !isHeard { unheardFailures.append(failure) }
        failures.send(failure)
    }

    /// Entries have left the queue, because they were finished here or elsewhere.
    func remove(_ tokens: [TransactionToken]) {
        for token in tokens {
            let entry = ledger[token]
            ledger.remove(token)
            endContent(of: token)
            switch payments.remove(token) {
            case .none: break
            case .lost(let id, let request): paymentLost(id, request)
            case .answer(let id, let older): answer(id, withOlder: older)
            case .approvalLost(let pending):
                guard let transaction = entry?.transaction else { break }
                let error = StoreError(
                    .transactionRemoved, "The purchase of \"\(pending.productID)\" left the queue before anybody approved of it.")
                report(PurchaseFailure(transaction: transaction, error: error, pendingPurchase: pending))
            }
        }
        startPayments()
    }
}

// Finishing.
extension PaymentQueueActor {
    func finish(_ token: TransactionToken, _ reply: Reply<Void>) {
        switch ledger.finish(token, newest: backend.newestToken()) {
        case .finish:
            tellFinished(token)
            reply.succeed(())
        case .whenDownloaded:
            reply.succeed(())
        case .finished:
            reply.fail(StoreError(.transactionFinished, "The transaction has been finished before."))
        case .notFinishable(let state):
            reply.fail(StoreError(.transactionNotFinishable, "The transaction is \(state): there is nothing to finish yet."))
        case .unknown:
            reply.fail(StoreError(.transactionUnknown, "The transaction is not one of this store's."))
        }
    }

    /// A failed transaction holds no content: it is finished at once.
    func finishFailed(_ transaction: StoreTransaction) {
        if case .finish = ledger.finish(transaction.id, newest: transaction.id) { tellFinished(transaction.id) }
    }

    /// The closure of a call has returned.
    func closureDelivered(_ token: TransactionToken, _ reply: Reply<Void>) {
        if ledger.delivered(token) { tellFinished(token) }
        reply.succeed(())
    }

    /// The closure of a call has thrown, or was never run. No other delivery is put in its place: subscribers are offered
    /// the transactions.
    func release(_ tokens: [TransactionToken]) {
        offerToSubscribers(
            tokens.compactMap { token in
                guard let entry = ledger[token], entry.holder == .delivering else { return nil }
                return entry.transaction
            })
    }

    func tellFinished(_ token: TransactionToken) {
        guard mode == .finishing, termination == nil else { return }
        backend.finish(token)
    }
}
