import AppReceipt
import Foundation

// The installed delivery.
extension StoreStateMachine {
    /// Records that a delivery was installed. It takes over all transactions that aren't being delivered.
    mutating func deliveryInstalled() {
        if deliveries.isInstalled { log(.notice, "Another purchase delivery replaces the earlier one.") }
        deliveries.isInstalled = true
        warnAboutObservingDelivery()
        deliveries.deliveryReplaced()
        settle(ledger.outstanding.filter { $0.state == .offered }.map(\.transaction))
        startDeliveries()
    }

    /// Warns if the same purchases will be delivered in every launch.
    mutating func warnAboutObservingDelivery() {
        guard mode == .observing, deliveries.isInstalled else { return }
        log(
            .warning,
            "A delivery is installed in the mode observing, which finishes nothing. It receives every unfinished purchase again in each launch, in addition to the code that finishes."
        )
    }

    mutating func deliver(
        _ batch: [StoreTransaction], cause: StorePurchase.Cause, origin: DeliveryStateMachine.Origin,
        isPreexisting: Bool = false
    ) {
        for transaction in batch {
            ledger.setState(.delivering, of: transaction.token, now: now)
            // This delivery replaces the retry of another entry, so that a purchase has only one.
            for sibling in ledger.siblings(of: transaction.token) where ledger[sibling]?.state == .retrying {
                withdraw(sibling)
                ledger.setState(.open, of: sibling, now: now)
            }
        }
        var job = DeliveryStateMachine.Job(id: CallID(), tokens: batch.map(\.token), cause: cause, origin: origin)
        job.isPreexisting = isPreexisting
        deliveries.enqueue(job, now: now)
        startDeliveries()
    }

