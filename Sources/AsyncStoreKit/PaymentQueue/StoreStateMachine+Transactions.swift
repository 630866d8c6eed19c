import AppReceipt
import Foundation

// Reports of the queue.
extension StoreStateMachine {
    /// A transaction that doesn't answer a payment, with the pending purchase that it resolves.
    private struct Unsolicited {
        let transaction: StoreTransaction
        let pending: PendingPurchase?
    }

    /// Records a batch of the queue: answers to payments first, then transactions that a restore waits for, then all
    /// others.
    /// - Parameter restore: The restore that is running.
    /// - Returns: The rows of the restore, whether a call waits for it or not.
    mutating func transactionsReported(_ batch: [StoreTransaction], during restore: RestoreStateMachine.Phase = .idle)
        -> [StoreTransaction]
    {
        var unsolicited: [Unsolicited] = []
        for transaction in ledger.contexts.attach(to: batch) {
            recordPaid(transaction)
            // The ledger first: whether the entry is new decides what it can answer.
            let arrival = recordReport(transaction)
            // StoreKit 1 answers a payment for an owned product with a restored transaction of the same purchase.
            let isKnown = transaction.state == .purchased && ledger.wasReceived(transaction)
            let action = payments.report(
                transaction, isNewReport: arrival == .new, isKnown: isKnown, isRestoring: restore != .idle,
                now: runningNow)
            if let report = perform(action, on: transaction, arrival) { unsolicited.append(report) }
        }
        repeatReports(batch)
        let rows = assignRows(among: &unsolicited, during: restore)
        if !unsolicited.isEmpty { deliverOrReport(unsolicited) }
        // Last: an answer in this batch may have freed the place of the next payment.
        startPayments()
        if !answers.knowsInitialTransactions { initialTransactionsReported() }
        return rows
    }

    /// Sends the subscribers of batches what StoreKit repeats after the app was in the background.
    private mutating func repeatReports(_ batch: [StoreTransaction]) {
        let again = batch.filter { ledger.repetitionReported(of: $0.token) }
        report(again.compactMap { ledger[$0.token].map { .batchOnly(unsolicitedRecord($0)) } })
    }

    /// Records transactions that don't answer a payment, as the queue attributes them.
    mutating func unsolicitedReported(_ batch: [StoreTransaction]) {
        var unsolicited: [Unsolicited] = []
        for transaction in ledger.contexts.attach(to: batch) {
            recordPaid(transaction)
            let arrival = recordReport(transaction)
            // A repetition of an entry that has an owner changes nothing: its owner delivers it.
            guard arrival == .new || arrival == .duplicate else { continue }
            let action = payments.report(transaction, answering: nil, now: runningNow)
            if let report = perform(action, on: transaction, arrival) { unsolicited.append(report) }
        }
        if !unsolicited.isEmpty { deliverOrReport(unsolicited) }
    }

    /// Records the transactions of a restore, as the queue attributes them. A transaction can be a known entry with any
    /// owner.
    /// - Returns: The rows, if a call waits for the restore.
    mutating func restoredReported(_ batch: [StoreTransaction], during restore: RestoreStateMachine.Phase)
        -> [StoreTransaction]
    {
        var unsolicited: [Unsolicited] = []
        let batch = ledger.contexts.attach(to: batch)
        for transaction in batch {
            recordPaid(transaction)
            guard ledger.report(transaction, now: now) == .new else { continue }
            unsolicited.append(Unsolicited(transaction: transaction, pending: nil))
        }
        // The call may have been canceled. Rows that the ledger knew keep their owners then, and the rest is offered.
        guard case .awaited(let id) = restore else {
            if !unsolicited.isEmpty { deliverOrReport(unsolicited) }
            return []
        }
        // All rows, including known ones: the customer asked for them, and the call returns what it doesn't deliver.
        assignRows(batch, to: id)
        return batch
    }

    /// Records the answer to a payment, as the queue attributes it.
    mutating func paymentAnswered(_ id: CallID, with answer: StoreTransaction, isPreexisting: Bool) {
        let transaction = ledger.contexts.attach(to: answer)
        if !isPreexisting { recordPaid(transaction, isRequested: true) }
        let arrival = recordReport(transaction)
        let action = payments.report(transaction, answering: id, now: runningNow)
        // An older transaction may be with another owner already. Giving it to this call, too, would deliver it twice.
        let isPreexisting = isPreexisting || arrival != .new || ledger.wasReceived(transaction)
        if case .answer(let id, let style) = action, isPreexisting, transaction.holdsContent {
            self.answer(id, style, withOlder: transaction)
        } else if let report = perform(action, on: transaction, arrival) {
            deliverOrReport([report])
        }
        startPayments()
    }

    /// Records a report. A transaction that was finished before is finished again.
    private mutating func recordReport(_ transaction: StoreTransaction) -> UnfinishedTransactions.Arrival {
        let arrival = ledger.report(transaction, now: now)
        if arrival == .finishAgain { requestFinish(transaction.token) }
        if arrival == .complete { finishContent(of: transaction.token) }
        return arrival
    }

