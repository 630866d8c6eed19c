/// The shared part of all `PurchaseStore`s over one backend. Stores, calls and purchases keep it alive.
package final class StoreCore: Sendable {
    package let backend: any StoreBackend
    let configuration: StoreConfiguration
    package let clock: any StoreClock
    let work: (any StoreWork)?
    private let inputs: InputQueue<PaymentQueueActor>
    let productRequests: SharedRequests<String, StoreProduct>
    let receiptRequests: SharedRequests<ReceiptFile, Void>
    package let entitlements: EntitlementMonitor
    /// The state of the app, the network and the running deliveries.
    let lifecycle: AppLifecycle
    /// Where purchases and sheets are presented.
    let anchor = StoreAnchor()

    /// The key of receipt requests. There is one receipt.
    struct ReceiptFile: Hashable {}

    package convenience init(backend: any StoreBackend, configuration: StoreConfiguration) {
        self.init(backend: backend, configuration: configuration, time: SystemBackgroundTime())
    }

    init(backend: any StoreBackend, configuration: StoreConfiguration, time: any BackgroundTime) {
        self.backend = backend
        let clock = configuration.clock ?? backend.clock
        self.clock = clock
        let history = StoreLogHistory(clock: clock)
        let configuration = configuration.recording(in: history)
        self.configuration = configuration
        work = clock.storeWork
        inputs = InputQueue(work: work)
        productRequests = SharedRequests(
            of: "products", timeout: configuration.productsTimeout, clock: clock, keepsAnswers: true,
            lifetime: configuration.productCacheDuration
        ) { ids throws(StoreError) in try await backend.products(for: ids).productsByID }
        receiptRequests = SharedRequests(
            of: "a new receipt", timeout: configuration.receiptTimeout, clock: clock, keepsAnswers: false
        ) { keys throws(StoreError) in
            try await backend.refreshReceipt()
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, ()) })
        }
        entitlements = EntitlementMonitor(backend: backend, configuration: configuration, clock: clock) {
            [productRequests] in
            productRequests.known($0)
        }
        // Doesn't capture the core, which would keep a released store alive.
        let deviceReceipt = DeviceReceipt {
            try? backend.receiptData()
        } request: { [receiptRequests] () throws(StoreError) in
            _ = try await receiptRequests.values(for: [ReceiptFile()])
        }
        lifecycle = AppLifecycle(clock: clock, time: time)
        let queue = PaymentQueueActor(
            .init(
                backend: backend, configuration: configuration, clock: clock, inputs: inputs,
                deviceReceipt: deviceReceipt, lifecycle: lifecycle, history: history
            ) { [weak entitlements] in entitlements?.ownedProducts ?? [] })
        lifecycle.onRefresh { [backend, inputs, entitlements, productRequests] in
            Self.refreshPendingState(backend, inputs, entitlements, productRequests)
        }
        lifecycle.onMove { [inputs] isAway in inputs.enqueue(.change { $0.appMoved(isInBackground: isAway) }) }
        inputs.start(queue)
    }

    /// Starts to observe the queue. Not to be called under a lock: the queue may report from inside the call.
    package func activate() {
        if let delivery = configuration.delivery { enqueue(StoreInput { $0.install(delivery) }) }
        apply(configuration.policies)
        backend.activate { [inputs, productRequests, entitlements] event in
            entitlements.process(event)
            if case .storefrontChanged = event { productRequests.invalidate() }
            inputs.enqueue(StoreInput { $0.process(event) })
        }
        entitlements.startIfCached()
    }

    deinit {
        backend.deactivate()
        inputs.close()
        entitlements.close()
    }

    /// Refreshes the queue, the entitlements, the cached products, and deliveries whose pause wasn't requested.
    func refreshPendingState() {
        Self.refreshPendingState(backend, inputs, entitlements, productRequests)
    }

    private static func refreshPendingState(
        _ backend: any StoreBackend, _ inputs: InputQueue<PaymentQueueActor>, _ entitlements: EntitlementMonitor,
        _ productRequests: SharedRequests<String, StoreProduct>
    ) {
        productRequests.markStale()
        backend.refreshPendingState()
        entitlements.process(.entitlementsMayHaveChanged)
        inputs.enqueue(.change { $0.refreshPendingState() })
    }

    /// The configuration without its delivery and policies, for another core that only makes requests.
    package var requestConfiguration: StoreConfiguration {
        var configuration = configuration
        configuration.delivery = nil
        configuration.deliveryLedger = nil
        configuration.policies = PaymentQueuePolicies()
        return configuration
    }

    /// Replaces the policies. The anchor of the store stays, and a restore knows what the customer owns.
    func apply(_ policies: PaymentQueuePolicies) {
        var policies = policies
        policies.anchor = anchor
        policies.ownedProducts = { [weak entitlements] in entitlements?.ownedProducts ?? [] }
        backend.apply(policies)
    }

    var engineName: String { backend.hostedContent == nil ? "StoreKit 2" : "StoreKit 1" }

    package func log(_ level: StoreLogEvent.Level, _ message: String) {
        configuration.log(StoreLogEvent(level, message))
    }
}

