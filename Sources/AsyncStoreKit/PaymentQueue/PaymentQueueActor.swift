import Dispatch
import Foundation

/// Serializes payments, and performs the decisions about every transaction: which call it answers, who delivers it, and
/// when it is finished.
///
/// The actor is the only consumer of the input queue, which receives the payment queue's events and all calls. State
/// machines decide, and ``RestoreActor`` decides whether a restore may run. The actor performs their actions.
package actor PaymentQueueActor {
    private let backend: any StoreBackend
    private nonisolated let configuration: StoreConfiguration
    private let history: StoreLogHistory
    private let clock: any StoreClock
    private let inputs: InputQueue<PaymentQueueActor>
    private nonisolated let work: (any StoreWork)?
    private let deviceReceipt: DeviceReceipt
    private let lifecycle: AppLifecycle
    /// The log events of the actor. Their destination is the app's code, which may wait for another thread.
    private nonisolated let logEvents = MachineHost<[StoreLogEvent], StoreLogEvent>([])

    private let restores = RestoreActor()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { restores.unownedExecutor }
    private var machine: StoreStateMachine
    private var events = StoreEvents()
    private var eventRecorder = EventRecorder()
    private var delivery: (any PurchaseDelivery)?
    /// Remembers deliveries across launches, if the app wants that.
    private let recorder: DeliveryRecorder?
    /// Returns the products that the customer owns, as the entitlements say.
    private let ownedProducts: @Sendable () -> Set<String>
    private var replies = StoreReplies()
    /// The tasks that wait until the store is in a certain state.
    private var diagnosticsWaiters: [DiagnosticsWaiter] = []
    private var timers: StoreTimers
    private var deliveryTasks = [CallID: Task<Void, Never>]()

    init(
        backend: any StoreBackend, configuration: StoreConfiguration, clock: any StoreClock,
        inputs: InputQueue<PaymentQueueActor>,
        deviceReceipt: DeviceReceipt, lifecycle: AppLifecycle, history: StoreLogHistory,
        ownedProducts: @escaping @Sendable () -> Set<String>
    ) {
        self.ownedProducts = ownedProducts
        self.history = history
        self.backend = backend
        self.configuration = configuration
        self.clock = clock
        self.inputs = inputs
        self.deviceReceipt = deviceReceipt
        self.lifecycle = lifecycle
        recorder = configuration.deliveryLedger.map(DeliveryRecorder.init)
        work = clock.storeWork
        timers = StoreTimers(clock: clock, inputs: inputs)
        let timeouts = StoreStateMachine.Timeouts(
            payment: configuration.paymentResponseTimeout ?? backend.usualPaymentResponseTimeout,
            preexistingAnswer: configuration.preexistingTransactionDelay, restore: configuration.restoreTimeout)
        machine = StoreStateMachine(mode: configuration.mode, timeouts: timeouts, now: clock.now)
        machine.waitsForFinish = !backend.finishesImmediately
        machine.ledger.earlierDeliveries.deliveredElsewhere =
            configuration.deliveryLedger?.deliveredTransactionIDs ?? []
        machine.ledger.earlierDeliveries.deliveredBefore = configuration.deliveryLedger?.deliveredBefore
    }

    private func log(_ level: StoreLogEvent.Level, _ message: String) {
        enqueueLog(StoreLogEvent(level, message))
    }

    /// Has an event logged when the actor is free.
    private nonisolated func enqueueLog(_ event: StoreLogEvent) {
        work?.begin(.task)
        logEvents.withLock { $0.append(event) }
    }
}

extension PaymentQueueActor: InputConsumer {
    typealias Input = StoreInput

    func takeInputs(_ next: () -> StoreInput?) {
        recorder?.load(into: &machine, log: enqueueLog)
        while let input = next() {
            machine.now = clock.now
            eventRecorder.inputTaken(input, at: machine.now)
            process(input)
            performActions()
            for event in eventRecorder.takeEvents() { events.all.send(event) }
            if !diagnosticsWaiters.isEmpty { answerDiagnosticsWaiters() }
        }
    }

    func inputsEnded() { close(with: .storeClosed) }

    nonisolated func didTakeInputs() {
        logEvents.update { events in
            defer { events = [] }
            return events
        } perform: { event in
            configuration.log(event)
            work?.end(.task)
        }
    }
}

