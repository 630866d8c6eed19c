import Foundation

/// Serialises payments, and decides about every transaction: whose answer it is, who delivers it, when it is finished.
///
/// It is the one consumer of the one channel into which the queue's events and all calls go. What is decided stands in the
/// state machines; this shell carries it out.
package actor PaymentQueueActor {
    let backend: any StoreBackend
    let configuration: StoreConfiguration
    let inputs: AsyncStream<StoreInput>.Continuation
    let restores = RestoreActor()
    let refreshReceipt: ReceiptRefresh

    var mode: StoreMode
    var delivery: (any PurchaseDelivery)?
    var payments = PaymentStateMachine()
    var ledger = TransactionLedger()
    var deliveries = DeliveryStateMachine()
    var purchaseWaiters: [CallID: PurchaseWaiter] = [:]
    var restoreWaiters: [CallID: RestoreWaiter] = [:]
    var transactions = Broadcast<TransactionRecord>()
    var failures = Broadcast<TransactionFailure>()
    /// Everything of one of the queue's batches that answered no call, together.
    var batches = Broadcast<[TransactionRecord]>()
    /// Failures that nobody has been there to hear of.
    var unheardFailures: [TransactionFailure] = []
    var announcements = QueueAnnouncements()
    var promotions = PromotionStateMachine()
    /// Who waits for hosted content.
    var contentWaiters: [CallID: HostedContentWaiter] = [:]
    var timers: [StoreTimer: Task<Void, Never>] = [:]
    var deliveryTasks: [CallID: Task<Void, Never>] = [:]
    /// Why nothing can be asked of the queue any more.
    var termination: StoreError?

    init(
        backend: any StoreBackend, configuration: StoreConfiguration, inputs: AsyncStream<StoreInput>.Continuation,
        refreshReceipt: ReceiptRefresh
    ) {
        self.refreshReceipt = refreshReceipt
        self.backend = backend
        self.configuration = configuration
        self.inputs = inputs
        mode = configuration.mode
    }

    var now: Date { configuration.clock.now }

    func log(_ level: StoreLogEvent.Level, _ message: @autoclosure () -> String) {
        configuration.log(StoreLogEvent(level, message()))
    }

    /// Takes one input after the other until the store is closed.
    func run(_ stream: AsyncStream<StoreInput>) async {
        for await input in stream {
            await take(input)
        }
        close(with: .storeClosed)
    }

    private func take(_ input: StoreInput) async {
        switch input {
        case .event(let event): await receive(event)
        case .reservePayment(let id): payments.reserve(id)
        case .withdrawPayment(let id): withdraw(id)
        case .purchase(let id, let request, let waiter): purchase(id, request, waiter)
        case .cancelPurchase(let id): cancelPurchase(id)
        case .continuePromotion(let id, let promotion, let waiter): continuePromotion(id, promotion, waiter)
        case .restore(let id, let username, let waiter): await restore(id, username, waiter)
        case .cancelRestore(let id): await cancelRestore(id)
        case .forgetCancellation(let id):
            payments.forget(id)
            await restores.forget(id)
        case .finish(let token, let reply): finish(token, reply)
        case .delivered(let token, let reply): closureDelivered(token, reply)
        case .release(let tokens): release(tokens)
        case .install(let delivery): install(delivery)
        case .setMode(let mode): setMode(mode)
        case .deliveryEnded(let id, let decision): deliveryEnded(id, decision)
        case .timer(let timer): await fire(timer)
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
        case .diagnostics(let reply): reply.succeed(await diagnostics())
        }
    }

    private func receive(_ event: QueueEvent) async {
        switch event {
        case .updatedTransactions(let batch): await receive(batch)
        case .removedTransactions(let tokens): remove(tokens)
        case .restoreFinished: await endRestore(failure: nil)
        case .restoreFailed(let error): await endRestore(failure: error)
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
        timers[timer] = Task { [clock = configuration.clock, inputs] in
            do {
                try await clock.sleep(for: seconds)
                inputs.yield(.timer(timer))
            } catch {
                // Cancelled: what it was to end has ended.
            }
        }
    }

    func stop(_ timer: StoreTimer) {
        timers.removeValue(forKey: timer)?.cancel()
    }

    private func fire(_ timer: StoreTimer) async {
        // A timer that was stopped, or started anew, while it was on its way in the channel must do nothing: the state
        // machines ignore calls that have ended.
        timers[timer] = nil
        switch timer {
        case .paymentTimeout(let id): paymentTimedOut(id)
        case .paymentSettling(let id): paymentSettled(id)
        case .restoreInactivity(let id): await restoreTimedOut(id)
        case .deliveryRetry(let id):
            deliveries.retry(id)
            startDeliveries()
        }
    }
}