    /// Starts the deliveries that can start, and a timer for the others. A purchase is never delivered twice at once.
    mutating func startDeliveries() {
        guard termination == nil else { return }
        deliveries.endPauses(now: now)
        guard deliveries.isInstalled else { return offerReleased() }
        while let job = deliveries.next(
            now: now,
            { [ledger] job in
                !job.tokens.contains { token in ledger[token].map { ledger.isBeingDelivered($0.transaction) } ?? false }
            })
        {
            let entries = job.tokens.compactMap { ledger[$0] }.filter { !$0.isDelivered }
            guard !entries.isEmpty else {
                // Everything was finished or has left the queue in the meantime.
                _ = deliveries.deliveryEnded(job.id)
                endWithoutAttempt(job)
                continue
            }
            for token in job.tokens where ledger[token]?.state == .retrying {
                ledger.setState(.delivering, of: token, now: now)
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
        scheduleRetry()
    }

    /// Ends a delivery whose purchases something else has finished. Its answer is ignored.
    private mutating func endWithoutAttempt(_ job: DeliveryStateMachine.Job) {
        guard job.origin == .nobody else { return succeed(job, job.tokens.compactMap { ledger[$0] }) }
        deliveries.nothingSent()
    }

    /// Starts a timer for the next delivery that waits for a date.
    private mutating func scheduleRetry() {
        let date = deliveries.nextDate(at: now)
        guard date != timers[.deliveryRetry] else { return }
        guard let date else { return stop(.deliveryRetry) }
        start(.deliveryRetry, seconds: date.timeIntervalSince(now), until: date)
    }

    /// Offers released purchases again: without an installed delivery, only subscribers can deliver.
    private mutating func offerReleased() {
        let released = deliveries.takeQueue().flatMap(\.tokens).compactMap { ledger[$0] }
        settle(released.filter { $0.state == .retrying }.map(\.transaction))
        scheduleRetry()
    }

    /// Takes a transaction out of the deliveries that wait.
    mutating func withdraw(_ token: TransactionToken) {
        deliveries.withdraw(token)
        scheduleRetry()
    }

    mutating func deliveryEnded(
        _ id: CallID, _ decision: DeliveryDecision, because answers: [String: DeliveryAnswer] = [:]
    ) {
        // Last: the delivery is recorded before the app may be suspended.
        defer { actions.append(.returnBackgroundTime(id)) }
        guard let job = deliveries.deliveryEnded(id) else { return }
        let parts = parts(of: job, decision, answers)
        if case .restore(let id) = job.origin {
            let keys = parts.filter(\.verdict.isLeftOut).flatMap(\.job.tokens).compactMap {
                ledger[$0]?.transaction.deliveryKey
            }
            restores.calls[id]?.rows?.removeAll { keys.contains($0.deliveryKey) }
        }
        for part in parts { conclude(part.job, part.verdict, answers) }
        endDeliveries(of: job.tokens)
    }

    /// The decision about a part of a delivery, and what the answer says about the server.
    private struct Verdict: Hashable {
        let decision: DeliveryDecision
        let evidence: DeliveryAnswer.Evidence

        /// The worst is the greatest.
        var rank: Int {
            switch (decision, evidence) {
            case (.rejected, _): 1
            case (.accepted, _): 2
            case (_, .nothingSent): 0
            case (_, .working): 3
            case (_, .failing): 4
            }
        }

        /// Whether the purchases wait for another account.
        var isHeldBack: Bool { rank == 0 }
        /// Whether a restore leaves out the purchases. They don't fail its call, unless only rejected ones are left.
        var isLeftOut: Bool { rank <= 1 }
    }

    /// Splits a delivery by its decisions. The part with the worst decision comes last, and answers the call.
    private func parts(
        of job: DeliveryStateMachine.Job, _ decision: DeliveryDecision, _ answers: [String: DeliveryAnswer]
    ) -> [(job: DeliveryStateMachine.Job, verdict: Verdict)] {
        var order: [Verdict] = []
        var tokens: [Verdict: [TransactionToken]] = [:]
        for token in job.tokens {
            let key = ledger[token]?.transaction.deliveryKey ?? ""
            let verdict = Verdict(decision: decision.decision(for: key), evidence: answers[key]?.evidence ?? .failing)
            if tokens[verdict] == nil { order.append(verdict) }
            tokens[verdict, default: []].append(token)
        }
        let parts = order.enumerated().inOrder { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        return parts.map { offset, verdict in
            let answersCall = offset == parts.last?.offset
            return (job.part(tokens[verdict] ?? [], origin: answersCall ? job.origin : .nobody), verdict)
        }
    }

    private mutating func conclude(
        _ job: DeliveryStateMachine.Job, _ verdict: Verdict, _ answers: [String: DeliveryAnswer]
    ) {
        let entries = job.tokens.compactMap { ledger[$0] }
        switch verdict.decision {
        case .accepted:
            deliveries.serverDecided()
            logEach(entries, .notice, "was accepted", answers)
            for token in job.tokens { recordDelivery(of: token) }
            succeed(job, entries)
        case .rejected(let reason):
            deliveries.serverDecided()
            // A rejection finishes a purchase that the customer has paid for.
            logEach(entries, .error, "was rejected and is finished", answers)
            for token in job.tokens { recordDelivery(of: token, isRejected: true) }
            fail(job, entries, StoreError(.deliveryRejected, reason))
        case .retryLater where entries.allSatisfy(\.isDelivered): endWithoutAttempt(job)
        case .retryLater(let seconds, let reason):
            retry(job, after: seconds, because: answers)
            if case .restore = job.origin, verdict.isHeldBack { return succeed(job, []) }
            let error = StoreError(
                .deliveryPending,
                "The purchase is paid for, but couldn't be delivered yet. The delivery will be tried again.",
                underlying: reason.map { StoreError(.deliveryPending, $0) })
            if job.attempt == 0 { fail(job, entries.filter { !$0.isDelivered }, error) }
        case .each: break  // A part has one decision.
        }
    }

    /// Offers a transaction again after a pause, because it couldn't be delivered.
    mutating func release(_ token: TransactionToken, after seconds: TimeInterval?) {
        if let entry = ledger[token], ledger.wasDelivered(entry.transaction) { return recordDelivery(of: token) }
        guard let releases = ledger.release(token, now: now), let entry = ledger[token] else { return }
        var job = DeliveryStateMachine.Job(id: CallID(), tokens: [token], cause: .unsolicited, origin: .nobody)
        job.attempt = releases - 1
        let key = entry.transaction.deliveryKey
        deliveries.retry(
            job, after: Self.retryPolicy.pause(failures: releases, asked: seconds, because: nil, key: key, now: now))
        startDeliveries()
    }

    private mutating func retry(
        _ job: DeliveryStateMachine.Job, after seconds: TimeInterval?, because answers: [String: DeliveryAnswer]
    ) {
        let unfinished = job.tokens.compactMap { ledger[$0] }.filter { $0.state == .delivering }
        for entry in unfinished { ledger.setState(.retrying, of: entry.transaction.token, now: now) }
        let attempt = job.attempt &+ 1
        let key = unfinished.first?.transaction.deliveryKey ?? ""
        let answer = answers[key]
        var job = job
        // The app's reason may name a person.
        job.lastAnswer = answer ?? DeliveryAnswer(summary: "the app's delivery asked for another attempt")
        let pause = { [now] failures in
            Self.retryPolicy.pause(failures: failures, asked: seconds, because: answer, key: key, now: now)
        }
        let (end, count): (Date?, Int)
        let wasSent = answer?.evidence != .nothingSent
        if !wasSent || (answer?.evidence == .working && !deliveries.serverPostponed(key)) {
            if !wasSent { deliveries.nothingSent() }
            let own = pause(attempt)
            deliveries.retry(job, after: own)
            (end, count) = (own.end, attempt)
        } else {
            let isRequested = seconds.map { $0 >= 0 } ?? false
            let begins = deliveries.retryWithServer(job, isRequested: isRequested, now: now, pause: pause)
            (end, count) = (deliveries.health.pause?.end, begins ? deliveries.health.failures : 0)
        }
        // The first, second, fourth, eighth … failure: an outage of days has few lines.
        let isNotable = count > 0 && count & (count - 1) == 0
        let reason = answer.map { " (\($0.description))" } ?? ""
        let pauseLeft = (max(0, end?.timeIntervalSince(now) ?? 0) * 10).rounded() / 10
        log(
            isNotable ? (wasSent ? .warning : .notice) : .debug,
            "\(StoreTransaction.name(of: unfinished.map(\.transaction))) couldn't be delivered: attempt \(attempt) failed\(reason), the next is in \(pauseLeft) seconds."
        )
    }

    /// Retries delayed deliveries early, because the app has become active or the network is available again.
    mutating func refreshPendingState() {
        ledger.expectReportsAgain()
        deliveries.returned(now: now)
        startDeliveries()
    }

    /// Retries everything that is pending. While the server fails, one purchase probes it.
    mutating func retryDeliveriesNow() {
        deliveries.endPauses()
        startDeliveries()
    }

    private mutating func logEach(
        _ entries: [UnfinishedTransactions.Entry], _ level: StoreLogEvent.Level, _ event: String,
        _ answers: [String: DeliveryAnswer]
    ) {
        for entry in entries {
            let reason = answers[entry.transaction.deliveryKey].map { ": \($0.description)" } ?? ""
            log(level, "\(StoreTransaction.name(of: [entry.transaction])) \(event)\(reason).")
        }
    }

    private mutating func succeed(_ job: DeliveryStateMachine.Job, _ entries: [UnfinishedTransactions.Entry]) {
        let records = entries.map { entry in
            PurchaseRecord(
                transaction: entry.transaction, cause: job.cause, pendingPurchase: entry.pending,
                isPreexisting: job.isPreexisting, isHandledElsewhere: true,
                isRedelivery: job.redeliveries.contains(entry.transaction.token))
        }
        switch job.origin {
        case .purchase(let id):
            let message = "Another observer finished the transaction before it was delivered."
            endPurchase(
                id, records.first.map { .success(.paid($0)) } ?? .failure(StoreError(.transactionRemoved, message)),
                afterFinishing: job.tokens)
        case .restore(let id):
            endRestore(id, delivered: records)
        case .nobody:
            report(records.map { .purchase($0) })
        }
    }

    private mutating func fail(
        _ job: DeliveryStateMachine.Job, _ entries: [UnfinishedTransactions.Entry], _ error: StoreError
    ) {
        switch job.origin {
        case .purchase(let id): endPurchase(id, .failure(error), afterFinishing: job.tokens)
        case .restore(let id): endRestore(id, .failure(error), afterFinishing: job.tokens)
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
