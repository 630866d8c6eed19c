import Foundation

// The installed delivery.
extension StoreStateMachine {
    /// Records that a delivery was installed. It takes over all transactions that aren't being delivered.
    mutating func deliveryInstalled() {
        if hasDelivery { log(.notice, "Another purchase delivery replaces the earlier one.") }
        hasDelivery = true
        for job in deliveries.takeAllPending() {
            stop(.deliveryRetry(job.id))
            deliveries.add(job)
        }
        offer(ledger.outstanding.filter { $0.owner == .subscribers }.map(\.transaction))
        startDeliveries()
    }

    /// Enqueues transactions for the installed delivery.
    mutating func deliver(
        _ batch: [StoreTransaction], cause: StorePurchase.Cause, origin: DeliveryStateMachine.Origin,
        isPreexisting: Bool = false
    ) {
        for transaction in batch { ledger.setOwner(.delivery, of: transaction.token, now: now) }
        var job = DeliveryStateMachine.Job(id: CallID(), tokens: batch.map(\.token), cause: cause, origin: origin)
        job.isPreexisting = isPreexisting
        deliveries.add(job)
        startDeliveries()
    }

    /// Starts deliveries while fewer than the limit are running. A purchase that is being delivered already has to
    /// wait.
    mutating func startDeliveries() {
        guard hasDelivery, termination == nil else { return }
        while let job = deliveries.next({ [ledger] job in
            !job.tokens.contains { token in ledger[token].map { ledger.isBeingDelivered($0.transaction) } ?? false }
        }) {
            let entries = job.tokens.compactMap { ledger[$0] }.filter { !$0.isDelivered }
            guard !entries.isEmpty else {
                // Everything was finished or has left the queue in the meantime.
                _ = deliveries.end(job.id)
                tell(job, of: job.tokens.compactMap { ledger[$0] })
                continue
            }
            for token in job.tokens where ledger[token]?.owner == .pendingRetry {
                ledger.setOwner(.delivery, of: token, now: now)
            }
            let records = entries.map { entry in
                PurchaseRecord(
                    transaction: entry.transaction, cause: job.cause, pendingPurchase: entry.pending,
                    isPreexisting: job.isPreexisting, isRedelivery: beginDelivery(of: entry.transaction))
            }
            let redeliveries = Set(records.filter(\.isRedelivery).map(\.transaction.token))
            deliveries.start(job.id, with: records.map(\.transaction.token), redeliveries: redeliveries)
            actions.append(.deliver(job, records))
        }
    }

    mutating func deliveryEnded(_ id: CallID, _ decision: DeliveryDecision) {
        guard let job = deliveries.end(id) else { return }
        conclude(job, decision)
        endDeliveries(of: job.tokens)
    }

    private mutating func conclude(_ job: DeliveryStateMachine.Job, _ decision: DeliveryDecision) {
        let entries = job.tokens.compactMap { ledger[$0] }
        switch decision {
        case .accepted:
            finish(job)
            tell(job, of: entries)
        case .rejected(let reason):
            finish(job)
            fail(job, entries, StoreError(.deliveryRejected, reason))
        case .retryLater(let seconds, let reason):
            retry(job, after: seconds)
            let error = StoreError(
                .deliveryPending,
                "The purchase is paid for, but couldn't be delivered yet. The delivery will be tried again.",
                underlying: reason.map { StoreError(.deliveryPending, $0) })
            if job.attempt == 0 { fail(job, entries, error) }
        }
    }

    private mutating func finish(_ job: DeliveryStateMachine.Job) {
        for token in job.tokens { recordDelivery(of: token) }
    }

    /// Offers a transaction again after a pause, because it couldn't be delivered.
    mutating func release(_ token: TransactionToken, after seconds: TimeInterval?) {
        if let entry = ledger[token], ledger.wasDelivered(entry.transaction) { return recordDelivery(of: token) }
        guard let releases = ledger.release(token, now: now), let entry = ledger[token] else { return }
        var job = DeliveryStateMachine.Job(id: CallID(), tokens: [token], cause: .unsolicited, origin: .nobody)
        job.attempt = releases - 1
        let pause = retryPolicy.pause(asked: seconds, attempt: releases, key: entry.transaction.deliveryKey)
        job.requestedRetryDate = seconds.map { _ in now + pause }
        deliveries.retryLater(job)
        start(.deliveryRetry(job.id), seconds: pause)
    }

    private mutating func retry(_ job: DeliveryStateMachine.Job, after seconds: TimeInterval?) {
        let unfinished = job.tokens.filter { ledger[$0]?.owner == .delivery }
        for token in unfinished { ledger.setOwner(.pendingRetry, of: token, now: now) }
        let attempt = job.attempt &+ 1
        let key = job.tokens.first.flatMap { ledger[$0]?.transaction.deliveryKey } ?? ""
        let pause = retryPolicy.pause(asked: seconds, attempt: attempt, key: key)
        var job = job
        job.requestedRetryDate = seconds.map { _ in now + pause }
        deliveries.retryLater(job)
        log(
            .warning,
            "\(unfinished.count) transactions could not be delivered: attempt \(attempt) failed, the next is in \(pause) seconds."
        )
        start(.deliveryRetry(job.id), seconds: pause)
    }

    /// Retries delayed deliveries at once, because the app has become active or the network is available again.
    mutating func retryDeliveriesInAdvance() {
        for id in deliveries.pendingInAdvance(now: now) {
            stop(.deliveryRetry(id))
            retryDelivery(id)
        }
    }

    /// Retries a delivery after its pause.
    mutating func retryDelivery(_ id: CallID) {
        guard let job = deliveries.takePending(id) else { return }
        guard hasDelivery else {
            // Without an installed delivery, only subscribers can deliver.
            return offer(job.tokens.compactMap { ledger[$0] }.filter { $0.owner == .pendingRetry }.map(\.transaction))
        }
        deliveries.add(job)
        startDeliveries()
    }

    private mutating func tell(_ job: DeliveryStateMachine.Job, of entries: [TransactionLedger.Entry]) {
        let records = entries.map { entry in
            PurchaseRecord(
                transaction: entry.transaction, cause: job.cause, pendingPurchase: entry.pending,
                isPreexisting: job.isPreexisting, isDelivered: true,
                isRedelivery: job.redeliveries.contains(entry.transaction.token))
        }
        switch job.origin {
        case .purchase(let id):
            let message = "Another observer finished the transaction before it was delivered."
            endPurchase(
                id, records.first.map { .success(.paid($0)) } ?? .failure(StoreError(.transactionRemoved, message)))
        case .restore(let id):
            endRestore(id, delivered: records)
        case .nobody:
            report(records.map { .purchase($0) })
        }
    }

    private mutating func fail(
        _ job: DeliveryStateMachine.Job, _ entries: [TransactionLedger.Entry], _ error: StoreError
    ) {
        switch job.origin {
        case .purchase(let id): endPurchase(id, .failure(error))
        case .restore(let id): endRestore(id, .failure(error))
        case .nobody:
            report(
                entries.map { entry in
                    let failure = PurchaseFailure(
                        transaction: entry.transaction, error: error, pendingPurchase: entry.pending)
                    return .failure(failure, nil)
                })
        }
    }
}