    /// Gives a report to the call that it answers. Returns a new report that answers none.
    private mutating func perform(
        _ action: PaymentStateMachine.ReportAction, on transaction: StoreTransaction,
        _ arrival: UnfinishedTransactions.Arrival
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
            sendPendingPurchases()
            return Unsolicited(transaction: transaction, pending: pending)
        case .candidate(let id):
            // It may be a repetition, and the answer is still to come. So the entry is offered now, and answers the
            // call only if nothing better arrives.
            start(
                .preexistingAnswer(id),
                seconds: isHandedBack(transaction, arrival) ? 0 : payments.preexistingAnswerDelay)
            return arrival == .new ? Unsolicited(transaction: transaction, pending: nil) : nil
        case .unsolicited:
            if arrival == .new, transaction.state == .deferred {
                payments.recordPendingApproval(of: transaction)
                sendPendingPurchases()
            }
            return arrival == .new ? Unsolicited(transaction: transaction, pending: nil) : nil
        }
    }

    /// Whether StoreKit answers with an older transaction. Mere repetitions arrive sooner.
    private func isHandedBack(_ transaction: StoreTransaction, _ arrival: UnfinishedTransactions.Arrival) -> Bool {
        guard arrival != .new, let entry = ledger[transaction.token] else { return false }
        return now.timeIntervalSince(entry.since) >= payments.preexistingAnswerDelay
    }

    /// Returns the rows of the running restore. If a call waits for it, they are taken out and belong to the call.
    private mutating func assignRows(among unsolicited: inout [Unsolicited], during restore: RestoreStateMachine.Phase)
        -> [StoreTransaction]
    {
        guard let id = restore.id else { return [] }
        let rows = unsolicited.filter { $0.transaction.state == .restored && !isWithheld($0.transaction, from: id) }
            .map(\.transaction)
        guard !rows.isEmpty else { return [] }
        // StoreKit isn't silent, even if no call waits: another restore can't begin until this one has ended.
        start(.restoreInactivity(id), seconds: restores.timeout)
        // Without a call, the rows are offered, and the restore actor keeps them: one may answer a payment.
        guard case .awaited = restore else { return rows }
        let tokens = Set(rows.map(\.token))
        unsolicited.removeAll { tokens.contains($0.transaction.token) }
        assignRows(rows, to: id)
        return rows
    }

    /// Whether a restore for an account leaves out a row, because the payment named another account or none. StoreKit
    /// 2's backend leaves such rows out; StoreKit 1 restores all, and only the payments of this launch name accounts. A
    /// row that may answer a payment is never left out.
    private func isWithheld(_ row: StoreTransaction, from id: CallID) -> Bool {
        guard let account = restores.calls[id]?.account else { return false }
        return ledger.isKnownToBeForAnother(row, than: account)
            && !payments.submitted.contains { $0.request.productID == row.productID }
    }

    /// Handles transactions that no call waits for. The subscribers receive them before any of the transactions is
    /// finished, but purchases for the installed delivery only after their delivery.
    private mutating func deliverOrReport(_ unsolicited: [Unsolicited]) {
        var reports: [StoreReport] = []
        var (delivered, failed): ([StoreTransaction], [TransactionToken]) = ([], [])
        for item in unsolicited {
            let transaction = item.transaction
            ledger.setPendingPurchase(item.pending, of: transaction.token)
            guard !isSettled(transaction) else { continue }
            let record = PurchaseRecord(
                transaction: transaction, cause: .unsolicited, pendingPurchase: item.pending,
                isRedelivery: ledger.wasReceived(transaction))
            switch deliverer(of: transaction) {
            case .installedDelivery:
                ledger.setState(.delivering, of: transaction.token, now: now)
                delivered.append(transaction)
            case .subscribers:
                ledger.setState(.offered, of: transaction.token, now: now)
                reports.append(.purchase(record))
            case .nobody, .closure, .caller:
                if transaction.state == .deferred { reports.append(.batchOnly(record)) }
                guard transaction.state == .failed else { continue }
                failed.append(transaction.token)
                let error = Self.reason(of: item)
                recordFailure(of: transaction.productID, error, transaction)
                let failure = PurchaseFailure(
                    transaction: transaction, error: error, pendingPurchase: item.pending)
                reports.append(.failure(failure, record))
            }
        }
        // Reported first: a finished transaction leaves the queue.
        report(reports)
        finish(failed)
        deliverUnsolicited(delivered)
    }

    mutating func report(_ reports: [StoreReport]) {
        if !reports.isEmpty { actions.append(.report(reports)) }
    }

    private static func reason(of item: Unsolicited) -> StoreError {
        let error = item.transaction.error ?? StoreError(.unknown, "A purchase failed without a reason.")
        // StoreKit reports a declined approval like a sheet that was closed.
        guard item.pending != nil, error.code == .userCancelled else { return error }
        let message = "The purchase of \"\(item.transaction.productID)\" was not approved."
        return StoreError(.approvalDeclined, message, underlying: error.underlying)
    }

    /// Settles purchases that no call has: finishes those that were delivered, lets those wait that the app has or is
    /// about to get by another entry, and offers the others to the installed delivery, or else to every subscriber.
    mutating func settle(_ paid: [StoreTransaction]) {
        let free = paid.filter { transaction in
            guard ledger[transaction.token]?.isDelivered == false, !isSettled(transaction) else { return false }
            ledger.setState(deliveries.isInstalled ? .delivering : .offered, of: transaction.token, now: now)
            return true
        }
        if deliveries.isInstalled { deliverUnsolicited(free) } else { offerToSubscribers(free) }
    }

    /// Finishes a transaction whose purchase was delivered, or lets it wait for another entry, and returns `true`.
    mutating func isSettled(_ transaction: StoreTransaction) -> Bool {
        guard transaction.holdsContent else { return false }
        let wasDelivered = ledger.wasDelivered(transaction)
        if wasDelivered {
            finish([transaction.token])
        } else if ledger.waits(transaction) {
            ledger.setState(.open, of: transaction.token, now: now)
        } else {
            return false
        }
        return true
    }

    /// Settles the open entries among the other entries of a purchase.
    mutating func settleOpen(_ tokens: [TransactionToken]) {
        let open = tokens.compactMap { ledger[$0] }.filter { $0.state == .open && $0.transaction.holdsContent }
        if !open.isEmpty { settle(open.map(\.transaction)) }
    }

    /// Gives purchases to the installed delivery: restored purchases together, and each other purchase by itself.
    private mutating func deliverUnsolicited(_ paid: [StoreTransaction]) {
        let restored = paid.filter { $0.state == .restored }
        for transaction in paid where transaction.state != .restored {
            deliver([transaction], cause: .unsolicited, origin: .nobody)
        }
        if !restored.isEmpty { deliver(restored, cause: .unsolicited, origin: .nobody) }
    }

    mutating func offerToSubscribers(_ paid: [StoreTransaction]) {
        for transaction in paid { ledger.setState(.offered, of: transaction.token, now: now) }
        report(paid.compactMap { ledger[$0.token].map { .purchase(unsolicitedRecord($0)) } })
    }

    private func unsolicitedRecord(_ entry: UnfinishedTransactions.Entry) -> PurchaseRecord {
        PurchaseRecord(
            transaction: entry.transaction, cause: .unsolicited, pendingPurchase: entry.pending,
            isRedelivery: ledger.wasReceived(entry.transaction))
    }

    /// The purchases that a new subscriber of transactions receives first.
    var outstandingPurchases: [PurchaseRecord] { ledger.outstanding.map(unsolicitedRecord) }

    /// The purchases that a new subscriber of batches receives first: those that no call has or waits for.
    var outstandingBatch: [PurchaseRecord] {
        ledger.unclaimed.filter { payments.pendingApprovals[$0.transaction.token]?.isKnownToCall != true }.map(
            unsolicitedRecord)
    }

    /// The purchases that wait for approval, oldest first.
    var pendingPurchases: [PendingPurchase] { payments.pendingApprovals.values.inOrder { $0.id.token < $1.id.token } }

    mutating func sendPendingPurchases() {
        actions.append(.sendPendingPurchases(pendingPurchases))
    }

    /// Records that the queue's lists lack these entries. Those that are being delivered or finished stay.
    mutating func removeUnlisted(_ tokens: [TransactionToken]) {
        let removed = tokens.filter { token in
            let siblings = ledger.siblings(of: token)
            guard ledger.removeUnlisted(token) else { return false }
            settleOpen(siblings)
            return true
        }
        if !removed.isEmpty { actions.append(.forget(removed)) }
    }

    /// Records that entries have left the queue, because they were finished here or elsewhere.
    mutating func remove(_ tokens: [TransactionToken]) {
        for token in tokens {
            // Read before the removal, which forgets both.
            let entry = ledger[token]
            let siblings = ledger.siblings(of: token)
            ledger.remove(token)
            settleOpen(siblings)
            switch payments.remove(token) {
            case .none: break
            case .lost(let id, let request):
                let message =
                    "The transaction for \"\(request.productID)\" left the queue without an outcome: another observer finished it."
                endPurchase(id, .failure(StoreError(.transactionRemoved, message)))
            case .answer(let id, let style, let older): answer(id, style, withOlder: older)
            case .approvalLost(let pending):
                sendPendingPurchases()
                guard let transaction = entry?.transaction else { break }
                let error = StoreError(
                    .transactionRemoved,
                    "The purchase of \"\(pending.productID)\" left the queue before it was approved.")
                let failure = PurchaseFailure(transaction: transaction, error: error, pendingPurchase: pending)
                report([.failure(failure, nil)])
            }
        }
        startPayments()
        // Last: the other actions may name these entries.
        actions.append(.forget(tokens))
    }
}