// Inputs.
extension PaymentQueueActor {
    private func process(_ input: StoreInput) {
        switch input {
        case .event(let event): process(event)
        case .purchase(let id, let call, let reply):
            replies.purchases[id] = reply
            machine.purchase(id, call)
        case .restore(let id, let call, let reply): restore(id, call, reply)
        case .cancelRestore(let id): machine.cancelRestore(id, restores.ask { $0.cancel(id) })
        case .awaitInitialTransactions(let id, let reply):
            machine.answerKnowingInitialTransactions(replies.keep(reply, as: id))
        case .finish(let token, let reply):
            machine.finish(token, for: replies.keep(reply), newest: backend.newestToken())
        case .closureEnded(let tokens, let delivered, let reply):
            machine.closureEnded(tokens, delivered: delivered)
            if let reply { machine.answer(replies.keep(reply), afterFinishing: tokens) }
        case .finished(let token): machine.finished(token)
        case .installDelivery(let delivery):
            self.delivery = delivery
            machine.deliveryInstalled()
        case .deliveryEnded(let id, let decision, let answers):
            machine.deliveryEnded(id, decision, because: answers)
        case .erase(let account, let reply): erase(account, reply)
        case .timer(let timer, let id): fire(timer, id)
        case .subscribe(let subscription): subscribe(subscription)
        case .unsubscribe(let id): events.unsubscribe(id)
        case .controlDownloads(let command, let ids, let reply):
            let result = machine.control(command, ids, newest: backend.newestToken())
            machine.answer(replies.keep(reply), result)
        case .awaitDiagnostics(let waiter): diagnosticsWaiters.append(waiter)
        case .change(let change): change(&machine)
        }
    }

    private func process(_ event: QueueEvent) {
        switch event {
        case .updatedTransactions(let batch):
            addRestoredRows(machine.transactionsReported(batch, during: phase(for: batch)))
        case .unsolicitedTransactions(let batch):
            machine.unsolicitedReported(batch)
        case .restoredTransactions(let rows):
            addRestoredRows(machine.restoredReported(rows, during: restores.ask { $0.phase }))
        case .answeredPayment(let id, let transaction, let isPreexisting):
            machine.paymentAnswered(id, with: transaction, isPreexisting: isPreexisting)
        case .initialTransactionsReported: machine.initialTransactionsReported()
        case .removedTransactions(let tokens): machine.remove(tokens)
        case .unlistedTransactions(let tokens): machine.removeUnlisted(tokens)
        case .nothingToFinish(let token): machine.warnAboutLostFinish(of: token)
        case .restoreFinished:
            machine.restoreEnded(restores.ask { $0.restoreEnded() }, owned: ownedProducts(), failure: nil)
        case .restoreFailed(let error): machine.restoreEnded(restores.ask { $0.restoreEnded() }, failure: error)
        case .storefrontChanged: events.storefronts.send(backend.storefront)
        case .updatedDownloads(let downloads):
            events.downloads.send(downloads)
            machine.downloadsChanged(downloads)
        case .revokedEntitlements(let revocation): events.revocations.send(revocation)
        // The entitlement monitor receives the events directly.
        case .entitlementsMayHaveChanged, .reinstatedTransactions, .upgradedTransaction: break
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
        batch.contains { $0.state == .restored } ? restores.ask { $0.phase } : .idle
    }

    private func addRestoredRows(_ rows: [StoreTransaction]) {
        if !rows.isEmpty { restores.ask { $0.rowsReported(rows) } }
    }

    private func restore(
        _ id: CallID, _ call: StoreStateMachine.RestoreCall, _ reply: @escaping Reply<RestoreResponse>
    ) {
        if let termination = machine.termination { return reply(.failure(termination)) }
        guard restores.ask({ $0.restoreRequested(id) }) else {
            let message = "Another restore is running; wait for its end, or share its result."
            return reply(.failure(StoreError(.restoreInProgress, message)))
        }
        replies.restores[id] = reply
        machine.restoreStarted(id, call)
    }

    private func erase(_ account: String?, _ reply: Reply<Void>) {
        machine.eraseContexts(of: account)
        do throws(StoreError) {
            try recorder?.erase(account, from: &machine, log: enqueueLog)
            reply(.success(()))
        } catch {
            reply(.failure(error))
        }
    }

    private func subscribe(_ subscription: EventSubscription) {
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
        for transaction in returnedToCaller { machine.purchaseSent(transaction) }
        // Not earlier: the system presents messages while the app doesn't observe them.
        if !events.messages.isEmpty { backend.sheets?.startObservingMessages() }
    }

    private func fire(_ timer: StoreTimer, _ id: CallID) {
        guard timers.fire(timer, id) else { return }
        machine.fire(timer)
        guard case .restoreInactivity(let restore) = timer else { return }
        let message = "The restore timed out after \(configuration.restoreTimeout) seconds without a response."
        machine.restoreEnded(restores.ask { $0.timeOut(restore) }, failure: StoreError(.timedOut, message))
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
            eventRecorder.actionPerformed(machine.actions[next])
            perform(machine.actions[next])
            next += 1
        }
        machine.actions.removeAll(keepingCapacity: true)
    }

