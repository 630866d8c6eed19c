import Dispatch
import Foundation

/// Serializes payments, and performs the decisions about every transaction: which call it answers, who delivers it, and
/// when it is finished.
///
/// The actor is the only consumer of the input queue, which receives the payment queue's events and all calls. State
/// machines decide, and ``RestoreActor`` decides whether a restore may run. The actor performs their actions.
package actor PaymentQueueActor {
    /// The parts of the store that the actor uses.
    struct Surroundings: Sendable {
        let backend: any StoreBackend
        let configuration: StoreConfiguration
        let clock: any StoreClock
        let inputs: InputQueue<PaymentQueueActor>
        let deviceReceipt: DeviceReceipt
        let lifecycle: AppLifecycle
        let history: StoreLogHistory
        /// Returns the products that the customer owns, as the entitlements say.
        let ownedProducts: @Sendable () -> Set<String>
    }

    private nonisolated let store: Surroundings
    /// The log events of the actor. Their destination is the app's code, which may wait for another thread.
    private nonisolated let logEvents = MachineHost<[StoreLogEvent], StoreLogEvent>([])
    private let restores = RestoreActor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { restores.unownedExecutor }
    private var machine: StoreStateMachine
    private var events = StoreEvents()
    /// Remembers deliveries across launches, if the app wants that.
    private let recorder: DeliveryRecorder?
    private var delivery: InstalledDelivery
    private var replies = StoreReplies()
    private var timers: StoreTimers

    init(_ store: Surroundings) {
        self.store = store
        let configuration = store.configuration
        recorder = configuration.deliveryLedger.map(DeliveryRecorder.init)
        delivery = InstalledDelivery(store: store)
        timers = StoreTimers(clock: store.clock, inputs: store.inputs)
        let timeouts = StoreStateMachine.Timeouts(
            payment: configuration.paymentResponseTimeout ?? store.backend.usualPaymentResponseTimeout,
            preexistingAnswer: configuration.preexistingTransactionDelay, restore: configuration.restoreTimeout)
        machine = StoreStateMachine(mode: configuration.mode, timeouts: timeouts, now: store.clock.now)
        machine.answers.waitsForFinish = !store.backend.finishesImmediately
        machine.ledger.earlierDeliveries.deliveredElsewhere =
            configuration.deliveryLedger?.deliveredTransactionIDs ?? []
        machine.ledger.earlierDeliveries.deliveredBefore = configuration.deliveryLedger?.deliveredBefore
    }

    private func log(_ level: StoreLogEvent.Level, _ message: String) {
        enqueueLog(StoreLogEvent(level, message))
    }

    /// Has an event logged when the actor is free.
    private nonisolated func enqueueLog(_ event: StoreLogEvent) {
        store.clock.storeWork?.begin(.task)
        logEvents.withLock { $0.append(event) }
    }
}

extension PaymentQueueActor: InputConsumer {
    typealias Input = StoreInput

    func takeInputs(_ next: () -> StoreInput?) {
        recorder?.load(into: &machine, log: enqueueLog)
        while let input = next() {
            machine.now = store.clock.now
            input.run(self)
            performActions()
            machine.events.forEach { events.all.send($0) }
            machine.events.removeAll(keepingCapacity: true)
            machine.ledger.takeDeliveryEnds().forEach { events.deliveryEnds.send($0) }
            if !replies.diagnostics.isEmpty { answerDiagnosticsWaiters() }
        }
    }

    func inputsEnded() { close(with: .storeClosed) }

    nonisolated func didTakeInputs() {
        logEvents.update { events in
            defer { events = [] }
            return events
        } perform: { event in
            store.configuration.log(event)
            store.clock.storeWork?.end(.task)
        }
    }
}

// Inputs.
extension PaymentQueueActor {
    func change(_ change: (inout StoreStateMachine) -> Void) { change(&machine) }

    func purchase(_ id: CallID, _ call: PaymentStateMachine.Call, _ reply: @escaping Reply<PurchaseResponse>) {
        replies.purchases[id] = reply
        machine.purchase(id, call)
    }

    func cancelRestore(_ id: CallID) { machine.cancelRestore(id, restores.ask { $0.stateMachine.cancel(id) }) }

    /// Answers when the transactions of the launch have been reported.
    func awaitInitialTransactions(_ id: CallID, _ reply: @escaping Reply<Void>) {
        machine.answerKnowingInitialTransactions(replies.keep(reply, as: id))
    }

    func finish(_ token: TransactionToken, _ reply: @escaping Reply<Void>) {
        machine.finish(token, for: replies.keep(reply))
    }

    /// The closure of a call has returned.
    func closureReturned(_ tokens: [TransactionToken], _ reply: @escaping Reply<Void>) {
        machine.closureEnded(tokens, delivered: true)
        machine.answer(replies.keep(reply), afterFinishing: tokens)
    }

