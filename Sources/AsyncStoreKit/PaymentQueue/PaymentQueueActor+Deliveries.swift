extension PaymentQueueActor {
    /// Installs a delivery, which takes over everything that nobody is delivering.
    func install(_ delivery: any PurchaseDelivery) {
        if self.delivery != nil { log(.notice, "Another purchase delivery takes the place of the one installed before.") }
        self.delivery = delivery
        for job in deliveries.takeOwed() {
            stop(.deliveryRetry(job.id))
            deliveries.add(job)
        }
        offer(ledger.outstanding.filter { $0.holder == .offered }.map(\.transaction))
        startDeliveries()
    }

    /// Queues transactions for the installed delivery.
    func deliver(
        _ batch: [StoreTransaction], cause: DeliveryRequest.Cause, origin: DeliveryStateMachine.Origin, answersEarlierPayment: Bool = false
    ) {
        for transaction in batch { ledger.hand(transaction.id, to: .delivering, now: now) }
        var job = DeliveryStateMachine.Job(id: CallID(), tokens: batch.map(\.id), cause: cause, origin: origin)
        job.answersEarlierPayment = answersEarlierPayment
        deliveries.add(job)
        startDeliveries()
    }

    func startDeliveries() {
        guard let delivery, termination == nil else { return }
        while let job = deliveries.next() {
            let items = job.tokens.compactMap { token in
                ledger[token].map { entry in
                    DeliveryRequest.Item(
                        transaction: entry.transaction, key: entry.transaction.deliveryKey,
                        isRedelivery: job.attempt > 0 || ledger.isRedelivery(entry.transaction))
                }
            }
            for token in job.tokens where ledger[token]?.holder == .owed { ledger.hand(token, to: .delivering, now: now) }
            deliveryTasks[job.id] = Task { [backend, mailbox, refreshReceipt] in
                // Nothing is left of it when somebody else has finished everything in the meantime.
                guard !items.isEmpty else {
                    mailbox.send(.deliveryEnded(job.id, .accepted))
                    return
                }
                let request = DeliveryRequest(
                    items: items, cause: job.cause, attempt: job.attempt, receipt: try? backend.receiptData(),
                    refresh: refreshReceipt)
                mailbox.send(.deliveryEnded(job.id, await delivery.deliver(request)))
            }
        }
    }

    func deliveryEnded(_ id: CallID, _ decision: DeliveryDecision) {
        deliveryTasks[id] = nil
        guard let job = deliveries.end(id) else { return }
        let entries = job.tokens.compactMap { ledger[$0] }
        switch decision {
        case .accepted:
            settle(job)
            let repeated = job.attempt > 0
            tell(job.origin, about: entries.map { record(delivered: $0, answersEarlierPayment: job.answersEarlierPayment, isRedelivery: repeated) })
        case .rejected(let reason):
            settle(job)
            fail(job.origin, entries, StoreError(.deliveryRejected, reason))
        case .retryLater(let seconds):
            owe(job, after: seconds)
            let error = StoreError(.deliveryPending, "The purchase is paid for, but could not be delivered yet; it will be tried again.")
            if job.attempt == 0 { fail(job.origin, entries, error) }
        }
        startDeliveries()
    }

    private func settle(_ job: DeliveryStateMachine.Job) {
        for token in job.tokens where ledger.delivered(token) { tellFinished(token) }
    }

    private func owe(_ job: DeliveryStateMachine.Job, after seconds: Double?) {
        let unfinished = job.tokens.filter { ledger[$0]?.holder == .delivering }
        for token in unfinished { ledger.hand(token, to: .owed, now: now) }
        deliveries.owe(job)
        let attempt = job.attempt &+ 1
        let key = job.tokens.first.flatMap { ledger[$0]?.transaction.deliveryKey } ?? ""
        let pause = DeliveryStateMachine.pause(asked: seconds, attempt: attempt, key: key)
        log(.warning, "Delivery of \(unfinished.count) transactions is owed; attempt \(attempt) failed, the next is in \(pause) seconds.")
        start(.deliveryRetry(job.id), seconds: pause)
    }

    private func record(delivered entry: TransactionLedger.Entry, answersEarlierPayment: Bool, isRedelivery: Bool) -> TransactionRecord {
        TransactionRecord(
            transaction: entry.transaction, pendingPurchase: entry.pending, answersEarlierPayment: answersEarlierPayment, isDelivered: true,
            isRedelivery: isRedelivery)
    }

    private func tell(_ origin: DeliveryStateMachine.Origin, about records: [TransactionRecord]) {
        switch origin {
        case .purchase(let id):
            guard let record = records.first else {
                return failPurchase(id, StoreError(.transactionRemoved, "Somebody else finished the transaction before it was delivered."))
            }
            purchaseWaiters.removeValue(forKey: id)?.reply.succeed(.paid(record))
        case .restore(let id):
            restoreWaiters.removeValue(forKey: id)?.reply.succeed(RestoreAnswer(records: records))
        case .nobody:
            for record in records { transactions.send(record) }
            if !records.isEmpty { batches.send(records) }
        }
    }

    private func fail(_ origin: DeliveryStateMachine.Origin, _ entries: [TransactionLedger.Entry], _ error: StoreError) {
        switch origin {
        case .purchase(let id): failPurchase(id, error)
        case .restore(let id): restoreWaiters.removeValue(forKey: id)?.reply.fail(error)
        case .nobody:
            for entry in entries {
                report(PurchaseFailure(transaction: entry.transaction, error: error, pendingPurchase: entry.pending))
            }
        }
    }
}
