import Foundation
import TestHarness

@testable import AsyncStoreKit

// Performs and checks the store's actions.
extension StoreModel {
    mutating func perform() throws(BrokenPromise) {
        var next = 0
        while next < store.actions.count {
            try perform(store.actions[next])
            next += 1
        }
        store.actions.removeAll(keepingCapacity: true)
        store.events.removeAll(keepingCapacity: true)
        try promise(told == store.pendingPurchases, "the pending purchases have changed without an action")
    }

    private mutating func perform(_ action: StoreAction) throws(BrokenPromise) {
        switch action {
        case .submit(let payment): try submit(payment)
        case .finish(let token): try finish(token)
        case .respond(let id, let result): try respond(id, result)
        case .respondToRestore(let id, let result): try respond(id, result)
        case .deliver(let job, let records):
            for record in records { try beginDelivery(of: record, for: job.id) }
            deliveries.append(Delivery(id: job.id, transactions: records.map(\.transaction)))
        case .report(let reports):
            for case .purchase(let record) in reports where !record.isHandledElsewhere { try offer(record) }
        case .start(let timer, let seconds):
            timers.removeAll { $0.timer == timer }
            timers.append((timer, store.now + seconds))
        case .stop(let timer):
            try promise(timers.contains { $0.timer == timer }, "a timer was stopped that isn't running")
            timers.removeAll { $0.timer == timer }
        case .sendPendingPurchases(let pending): told = pending
        case .control, .release, .log, .answer, .startRestore, .forget, .returnBackgroundTime: break
        }
    }

    private mutating func offer(_ record: PurchaseRecord) throws(BrokenPromise) {
        try promise(record.transaction.holdsContent, "an unpaid transaction was offered")
        try markReceived(record)
        store.ledger.markReceived(record.transaction)
        if let index = index(of: record.transaction.token) { entries[index].isOffered = true }
    }

    private mutating func submit(_ payment: PaymentStateMachine.Submitted) throws(BrokenPromise) {
        guard let index = calls.firstIndex(where: { $0.id == payment.id }) else {
            throw BrokenPromise(message: "a payment without a call")
        }
        try promise(
            !calls[index].isAnswered && calls[index].submittedAt == nil,
            "a payment was submitted twice, or without a call")
        for other in store.payments.submitted where other.id != payment.id {
            let silence = store.now.timeIntervalSince(other.lastResponse)
            let isSame = other.request.productID == payment.request.productID
            try promise(silence >= (isSame ? 300 : 30), "a payment was submitted beside one that isn't silent")
        }
        calls[index].submittedAt = store.now
        payments.append(Payment(call: index, product: payment.request.productID))
        store.willSubmit(payment, mark: .entry(lastSerial))
        store.submissionSucceeded(payment)
    }

    private mutating func finish(_ token: TransactionToken) throws(BrokenPromise) {
        // Another observer may have finished the entry in the meantime.
        guard let index = index(of: token) else { return }
        let entry = entries[index]
        switch entry.transaction.state {
        case .purchasing, .deferred: throw BrokenPromise(message: "\(entry.transaction) was finished")
        case .failed: break
        case .purchased, .restored:
            let isDelivered = delivered.contains(entry.transaction.deliveryKey)
            try promise(isDelivered, "\(entry.transaction) was finished before it was delivered")
        }
        entries[index].isFinishing = true
    }

    private mutating func answer(_ id: CallID) throws(BrokenPromise) -> Call {
        guard let index = calls.firstIndex(where: { $0.id == id }) else {
            throw BrokenPromise(message: "an unknown call was answered")
        }
        try promise(!calls[index].isAnswered, "a call was answered twice")
        calls[index].isAnswered = true
        return calls[index]
    }

    private mutating func respond(_ id: CallID, _ result: PaymentResult) throws(BrokenPromise) {
        let call = try answer(id)
        let hasTimer = timers.contains { $0.timer == .paymentTimeout(id) || $0.timer == .preexistingAnswer(id) }
        try promise(!hasTimer, "a timer of a call still runs after its answer")
        switch result {
        case .success(.paid(let record)):
            try promise(!call.isCancelled, "a canceled call was answered with a purchase")
            try promise(
                record.transaction.productID == call.purchase?.product, "a call was answered with another product")
            guard record.isHandledElsewhere else { return try hand(record, to: call) }
            let isWaiting = store.deliveries.isWaiting(record.transaction.token)
            try promise(!isWaiting, "a call was told that a purchase is handled whose delivery waits")
        case .success(.pending(let pending, _)):
            try promise(pending.productID == call.purchase?.product, "a call received another pending purchase")
        case .success(.userCancelled): break
        case .failure(let error):
            try promise((error.code == .taskCancelled) == call.isCancelled, "a call failed with \(error)")
        }
    }

