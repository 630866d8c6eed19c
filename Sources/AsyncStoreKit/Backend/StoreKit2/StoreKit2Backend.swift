package import Foundation

/// StoreKit 2 as a queue of values, over a ``StoreKit2Environment``: the device, this package's StoreKit, or a
/// simulated App Store.
///
/// Attribution is StoreKit's own: a payment is answered by what `purchase` returns. ``StoreKit2Queue`` decides what the
/// entries are and which events they cause; this class calls StoreKit and delivers the events in order.
package final class StoreKit2Backend: StoreBackend, SystemSheetBackend {
    /// How long the backend waits for StoreKit; durations are in seconds.
    package struct Timing: Sendable {
        /// How far apart two reads have to be for a transaction that both lack to leave the queue.
        package var absenceInterval: TimeInterval = 10
        /// How long the sheet waits for transactions that are being finished, and for what the customer owns.
        package var purchasePreparation: TimeInterval = 2
        /// How long a transaction that may answer a payment is held back. After that it's reported, and still
        /// answers the payment if StoreKit says so later.
        package var longestHold: TimeInterval = 30
        /// Waits before a restore reads again what the customer owns, after StoreKit has listed nothing.
        package var restorePause: @concurrent @Sendable (any StoreClock) async -> Void = { try? await $0.sleep(for: 1) }

        package init() {}
    }

    fileprivate struct State: Sendable {
        var queue: StoreKit2Queue
        var products = [String: StoreKit2Product]()
        /// The tasks that finish transactions.
        var finishing = [UInt64: Task<Void, Never>]()
        var reads = UnfinishedReadSchedule()
        var storefront: AppStorefront?
        var lastReportedStorefront: AppStorefront?
        var policies = PaymentQueuePolicies()
        /// Accepts or holds purchases from the App Store instead of the policy.
        var intentHandler: IntentHandler?
        /// The observations that run while the queue is observed.
        var listening: [StoreKit2Listening] = []
        var takesMessages = false
        /// The latest restore, until it ends.
        var restore: CallID?
        /// Receives the events from the activation on.
        var receive: (@Sendable (QueueEvent) -> Void)?
    }

    /// Receives a product that a customer has started to purchase in the App Store. Calls the closure once, at any
    /// time, with whether to continue now.
    package typealias IntentHandler =
        @Sendable (_ productID: String, _ decide: @escaping @Sendable (Bool) -> Void) -> Void

    let environment: any StoreKit2Environment
    let lists: StoreKit2Lists
    let decodedTransactions: DecodedTransactions
    let past = Locked(PastPurchases())
    let appTransactionRequest: AppTransactionRequest
    private let timing: Timing
    let work: (any StoreWork)?
    private let state: MachineHost<State, QueueEvent>

    /// Creates a backend over the device's App Store.
    package convenience init() {
        self.init(environment: SystemStoreKit2())
    }

    package init(environment: any StoreKit2Environment, timing: Timing = Timing()) {
        let decodedTransactions = DecodedTransactions()
        self.environment = environment
        lists = StoreKit2Lists(clock: environment.clock)
        self.timing = timing
        work = environment.clock.storeWork
        self.decodedTransactions = decodedTransactions
        state = MachineHost(
            State(queue: StoreKit2Queue(absenceInterval: timing.absenceInterval, memo: decodedTransactions)))
        appTransactionRequest = AppTransactionRequest(environment)
    }

    /// The subscription groups of the products that have been loaded.
    var loadedGroups: Set<String> {
        state.withLock { Set($0.products.values.compactMap { $0.value.subscriptionGroupID }) }
    }

    /// The products that the customer owns, as the entitlements say.
    var ownedProducts: Set<String> { state.withLock { $0.policies }.ownedProducts() }

    /// Reports that another read of the entitlements may return more.
    func entitlementsMayHaveChanged() { update { _ in [.entitlementsMayHaveChanged] } }

    /// Changes the state, and delivers the events, outside the lock and in the order of the changes.
    private func update(_ change: (inout State) -> [QueueEvent]) {
        state.update(change) { event in state.withLock { $0.receive }?(event) }
    }

    /// Starts to observe, and reads the unfinished transactions.
    package func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        state.withLock { $0.receive = receive }
        // Captured weakly, so that releasing the store ends the observation.
        let listening = environment.listen { [weak self] event in self?.process(event) }
        state.withLock { $0.listening.append(listening) }
        refreshPendingState()
        _ = work.task { [weak self, environment] in
            guard let storefront = await environment.storefront() else { return }
            self?.state.withLock { $0.storefront = $0.storefront ?? storefront }
        }
    }

    /// Stops observing. Doesn't finish any transaction.
    package func deactivate() {
        let listening = state.withLock { state in
            state.receive = nil
            defer { state.listening = [] }
            return state.listening
        }
        listening.forEach { $0() }
    }

    package var clock: any StoreClock { environment.clock }

    /// 300 seconds: StoreKit 2 reports nothing while the customer reads the sheet.
    package var usualPaymentResponseTimeout: TimeInterval { 300 }

    /// The result of `AppStore.canMakePayments`.
    package var canMakePayments: Bool { environment.canMakePayments }

    package var storefront: AppStorefront? { state.withLock { $0.storefront } }

    package var hostedContent: (any HostedContentBackend)? { nil }
    package var finishesImmediately: Bool { false }

    package var sheets: (any SystemSheetBackend)? { self }

    package func newestToken() -> TransactionToken? { nil }

    package func apply(_ policies: PaymentQueuePolicies) { state.withLock { $0.policies = policies } }

    private func process(_ event: StoreKit2Event) {
        switch event {
        case .transaction(let signedTransaction):
            update { $0.queue.transactionUpdated(signedTransaction) }
            limitHolding(of: [signedTransaction])
        case .storefront(let storefront): move(to: storefront)
        case .intent(let product, let offer): intentReceived(product, offer)
        case .other(let event): update { _ in [event] }
        }
    }

    /// Records a transaction that one of Apple's views has handed to the app. The view may have finished it, so no
    /// other event reports it. A transaction that was reported before is a duplicate like any other.
    package func adopt(_ signedTransaction: StoreKit2SignedTransaction) {
        update { $0.queue.adopt(signedTransaction) }
    }

    /// Releases transactions that are held after a time, so that a silent payment doesn't hold them forever.
    private func limitHolding(of transactions: [StoreKit2SignedTransaction]) {
        let held = state.withLock { $0.queue.heldTransactions.intersection(transactions.map(\.id)) }
        guard !held.isEmpty else { return }
        _ = work.task { [weak self, clock, timing] in
            guard (try? await clock.sleep(whileRunningFor: timing.longestHold)) != nil else { return }
            self?.update { $0.queue.releaseHeldTransactions(held) }
        }
    }

    /// Reads the unfinished transactions, after the read that is running: StoreKit sends an update once, if at all, and
    /// none if a transaction is finished elsewhere.
    package func refreshPendingState() {
        let now = clock.now
        let read = state.withLock { state -> StoreKit2Queue.Read? in
            guard state.reads.requestRead(at: now) else { return nil }
            let read = state.queue.beginRead(at: now)
            state.reads.readStarted(read)
            return read
        }
        guard let read else { return }
        _ = work.task { [weak self, environment, lists] in
            let unfinished = await lists.read(.unfinished) { await environment.unfinished() }
            self?.endRead(read, unfinished)
        }
    }

    private func endRead(_ read: StoreKit2Queue.Read, _ unfinished: StoreKit2Lists.Answer<[StoreKit2SignedTransaction]>)
    {
        update { state in
            state.queue.endRead(read, unfinished.value ?? [], isComplete: unfinished.failure == nil)
                + [.initialTransactionsReported]
        }
        limitHolding(of: unfinished.value ?? [])
        if state.withLock({ $0.reads.readEnded(read) }) { refreshPendingState() }
    }

    private func move(to storefront: AppStorefront) {
        update { state in
            // StoreKit can report one twice.
            state.storefront = storefront
            guard storefront != state.lastReportedStorefront else { return [] }
            state.lastReportedStorefront = storefront
            return [.storefrontChanged]
        }
    }
}

