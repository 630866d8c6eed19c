import AppReceipt

// What the queue reports.
extension StoreStateMachine {
    /// A transaction that answers no payment, with the approval that it answers.
    private struct Unsolicited {
        let transaction: StoreTransaction
        let pending: PendingPurchase?
    }

    /// A batch of the queue: first what answers payments, then what a restore waits for, then everything else.
    /// - Parameter restore: The restore that runs.
    /// - Returns: What the restore has brought, whether somebody waits for it or not.
    mutating func receive(_ batch: [StoreTransaction], during restore: RestoreStateMachine.Phase = .idle) -> [StoreTransaction] {
        var unsolicited: [Unsolicited] = []
        for transaction in batch {
            let arrival = arrive(transaction)
            guard arrival == .news || arrival == .duplicate else { continue }
            let action = payments.report(transaction, isNews: arrival == .news, isRestoring: restore != .idle, now: now)
            if let news = perform(action, on: transaction, arrival) { unsolicited.append(news) }
        }
        return receive(&unsolicited, during: restore)
    }

    /// Transactions that answer no payment, by the queue's own word. Returns what the restore has brought.
    mutating func receiveUnsolicited(_ batch: [StoreTransaction], during restore: RestoreStateMachine.Phase = .idle) -> [StoreTransaction] {
        var unsolicited: [Unsolicited] = []
        for transaction in batch {
            let arrival = arrive(transaction)
            guard arrival == .news || arrival == .duplicate else { continue }
            let action = payments.report(transaction, answering: nil, now: now)
            if let news = perform(action, on: transaction, arrival) { unsolicited.append(news) }
        }
        return receive(&unsolicited, during: restore)
    }

    /// The answer to a payment, by the queue's own word.
    mutating func receiveAnswer(_ transaction: StoreTransaction, to id: CallID, answersEarlierPayment: Bool) {
        let arrival = arrive(transaction)
        let action = payments.report(transaction, answering: id, now: now)
        if case .answer(let id, let style) = action, answersEarlierPayment || arrival != .news, transaction.holdsContent {
            answer(id, style, withOlder: transaction)
        } else if let news = perform(action, on: transaction, arrival) {
            receive([news])
        }
        startPayments()
    }

    /// A transaction was reported. What has been finished before is finished once more.
    private mutating func arrive(_ transaction: StoreTransaction) -> TransactionLedger.Arrival {
        let arrival = ledger.report(transaction, now: now)
        if arrival == .finishAgain || arrival == .complete { tellFinished(transaction.token) }
        return arrival
    }

    private mutating func receive(
        _ unsolicited: inout [Unsolicited], during restore: RestoreStateMachine.Phase
    ) -> [StoreTransaction] {
        let rows = claim(&unsolicited, during: restore)
        if !unsolicited.isEmpty { receive(unsolicited) }
        startPayments()
        return rows
    }

    /// Gives a report to the call that it answers, or back if there is none and it is news.
    private mutating func perform(
        _ action: PaymentStateMachine.ReportAction, on transaction: StoreTransaction, _ arrival: TransactionLedger.Arrival
    ) -> Unsolicited? {
        switch action {
        case .answer(let id, let style):
            answer(id, style, with: transaction)
            return nil
        case .pending(let id, let pending):
            answerPending(id, pending, transaction)
            return nil
        case .progress:
            return nil
        case .resolved(let pending):
            tellPendingPurchases()
            return Unsolicited(transaction: transaction, pending: pending)
        case .candidate(let id):
            start(.preexistingAnswer(id), seconds: patience.preexistingAnswer)
            return arrival == .news ? Unsolicited(transaction: transaction, pending: nil) : nil
        case .unsolicited:
            if arrival == .news, transaction.state == .deferred {
                payments.noteApproval(of: transaction)
                tellPendingPurchases()
            }
            return arrival == .news ? Unsolicited(transaction: transaction, pending: nil) : nil
        }
    }

    /// Finds the rows of the restore that runs. If somebody waits for it they are taken out, and are being delivered until it ends.
    private mutating func claim(_ unsolicited: inout [Unsolicited], during restore: RestoreStateMachine.Phase) -> [StoreTransaction] {
        guard let id = restore.id else { return [] }
        let rows = unsolicited.filter { $0.transaction.state == .restored }.map(\.transaction)
        guard !rows.isEmpty else { return [] }
        start(.restoreInactivity(id), seconds: patience.restore)
        guard case .awaited = restore else { return rows }
        unsolicited.removeAll { $0.transaction.state == .restored }
        for row in rows { ledger.setOwner(.delivery, of: row.token, now: now) }
        return rows
    }

    /// Transactions that nobody waits for.
    private mutating func receive(_ unsolicited: [Unsolicited]) {
        tellBatch(of: unsolicited)
        for news in unsolicited where news.transaction.state == .failed {
            finishFailed(news.transaction)
            let failure = PurchaseFailure(
                transaction: news.transaction, error: Self.reason(of: news), pendingPurchase: news.pending)
            actions.append(.fail(failure, wasInBatch: true))
        }
        let paid = unsolicited.filter { $0.transaction.holdsContent }
        for news in paid { ledger.setOwner(.delivery, of: news.transaction.token, pending: news.pending, now: now) }
        offer(paid.map(\.transaction), wasInBatch: true)
    }

    private static func reason(of news: Unsolicited) -> StoreError {
        let error = news.transaction.error ?? StoreError(.unknown, "A purchase failed without a reason.")
        // StoreKit says of an approval that was refused what it says of a sheet that was closed.
        guard news.pending != nil, error.code == .userCancelled else { return error }
        let message = "The purchase of \"\(news.transaction.productID)\" was not approved."
        return StoreError(.approvalDeclined, message, underlying: error.underlying)
    }

