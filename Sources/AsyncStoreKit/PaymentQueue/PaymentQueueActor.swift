import Foundation

/// Serialises payments, and decides about every transaction: whose answer it is, who delivers it, when it is finished.
///
/// It is the one consumer of the one channel into which the queue's events and all calls go. What is decided stands in the
/// state machines; this shell carries it out.
package actor PaymentQueueActor {
    let backend: any StoreBackend
    let configuration: StoreConfiguration
    let mailbox: InputQueue<StoreInput>
    lazy var restores = RestoreActor(executor: unownedExecutor)
    let refreshReceipt: ReceiptRefresh

    var mode: StoreMode
    var delivery: (any PurchaseDelivery)?
    var payments = PaymentStateMachine()
    var ledger = TransactionLedger()
    var deliveries = DeliveryStateMachine()
    var purchaseWaiters: [CallID: PurchaseWaiter] = [:]
    var restoreWaiters: [CallID: RestoreWaiter] = [:]
    var transactions = Broadcast<TransactionRecord>()
    var failures = Broadcast<PurchaseFailure>()
    /// Everything of one of the queue's batches that answered no call, together.
    var batches = Broadcast<[TransactionRecord]>()
    /// Failures that nobody has been there to hear of.
    var unheardFailures: [PurchaseFailure] = []
    var announcements = QueueAnnouncements()
    var promotions = PromotionStateMachine()
    /// Who waits until the store is in a certain state.
    var diagnosticsWaiters: [DiagnosticsWaiter] = []
    /// Who waits for hosted content.
    var contentWaiters: [CallID: HostedContentWaiter] = [:]
    var timers: [StoreTimer: Task<Void, Never>] = [:]
    var deliveryTasks: [CallID: Task<Void, Never>] = [:]
    /// Why nothing can be asked of the queue any more.
    var termination: StoreError?

    init(
        backend: any StoreBackend, configuration: StoreConfiguration, mailbox: InputQueue<StoreInput>, refreshReceipt: ReceiptRefresh
    ) {
        self.refreshReceipt = refreshReceipt
        self.backend = backend
        self.configuration = configuration
        self.mailbox = mailbox
        mode = configuration.mode
    }

    var now: Date { configuration.clock.now }

    func log(_ level: StoreLogEvent.Level, _ message: @autoclosure () -> String) {
        configuration.log(StoreLogEvent(level, message()))
    }

    /// Takes whatever comes, until the store is closed.
    func run() async {
        for await _ in mailbox.bell { attend() }
        attend()
        close(with: .storeClosed)
    }

    /// Takes one input after the other, as long as there are any.
    /// - Parameter isAnswered: Tells when a caller who attends has what it came for. It may go then, but not before it has
    ///   done some of the others' work: calling somebody for what is left costs more than to take it.
    // Never inlined: a task that waits has room for everything in its asynchronous functions.
    @inline(never)
    func attend(until isAnswered: () -> Bool = { false }) {
        mailbox.attend()
        var taken = 0
        while let input = mailbox.next() {
            take(input)
            if !diagnosticsWaiters.isEmpty { answerDiagnosticsWaiters() }
            taken &+= 1
            if taken >= 1_000, isAnswered() { return mailbox.leave() }
        }
    }

    private func take(_ input: StoreInput) {
        switch input {
        case .event(let event): receive(event)
        case .reservePayment(let id): payments.reserve(id)
        case .withdrawPayment(let id): withdraw(id)
        case .purchase(let id, let request, let waiter): purchase(id, request, waiter)
        case .cancelPurchase(let id): cancelPurchase(id)
        case .continuePromotion(let id, let promotion, let waiter): continuePromotion(id, promotion, waiter)
        case .restore(let id, let username, let waiter): restore(id, username, waiter)
        case .cancelRestore(let id): cancelRestore(id)
        case .forgetCancellation(let id):
            payments.forget(id)
            restores.ask { $0.forget(id) }
        case .finish(let token, let reply): finish(token, reply)
        case .delivered(let token, let reply): closureDelivered(token, reply)
        case .release(let tokens): release(tokens)
        case .install(let delivery): install(delivery)
        case .setMode(let mode): setMode(mode)
        case .deliveryEnded(let id, let decision): deliveryEnded(id, decision)
        case .timer(let timer): fire(timer)
        case .subscribeToTransactions(let id, let subscriber):
            transactions.subscribe(id, subscriber, outstanding: ledger.outstanding.map(record))
        case .subscribeToFailures(let id, let subscriber):
            failures.subscribe(id, subscriber, outstanding: unheardFailures)
            unheardFailures = []
        case .subscribeToBatches(let id, let subscriber): subscribeToBatches(id, subscriber)
        case .subscribe(let id, let subscription): subscribe(id, to: subscription)
        case .controlDownloads(let command, let ids, let reply): controlDownloads(command, ids, reply)
        case .cancelContent(let token): cancelContent(of: token)
        case .unsubscribe(let id):
            announcements.unsubscribe(id)
            contentWaiters[id] = nil
            transactions.unsubscribe(id)
            failures.unsubscribe(id)
            batches.unsubscribe(id)
        case .unfinished(let reply): reply.succeed(ledger.unfinished.map(\.transaction))
        case .diagnostics(let reply): reply.succeed(diagnostics())
        case .awaitDiagnostics(let waiter): diagnosticsWaiters.append(waiter)
        }
    }

    private func receive(_ event: QueueEvent) {
        switch event {
        case .updatedTransactions(let batch): receive(batch)
        case .removedTransactions(let tokens): remove(tokens)
        case .restoreFinished: endRestore(failure: nil)
        case .restoreFailed(let error): endRestore(failure: error)
        case .storefrontChanged: announcements.storefronts.send(backend.storefront)
        case .updatedDownloads(let downloads): receive(downloads)
        case .revokedEntitlements(let revocation): announcements.revocations.send(revocation)
        case .promotedPayment(let promotion): receive(promotion)
        case .terminated(let error):
            termination = error
            log(.warning, "The payment queue is gone: \(error.message)")
            close(with: error)
        }
    }

    private func setMode(_ mode: StoreMode) {
        guard mode != self.mode else { return }
        log(.notice, "The mode changes from \(self.mode) to \(mode).")
        self.mode = mode
    }

    /// Answers everybody who waits, and ends every loop. Nothing is finished by it.
    private func close(with error: StoreError) {
        timers.values.forEach { $0.cancel() }
        timers = [:]
        deliveryTasks.values.forEach { $0.cancel() }
        deliveryTasks = [:]
        let purchases = purchaseWaiters
        let restores = restoreWaiters
        purchaseWaiters = [:]
        restoreWaiters = [:]
        purchases.values.forEach { $0.reply.fail(error) }
        restores.values.forEach { $0.reply.fail(error) }
        diagnosticsWaiters.forEach { $0.reply.fail(error) }
        diagnosticsWaiters = []
        transactions.finish()
        failures.finish()
        batches.finish()
        announcements.finish()
        contentWaiters.values.forEach { $0.subscriber.finish() }
        contentWaiters = [:]
    }
}

// Timers.
extension PaymentQueueActor {
    func start(_ timer: StoreTimer, seconds: TimeInterval) {
        timers[timer]?.cancel()
        let deadline = now + seconds
        timers[timer] = Task { [clock = configuration.clock, mailbox] in
            do {
                try await clock.sleep(until: deadline)
                mailbox.send(.timer(timer))
            } catch {
                // Cancelled: what it was to end has ended.
            }
        }
    }

    func stop(_ timer: StoreTimer) {
        timers.removeValue(forKey: timer)?.cancel()
    }

    private func fire(_ timer: StoreTimer) {
        // A timer that was stopped, or started anew, while it was on its way in the channel must do nothing: the state
        // machines ignore calls that have ended.
        timers[timer] = nil
        switch timer {
        case .paymentTimeout(let id): paymentTimedOut(id)
        case .paymentSettling(let id): paymentSettled(id)
        case .restoreInactivity(let id): restoreTimedOut(id)
        case .deliveryRetry(let id):
            deliveries.retry(id)
            startDeliveries()
        }
    }
}