// Inputs.
extension StoreCore {
    /// Enqueues an input, from any thread. Returns `false` if the store is closed.
    @discardableResult
    func enqueue(_ input: StoreInput) -> Bool {
        inputs.enqueue(input)
    }

    /// A call of the actor that is answered once.
    typealias Call<Value> = @Sendable (isolated PaymentQueueActor, @escaping Reply<Value>) -> Void

    /// Enqueues a call. If the store is closed, the reply fails with that error.
    func enqueue<Value: Sendable>(_ reply: @escaping Reply<Value>, _ call: @escaping Call<Value>) {
        if !inputs.enqueue(StoreInput { call($0, reply) }) { reply(.failure(.storeClosed)) }
    }

    /// Enqueues a call and waits for its response.
    ///
    /// With a cancellation, canceling the task ends the wait. The caller has checked that the task isn't canceled, so
    /// that the cancellation is enqueued after the call, or not at all.
    nonisolated(nonsending) func ask<Value: Sendable>(
        _ call: @escaping Call<Value>, cancellation: StoreInput? = nil
    ) async throws(StoreError) -> Value {
        let promise = Promise<Result<Value, StoreError>>()
        let input = StoreInput { call($0) { promise.fulfill($0) } }
        guard await inputs.enqueueAndTake(input) else { throw .storeClosed }
        guard let cancellation else { return try await promise.value().get() }
        return try await promise.value { enqueue(cancellation) }.get()
    }

    /// Returns the unfinished transactions, after StoreKit has reported those of the launch. Canceling the task ends
    /// the wait.
    func unfinishedTransactions() async -> [StoreTransaction] {
        if !Task.isCancelled {
            let id = CallID()
            // Fails only if the store is closed.
            try? await ask(
                { $0.awaitInitialTransactions(id, $1) }, cancellation: .change { $0.releaseAnswers { $0.id == id } })
        }
        return (try? await ask(Self.unfinished)) ?? []
    }

    /// Returns the unfinished transactions that have been reported.
    static let unfinished: Call<[StoreTransaction]> = { actor, reply in
        actor.change { reply(.success($0.ledger.unfinished.map(\.transaction))) }
    }

    /// Returns the diagnostics as soon as they satisfy a condition. Not cancellable.
    package func diagnostics(
        _ isWanted: @escaping @Sendable (StoreDiagnostics) -> Bool
    ) async throws(StoreError) -> StoreDiagnostics {
        try await ask { $0.awaitDiagnostics(isWanted, $1) }
    }
}

// Purchases.
extension StoreCore: PurchaseOwner {
    package func finishQuietly(_ transaction: StoreTransaction) async {
        do throws(StoreError) {
            try await finish(transaction)
        } catch {
            log(.debug, "Finishing \"\(transaction.productID)\": \(error.message)")
        }
    }