    private func perform(_ action: StoreAction) {
        switch action {
        case .submit(let payment): submit(payment)
        case .release(let id): backend.release(id)
        case .finish(let token): finish(token)
        case .respond(let id, let result):
            if case .success(.paid(let record)) = result { machine.watchUnfinished(record) }
            replies.purchases.removeValue(forKey: id)?(result)
        case .respondToRestore(let id, let result): replies.restores.removeValue(forKey: id)?(result)
        case .answer(let id, let error): replies.answer(id, error)
        case .startRestore(let username): startRestore(username)
        case .forget(let tokens): backend.forget(tokens)
        case .returnBackgroundTime(let id):
            if deliveryTasks.removeValue(forKey: id) != nil { lifecycle.deliveryEnded() }
        case .deliver(let job, let records): deliver(job, records)
        case .report(let reports): send(reports)
        case .sendPendingPurchases(let pending): events.pendingPurchases.send(pending)
        case .control(let command, let ids): backend.hostedContent?.control(command, ids)
        case .start(let timer, let seconds): timers.start(timer, seconds: seconds, now: machine.now)
        case .stop(let timer): timers.stop(timer)
        case .log(let event): enqueueLog(event)
        }
    }

    /// Sends the subscribers the transactions that don't answer a call.
    private func send(_ reports: [StoreReport]) {
        for report in reports {
            if events.isReceived(report), let transaction = report.record?.transaction {
                machine.purchaseSent(transaction)
            }
            if case .purchase(let record) = report { machine.watchUnfinished(record) }
        }
        events.send(reports)
    }

    private func submit(_ payment: PaymentStateMachine.Submitted) {
        machine.willSubmit(payment, mark: backend.newestToken())
        if let anchor = payment.request.options.anchor, anchor.isGone {
            log(.warning, "The anchor for the purchase of \"\(payment.request.productID)\" was deallocated.")
        }
        do {
            try backend.submit(payment.request, as: payment.id)
            machine.submissionSucceeded(payment)
        } catch {
            machine.submissionFailed(payment, error)
        }
    }

    private func startRestore(_ applicationUsername: String?) {
        do {
            try backend.restoreCompletedTransactions(applicationUsername: applicationUsername)
        } catch {
            machine.restoreEnded(restores.ask { $0.restoreEnded() }, failure: error)
        }
    }

    private func finish(_ token: TransactionToken) {
        guard !backend.finishesImmediately else { return backend.finish(token) {} }
        lifecycle.deliveryBegan()
        backend.finish(token) { [inputs, lifecycle] in
            inputs.enqueue(.finished(token))
            lifecycle.deliveryEnded()
        }
    }

    private func deliver(_ job: DeliveryStateMachine.Job, _ records: [PurchaseRecord]) {
        guard let delivery else { return }
        lifecycle.deliveryBegan()
        deliveryTasks[job.id] = work.task(.delivery) { [inputs, deviceReceipt] in
            guard !Task.isCancelled else { return }
            let request = DeliveryRequest(
                purchases: records.map { StorePurchase($0, owner: nil) }, cause: job.cause, attempt: job.attempt,
                lastStatus: job.lastAnswer?.status, deviceReceipt: deviceReceipt)
            let keys = Set(records.map(\.transaction.deliveryKey))
            let decision = await EnclosingDelivery.$keys.withValue(keys) { await delivery.deliver(request) }
            // Ignored after the store was closed: the delivery may depend on calls that failed because of it.
            guard !Task.isCancelled else { return }
            inputs.enqueue(.deliveryEnded(job.id, decision, request.journal.answers))
        }
    }

    /// Answers all waiting calls with an error, and ends all streams. Doesn't finish any transaction.
    private func close(with error: StoreError) {
        timers.stopAll()
        for task in deliveryTasks.values {
            task.cancel()
            lifecycle.deliveryEnded()
        }
        deliveryTasks = [:]
        machine.releaseAnswers()
        performActions()
        let waiting = replies
        replies = StoreReplies()
        waiting.close(with: error)
        diagnosticsWaiters.forEach { $0.reply(.failure(error)) }
        diagnosticsWaiters = []
        events.finish()
    }

    private var diagnostics: StoreDiagnostics {
        var diagnostics = machine.diagnostics(
            isRestoring: restores.ask { $0.phase } != .idle, ledgerError: recorder?.failure)
        diagnostics.recentEvents = history.events
        return diagnostics
    }

    /// Answers the tasks that wait for the current state of the store.
    private func answerDiagnosticsWaiters() {
        let diagnostics = diagnostics
        diagnosticsWaiters.removeAll { waiter in
            guard waiter.isWanted(diagnostics) else { return false }
            waiter.reply(.success(diagnostics))
            return true
        }
    }
}