    /// Tells those who want whole batches, before anything in it is finished. What an installed delivery is to deliver comes when
    /// it has.
    private mutating func tellBatch(of unsolicited: [Unsolicited]) {
        let records = unsolicited.compactMap { news -> PurchaseRecord? in
            let transaction = news.transaction
            guard transaction.state != .purchasing, deliverer(of: transaction) != .installedDelivery else { return nil }
            return PurchaseRecord(
                transaction: transaction, cause: .unsolicited, pendingPurchase: news.pending,
                isRedelivery: ledger.isRedelivery(transaction))
        }
        if !records.isEmpty { actions.append(.offerBatch(records)) }
    }

    /// Offers what is paid for and answers no call: to the installed delivery, or else to every subscriber.
    /// - Parameter wasInBatch: Whether those who want whole batches have been told.
    mutating func offer(_ paid: [StoreTransaction], wasInBatch: Bool = false) {
        let present = paid.filter { ledger[$0.token].map { !$0.isDelivered } ?? false }
        guard hasDelivery else { return offerToSubscribers(present, wasInBatch: wasInBatch) }
        let restored = present.filter { $0.state == .restored }
        for transaction in present where transaction.state != .restored {
            deliver([transaction], cause: .unsolicited, origin: .nobody)
        }
        if !restored.isEmpty { deliver(restored, cause: .unsolicited, origin: .nobody) }
    }

    mutating func offerToSubscribers(_ paid: [StoreTransaction], wasInBatch: Bool = false) {
        for transaction in paid { ledger.setOwner(.subscribers, of: transaction.token, now: now) }
        let records = paid.compactMap { ledger[$0.token].map(unsolicitedRecord) }
        guard !records.isEmpty else { return }
        if !wasInBatch { actions.append(.offerBatch(records)) }
        for record in records { actions.append(.offer(record)) }
    }

    private func unsolicitedRecord(_ entry: TransactionLedger.Entry) -> PurchaseRecord {
        PurchaseRecord(
            transaction: entry.transaction, cause: .unsolicited, pendingPurchase: entry.pending,
            isRedelivery: ledger.isRedelivery(entry.transaction))
    }

    /// What a new subscriber to transactions hears of first.
    var outstandingPurchases: [PurchaseRecord] { ledger.outstanding.map(unsolicitedRecord) }

    /// What a new subscriber to batches hears of first: what nobody owns, and what waits for an approval that no call asked for.
    var outstandingBatch: [PurchaseRecord] {
        ledger.unclaimed.filter { payments.pendingApprovals[$0.transaction.token]?.isKnownToCall != true }.map(unsolicitedRecord)
    }

    /// Everything that waits for somebody's approval, oldest first.
    var pendingPurchases: [PendingPurchase] { payments.pendingApprovals.values.inOrder { $0.id.token < $1.id.token } }

    mutating func tellPendingPurchases() {
        actions.append(.tellPending(pendingPurchases))
    }

    /// Entries have left the queue, because they were finished here or elsewhere.
    mutating func remove(_ tokens: [TransactionToken]) {
        for token in tokens {
            let entry = ledger[token]
            ledger.remove(token)
            if entry?.transaction.downloads.isEmpty == false { endContent(of: token) }
            switch payments.remove(token) {
            case .none: break
            case .lost(let id, let request): paymentLost(id, request)
            case .answer(let id, let style, let older): answer(id, style, withOlder: older)
            case .approvalLost(let pending):
                tellPendingPurchases()
                guard let transaction = entry?.transaction else { break }
                let error = StoreError(
                    .transactionRemoved, "The purchase of \"\(pending.productID)\" left the queue before anybody approved of it.")
                let failure = PurchaseFailure(transaction: transaction, error: error, pendingPurchase: pending)
                actions.append(.fail(failure, wasInBatch: false))
            }
        }
        startPayments()
    }
}

// Finishing.
extension StoreStateMachine {
    /// Somebody says that a transaction is to be finished.
    /// - Parameter newest: The greatest token given so far.
    mutating func finish(_ token: TransactionToken, newest: @autoclosure () -> TransactionToken) -> Result<Void, StoreError> {
        switch ledger.finish(token, newest: newest()) {
        case .finish:
            tellFinished(token)
            return .success(())
        case .whenDownloaded:
            return .success(())
        case .finished:
            return .failure(StoreError(.transactionFinished, "The transaction has been finished before."))
        case .notFinishable(let state):
            return .failure(StoreError(.transactionNotFinishable, "The transaction is \(state): there is nothing to finish yet."))
        case .unknown:
            return .failure(StoreError(.transactionUnknown, "The transaction is not one of this store's."))
        }
    }

    /// A failed transaction holds no content: it is finished at once.
    mutating func finishFailed(_ transaction: StoreTransaction) {
        if case .finish = ledger.finish(transaction.token, newest: transaction.token) { tellFinished(transaction.token) }
    }

    /// The closure of a call has returned.
    mutating func closureDelivered(_ token: TransactionToken) {
        if ledger.delivered(token) { tellFinished(token) }
    }

    /// The closure of a call has thrown, or was never run. No other delivery is put in its place: subscribers are offered
    /// the transactions.
    mutating func closureFailed(_ tokens: [TransactionToken]) {
        offerToSubscribers(
            tokens.compactMap { token in
                guard let entry = ledger[token], entry.owner == .delivery else { return nil }
                return entry.transaction
            })
    }
}