    private mutating func respond(_ id: CallID, _ result: RestoreResult) throws(BrokenPromise) {
        let call = try answer(id)
        switch result {
        case .success(let response):
            try promise(!call.isCancelled, "a canceled call was answered with a restore")
            for record in response.records where !record.isHandledElsewhere { try hand(record, to: call) }
        case .failure(let error):
            try promise((error.code == .taskCancelled) == call.isCancelled, "a restore failed with \(error)")
        }
    }

    /// A call without a closure delivers its purchases at any time; one with a closure at once.
    private mutating func hand(_ record: PurchaseRecord, to call: Call) throws(BrokenPromise) {
        switch call.style {
        case .closure:
            try beginDelivery(of: record, for: call.id)
            closures.append(Closure(call: call.id, transaction: record.transaction))
        case .plain:
            try markReceived(record)
            if let index = index(of: record.transaction.token) { entries[index].wasReceived = true }
        }
    }

    private mutating func beginDelivery(of record: PurchaseRecord, for id: CallID) throws(BrokenPromise) {
        let key = record.transaction.deliveryKey
        // A call delivers one purchase at a time.
        let isClosureRunning = closures.contains { $0.call != id && $0.transaction.deliveryKey == key }
        let isDeliveryRunning = deliveries.contains { $0.transactions.contains { $0.deliveryKey == key } }
        try promise(!isClosureRunning && !isDeliveryRunning, "a purchase is delivered twice at once")
        try markReceived(record)
    }

    /// A delivered purchase is delivered again only in a restore.
    private mutating func markReceived(_ record: PurchaseRecord) throws(BrokenPromise) {
        let key = record.transaction.deliveryKey
        try promise(record.transaction.holdsContent, "an unpaid transaction is delivered")
        try promise(!delivered.contains(key) || record.cause == .restored, "a delivered purchase is delivered again")
        let isRedelivery = !returnedToCaller.insert(key).inserted
        try promise(record.isRedelivery == isRedelivery, "isRedelivery isn't \(isRedelivery)")
    }
}

// Promises that hold after every input.
extension StoreModel {
    func check() throws(BrokenPromise) {
        if store.payments.submitted.isEmpty {
            try promise(store.payments.waitingCount == 0, "a call waits although the slot is free")
        }
        if store.payments.waitingCount > 0 {
            try promise(timers.contains { $0.timer == .paymentSilence }, "no timer gives the slot to a waiting call")
        }
        for entry in entries where entry.transaction.holdsContent && !entry.isFinishing { try checkState(of: entry) }
    }

    /// Checks the state of a paid, unfinished transaction.
    private func checkState(of entry: Entry) throws(BrokenPromise) {
        let token = entry.transaction.token
        guard let state = store.ledger[token]?.state else {
            throw BrokenPromise(message: "\(token) is not in the ledger")
        }
        switch state {
        case .open:
            let siblings = entries.filter { $0.transaction.deliveryKey == entry.transaction.deliveryKey }
            let isBeingDelivered = store.ledger.isBeingDelivered(entry.transaction)
            let hasActive = siblings.contains { store.ledger[$0.transaction.token]?.state != .open }
            try promise(isBeingDelivered || hasActive, "\(token) waits for no other entry")
        case .offered: try promise(entry.isOffered, "\(token) was never offered")
        case .withCaller: try promise(entry.wasReceived, "\(token) was never delivered")
        case .delivering:
            let isDelivered =
                closures.contains { $0.token == token } || deliveries.contains { $0.tokens.contains(token) }
            let isAwaited = rows.contains(token) || !store.restores.waiting.isEmpty || store.deliveries.hasWork
            try promise(isDelivered || isAwaited, "no delivery has \(token)")
        case .retrying:
            let hasTimer = timers.contains { $0.timer == .deliveryRetry }
            try promise(hasTimer || store.deliveries.hasWork, "no timer tries \(token) again")
        case .downloading: throw BrokenPromise(message: "\(token) has no downloads")
        case .finished: throw BrokenPromise(message: "the queue wasn't asked to finish \(token)")
        }
    }
}