    func install(_ delivery: any PurchaseDelivery) {
        self.delivery.installed = delivery
        machine.deliveryInstalled()
    }

    func controlDownloads(_ command: DownloadCommand, _ ids: [StoreDownload.ID], _ reply: @escaping Reply<Void>) {
        machine.answer(replies.keep(reply), machine.control(command, ids))
    }

    /// Answers when the diagnostics satisfy a condition.
    func awaitDiagnostics(
        _ isWanted: @escaping @Sendable (StoreDiagnostics) -> Bool, _ reply: @escaping Reply<StoreDiagnostics>
    ) {
        replies.diagnostics.append(StoreReplies.Diagnostics(isWanted: isWanted, reply: reply))
    }

    func unsubscribe(_ id: CallID) { events.unsubscribe(id) }

    /// Takes an event of the payment queue.
    func process(_ event: QueueEvent) {
        switch event {
        case .updatedTransactions(let batch):
            addRestoredRows(machine.transactionsReported(batch, during: phase(for: batch)))
        case .unsolicitedTransactions(let batch):
            machine.unsolicitedReported(batch)
        case .restoredTransactions(let rows):
            addRestoredRows(machine.restoredReported(rows, during: restores.ask { $0.stateMachine.phase }))
        case .answeredPayment(let id, let transaction, let isPreexisting):
            machine.paymentAnswered(id, with: transaction, isPreexisting: isPreexisting)
        case .initialTransactionsReported: machine.initialTransactionsReported()
        case .removedTransactions(let tokens): machine.remove(tokens)
        case .unlistedTransactions(let tokens): machine.removeUnlisted(tokens)
        case .nothingToFinish(let token): machine.warnAboutLostFinish(of: token)
        case .restoreFinished:
            machine.restoreEnded(
                restores.ask { $0.stateMachine.restoreEnded() }, owned: store.ownedProducts(), failure: nil)
        case .restoreFailed(let error):
            machine.restoreEnded(restores.ask { $0.stateMachine.restoreEnded() }, failure: error)
        case .storefrontChanged: events.storefronts.send(store.backend.storefront)
        case .updatedDownloads(let downloads):
            events.downloads.send(downloads)
            machine.downloadsChanged(downloads)
        case .revokedEntitlements(let revocation):
            machine.recordRevocation(revocation)
            events.revocations.send(revocation)
        // A later revocation of the purchase is an event again.
        case .reinstatedTransactions(let batch): batch.forEach { machine.ledger.revocationReversed(of: $0) }
        case .upgradedTransaction(let transaction): machine.recordUpgrade(transaction)
        // The entitlement monitor receives the event directly.
        case .entitlementsMayHaveChanged: break
        case .promotedPayment(let promotion):
            machine.paymentPromoted(promotion)
            events.purchaseIntents.send(promotion)
        case .message(let message): events.messages.send(message)
        case .terminated(let error):
            machine.termination = error
            log(.warning, "The payment queue has ended: \(error.message)")
            close(with: error)
        }
    }

    /// Returns the phase of the restore that may have brought some of these transactions.
    private func phase(for batch: [StoreTransaction]) -> RestoreStateMachine.Phase {
        batch.contains { $0.state == .restored } ? restores.ask { $0.stateMachine.phase } : .idle
    }

    private func addRestoredRows(_ rows: [StoreTransaction]) {
        if !rows.isEmpty { restores.ask { $0.stateMachine.rowsReported(rows) } }
    }

    func restore(
        _ id: CallID, _ call: StoreStateMachine.RestoreCall, _ reply: @escaping Reply<RestoreResponse>
    ) {
        if let termination = machine.termination { return reply(.failure(termination)) }
        guard restores.ask({ $0.stateMachine.restoreRequested(id) }) else {
            let message = "Another restore is running; wait for its end, or share its result."
            return reply(.failure(StoreError(.restoreInProgress, message)))
        }
        replies.restores[id] = reply
        machine.restoreStarted(id, call)
    }

    /// Erases the data about an account, or everything, in memory and in the delivery ledger.
    func erase(_ account: String?, _ reply: Reply<Void>) {
        machine.ledger.eraseContexts(of: account)
        do throws(StoreError) {
            try recorder?.erase(account, from: &machine, log: enqueueLog)
            reply(.success(()))
        } catch {
            reply(.failure(error))
        }
    }

    func subscribe(_ subscription: EventSubscription) {
        guard machine.termination == nil else { return subscription.finish() }
        var returnedToCaller: [StoreTransaction] = []
        let outstanding = OutstandingPurchases(
            purchases: { [machine] in
                returnedToCaller = machine.outstandingPurchases.map(\.transaction)
                return machine.outstandingPurchases
            },
            batch: { [machine] in
                returnedToCaller = machine.outstandingBatch.map(\.transaction)
                return machine.outstandingBatch
            },
            pending: { [machine] in machine.pendingPurchases })
        events.subscribe(subscription, outstanding)
        // Filled if the subscription has called one of the first two closures.
        for transaction in returnedToCaller { machine.ledger.markReceived(transaction) }
        // Not earlier: the system presents messages while the app doesn't observe them.
        if !events.messages.isEmpty { store.backend.sheets?.startObservingMessages() }
    }