    package func release(_ transaction: StoreTransaction, after seconds: Double?) async {
        // Fails only if the store is closed. The next launch offers the purchase again.
        try? await ask { actor, reply in
            actor.change { $0.release(transaction.token, after: seconds) }
            reply(.success(()))
        }
    }

    func finish(_ transaction: StoreTransaction) async throws(StoreError) {
        try await ask { $0.finish(transaction.token, $1) }
    }

    /// Restores and waits for the response. Canceling the task ends the wait.
    nonisolated(nonsending) func restore(
        _ account: PurchaseAccount?, _ style: Deliverer.CallStyle
    ) async throws(StoreError) -> RestoreOutcome {
        guard !Task.isCancelled else { throw .cancelled("the restore") }
        let promise = Promise<Result<RestoreResponse, StoreError>>()
        let call = restore(applicationUsername: account?.applicationUsername, style: style) { promise.fulfill($0) }
        return try await promise.value { call.cancel() }.outcome(core: self).get()
    }

    /// Runs a delivery closure. The transaction is finished if the closure returns before the task is canceled.
    /// Otherwise it's offered to subscribers.
    ///
    /// In a canceled task, the calls that the closure makes fail immediately, and the closure may ignore these errors.
    /// So its return isn't evidence of a delivery.
    nonisolated(nonsending) func deliver(
        _ purchase: StorePurchase, _ deliver: nonisolated(nonsending) (StorePurchase) async throws -> Void
    ) async throws(StoreError) {
        let token = purchase.transaction.token
        lifecycle.deliveryBegan()
        defer { lifecycle.deliveryEnded() }
        do {
            try Task.checkCancellation()
            try await EnclosingDelivery.$keys.withValue(EnclosingDelivery.keys.union([purchase.deliveryKey])) {
                try await deliver(purchase)
            }
            try Task.checkCancellation()
        } catch {
            enqueue(.change { $0.closureEnded([token], delivered: false) })
            if Task.isCancelled || error is CancellationError {
                throw StoreError(
                    .taskCancelled,
                    "The task was canceled before \"\(purchase.productID)\" was delivered. It will be offered again.",
                    underlying: error)
            }
            let name = StoreTransaction.name(of: [purchase.transaction])
            log(.warning, "\(name) wasn't delivered by the closure of its call: \(error.nameForLog).")
            throw StoreError(
                .deliveryFailed, "The delivery of \"\(purchase.productID)\" failed: \(error)", underlying: error)
        }
        try await ask { $0.closureReturned([token], $1) }
    }
}

// Requests.
extension StoreCore {
    /// Whether a product has been loaded since the last change of the storefront.
    package func knows(_ id: String) -> Bool {
        productRequests.known(id) != nil
    }

    nonisolated(nonsending) func products(
        for ids: some Collection<String>
    ) async throws(StoreError) -> ProductsResponse {
        guard !ids.isEmpty else { throw .noProductIDs }
        return ProductsResponse(values: try await productRequests.values(for: Set(ids)), for: ids)
    }

    /// Requests products, and says why products are missing.
    func diagnose(_ ids: Set<String>) async -> ProductDiagnosis {
        let timeout = configuration.productsTimeout
        let answer = await clock.value(within: timeout) { [backend] () async -> Result<[StoreProduct], StoreError> in
            guard !ids.isEmpty else { return .success([]) }
            do throws(StoreError) {
                return .success(try await backend.products(for: ids).products)
            } catch {
                return .failure(error)
            }
        }
        let diagnosis = ProductDiagnosis(
            ids, answer ?? .failure(.timeout(of: "products", after: timeout)), engine: engineName,
            canMakePayments: backend.canMakePayments, storefront: backend.storefront)
        log(.notice, "\(diagnosis)")
        return diagnosis
    }

    func refreshReceipt() async throws(StoreError) {
        _ = try await receiptRequests.values(for: [ReceiptFile()])
    }
}