// Payments.
extension StoreKit2Backend {
    /// Submits a payment. The sheet appears when no transaction is being finished and the customer's purchases are
    /// known, or after a short time. While a transaction is being finished, StoreKit sometimes answers a purchase with
    /// the previous transaction.
    package func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
        guard let product = state.withLock({ $0.products[payment.productID] }) else {
            throw StoreError(.productUnavailable, "\"\(payment.productID)\" has not been loaded from the App Store.")
        }
        let policy = state.withLock { $0.policies.shouldContinueTransaction }.map { policy in
            let transaction = StoreTransaction(payment)
            return { @Sendable (storefront: AppStorefront) in policy(transaction, storefront) }
        }
        let purchase: StoreKit2Product.Purchase
        do throws(StoreError) {
            purchase = try product.prepare(payment, policy).get()
        } catch {
            guard error.code == .billingPlanUnavailable, let plan = payment.options.billingPlan, let storefront else {
                throw error
            }
            throw .billingPlanUnavailable(plan, payment.productID, in: "in the storefront \(storefront.countryCode)")
        }
        let finishing = state.withLock { state in
            state.queue.paymentWillStart(id, payment.productID)
            return Array(state.finishing.values)
        }
        let storeAnchor = state.withLock { $0.policies.anchor }
        _ = work.task { [self, timing] in
            let ownedBefore = await clock.value(within: timing.purchasePreparation) { [self] in
                for task in finishing { await task.value }
                return await owned(product.value)
            }
            let result: Result<StoreKit2PurchaseResult, StoreError>
            do throws(StoreError) {
                let own = payment.options.anchor
                let anchor = await storeAnchor?.anchor(for: own) ?? own
                result = .success(try await purchase(anchor))
            } catch {
                result = .failure(error)
            }
            let requestEnd = clock.now + Self.requestLifetime
            update {
                $0.queue.paymentDidEnd(
                    id, payment, result, ownedBefore: ownedBefore ?? [], requestEnd: requestEnd)
            }
            if case .success(.pending) = result { dropRequests(at: requestEnd) }
        }
    }

    /// How long a request for approval can wait, in seconds: a day. The App Store deletes it then, without a report
    /// (Apple's TN2413).
    private static let requestLifetime: TimeInterval = 86_400

    private func dropRequests(at end: Date) {
        _ = work.task { [weak self, clock] in
            try? await clock.sleep(until: end)
            self?.update { $0.queue.requestsEnded(at: end) }
        }
    }

    package func release(_ id: CallID) {
        update { $0.queue.release(id) }
    }

    /// The customer's transactions of a product and its group: StoreKit answers a purchase of an owned product with the
    /// old transaction, and one of a lower level with that of the present one.
    private func owned(_ product: StoreProduct) async -> Set<UInt64> {
        var ids: Set<UInt64> = []
        for answer in await readLatest(of: [product.id]) {
            if let latest = answer.value ?? nil { ids.insert(latest.id) }
        }
        for answer in await readStatuses(ofEach: [product.subscriptionGroupID].compactMap(\.self)) {
            ids.formUnion((answer.value ?? []).map(\.transaction.id))
        }
        return ids
    }

    /// Processes a purchase that a customer has started in the App Store.
    private func intentReceived(_ product: StoreKit2Product, _ offer: PurchaseOffer?) {
        let value = product.value
        let payment = PaymentRequest(productID: value.id, offer: offer)
        let (handler, policy) = state.withLock { state in
            state.products[value.id] = product
            return (state.intentHandler, state.policies.promotedPurchase)
        }
        guard let handler else { return intentDecided(payment, value, policy.decision(on: value)) }
        handler(value.id) { [weak self] goesOn in self?.intentDecided(payment, value, goesOn ? .continue : .hold) }
    }

    private func intentDecided(
        _ payment: PaymentRequest, _ product: StoreProduct, _ decision: PurchaseIntentPolicy.Decision
    ) {
        let promotion = PromotedPayment(
            id: PromotedPayment.ID(), payment: payment, product: product, decision: decision, isContinuedByQueue: false)
        update { _ in [.promotedPayment(promotion)] }
    }

    /// Sets a handler that replaces the policy for purchases from the App Store; `nil` removes it.
    package func decideIntents(by handler: IntentHandler?) {
        state.withLock { $0.intentHandler = handler }
    }
}