    /// Takes the end of a timer.
    /// - Parameter id: The identifier of the timer's run.
    func fire(_ timer: StoreTimer, _ id: CallID) {
        guard timers.fire(timer, id) else { return }
        machine.fire(timer)
        guard case .restoreInactivity(let restore) = timer else { return }
        let message = "The restore timed out after \(store.configuration.restoreTimeout) seconds without a response."
        machine.restoreEnded(restores.ask { $0.stateMachine.timeOut(restore) }, failure: StoreError(.timedOut, message))
    }
}

// Actions.
extension PaymentQueueActor {
    private func performActions() {
        // Written before any of these transactions is finished.
        recorder?.record(from: &machine, log: enqueueLog)
        guard !machine.actions.isEmpty else { return }
        var next = 0
        // By index: an action that fails, such as a submission, adds further actions.
        while next < machine.actions.count {
            perform(machine.actions[next])
            next += 1
        }
        machine.actions.removeAll(keepingCapacity: true)
    }

    private func perform(_ action: StoreAction) {
        switch action {
        case .submit(let payment): submit(payment)
        case .release(let id): store.backend.release(id)
        case .finish(let token): finish(token)
        case .respond(let id, let result):
            if case .success(.paid(let record)) = result { machine.watchUnfinished(record) }
            replies.purchases.removeValue(forKey: id)?(result)
        case .respondToRestore(let id, let result): replies.restores.removeValue(forKey: id)?(result)
        case .answer(let id, let error): replies.answer(id, error)
        case .startRestore(let username): startRestore(username)
        case .forget(let tokens): store.backend.forget(tokens)
        case .returnBackgroundTime(let id): delivery.returnTime(of: id)
        case .deliver(let job, let records): delivery.start(job, records)
        case .report(let reports): send(reports)
        case .sendPendingPurchases(let pending): events.pendingPurchases.send(pending)
        case .control(let command, let ids): store.backend.hostedContent?.control(command, ids)
        case .start(let timer, let seconds): timers.start(timer, seconds: seconds, now: machine.now)
        case .stop(let timer): timers.stop(timer)
        case .log(let event): enqueueLog(event)
        }
    }

    /// Sends the subscribers the transactions that don't answer a call.
    private func send(_ reports: [StoreReport]) {
        for report in reports {
            if events.isReceived(report), let transaction = report.record?.transaction {
                machine.ledger.markReceived(transaction)
            }
            if case .purchase(let record) = report { machine.watchUnfinished(record) }
        }
        events.send(reports)
    }

    private func submit(_ payment: PaymentStateMachine.Submitted) {
        // The failure of the payment before may have started this one.
        recorder?.record(from: &machine, log: enqueueLog)
        machine.willSubmit(payment, mark: store.backend.newestToken())
        if let anchor = payment.request.options.anchor, anchor.isGone {
            log(.warning, "The anchor for the purchase of \"\(payment.request.productID)\" was deallocated.")
        }
        do {
            try store.backend.submit(payment.request, as: payment.id)
            machine.submissionSucceeded(payment)
        } catch {
            machine.submissionFailed(payment, error)
        }
    }

    private func startRestore(_ applicationUsername: String?) {
        do {
            try store.backend.restoreCompletedTransactions(applicationUsername: applicationUsername)
        } catch {
            machine.restoreEnded(restores.ask { $0.stateMachine.restoreEnded() }, failure: error)
        }
    }

    private func finish(_ token: TransactionToken) {
        guard !store.backend.finishesImmediately else { return store.backend.finish(token) {} }
        store.lifecycle.deliveryBegan()
        store.backend.finish(token) { [store] in
            store.inputs.enqueue(.change { $0.finished(token) })
            store.lifecycle.deliveryEnded()
        }
    }

    /// Answers all waiting calls with an error, and ends all streams. Doesn't finish any transaction.
    private func close(with error: StoreError) {
        timers.stopAll()
        delivery.cancelAll()
        machine.releaseAnswers()
        performActions()
        let waiting = replies
        replies = StoreReplies()
        waiting.close(with: error)
        events.finish()
    }

    private var diagnostics: StoreDiagnostics {
        var diagnostics = machine.diagnostics(
            isRestoring: restores.ask { $0.stateMachine.phase } != .idle, ledgerError: recorder?.failure)
        diagnostics.recentEvents = store.history.events
        return diagnostics
    }

    /// Answers the tasks that wait for the current state of the store.
    private func answerDiagnosticsWaiters() {
        let diagnostics = diagnostics
        replies.diagnostics.removeAll { waiter in
            guard waiter.isWanted(diagnostics) else { return false }
            waiter.reply(.success(diagnostics))
            return true
        }
    }
}