// Finishing, restoring, asking.
extension StoreKit2Backend {
    package func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
        var transaction: StoreKit2SignedTransaction?
        update { state in
            let (known, events) = state.queue.finish(token)
            transaction = known
            return events
        }
        guard let transaction else { return completion() }
        let id = transaction.id
        let task = work.task { [self] in
            await transaction.finish()
            decodedTransactions.forgetFinished(id)
            update { state in
                state.finishing[id] = nil
                return state.queue.didFinish(token, transaction)
            }
            completion()
        }
        // The task may have ended.
        state.withLock { if $0.queue.isFinishing(id) { $0.finishing[id] = task } }
    }

    package func forget(_ tokens: [TransactionToken]) {
        state.withLock { $0.queue.forget(tokens) }
    }

    /// Synchronizes with the App Store, which asks the customer to sign in, and reports everything that the customer
    /// owns then.
    /// - Throws: ``StoreError/Code/invalidAccount`` for a user name that isn't a UUID: no transaction names it.
    package func restoreCompletedTransactions(applicationUsername: String?) throws(StoreError) {
        let account = applicationUsername.flatMap(UUID.init(uuidString:))
        guard applicationUsername == nil || account != nil else {
            throw StoreError(
                .invalidAccount, "StoreKit 2 restores for an account only with a UUID. The user name isn't one.")
        }
        let id = CallID()
        state.withLock { $0.restore = id }
        // A synchronization that never ends keeps nothing of the store alive.
        _ = work.task { [weak self, environment] in
            do throws(StoreError) {
                try await environment.sync()
                try await self?.restore(id, for: account)
            } catch {
                self?.endRestore(id) { _ in [.restoreFailed(error)] }
            }
        }
    }

    /// Reports the end of a restore, unless a later one is running: a restore may have timed out before it ended.
    private func endRestore(_ id: CallID, _ events: (inout State) -> [QueueEvent]) {
        update { state in
            guard state.restore == nil || state.restore == id else { return [] }
            state.restore = nil
            return events(&state)
        }
    }

    /// Reports what the customer owns after a synchronization.
    private func restore(_ id: CallID, for account: UUID?) async throws(StoreError) {
        var owned = try await ownedTransactions()
        if owned.isEmpty {
            // StoreKit sometimes lists nothing right after the synchronization.
            await timing.restorePause(clock)
            owned = try await ownedTransactions()
        }
        endRestore(id) { [owned] in $0.queue.restore(owned, for: account) }
    }

    /// Requests products, and keeps them.
    package func products(for productIDs: Set<String>) async throws(StoreError) -> ProductsResponse {
        let products = try await environment.products(productIDs)
        state.withLock { state in
            for product in products { state.products[product.value.id] = product }
        }
        return ProductsResponse(
            products: products.map(\.value), invalidProductIDs: productIDs.subtracting(products.map(\.value.id)))
    }

    /// Starts to observe the App Store's messages.
    package func startObservingMessages() {
        let isFirst = state.withLock { state in
            defer { state.takesMessages = true }
            return !state.takesMessages
        }
        guard isFirst else { return }
        let listening = environment.messages { [weak self] message in self?.update { _ in [.message(message)] } }
        state.withLock { $0.listening.append(listening) }
    }
}
