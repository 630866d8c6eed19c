/// The shared part of all `PurchaseStore`s over one backend. Stores, calls and purchases keep it alive.
package final class StoreCore: Sendable {
    package let backend: any StoreBackend
    let configuration: StoreConfiguration
    /// The clock of the store.
    package let clock: any StoreClock
    let work: StoreWork?
    private let inputs: InputQueue<StoreInput>
    private let queue: PaymentQueueActor
    let productRequests: SharedRequests<String, StoreProduct>
    let receiptRequests: SharedRequests<ReceiptFile, Void>
    /// The order of calls whose products are being loaded.
    let lookUps: CallOrder
    package let entitlements: EntitlementMonitor
    /// The state of the app, the network and the running deliveries.
    let lifecycle: AppLifecycle
    /// Where purchases and sheets are presented.
    let anchor = StoreAnchor()

    /// The key of receipt requests. There is one receipt.
    struct ReceiptFile: Hashable {}

    package init(backend: any StoreBackend, configuration: StoreConfiguration) {
        self.backend = backend
        self.configuration = configuration
        let clock = configuration.clock ?? backend.clock
        self.clock = clock
        lookUps = CallOrder(clock: clock)
        work = clock.storeWork
        inputs = InputQueue(work: work)
        let loadProducts: SharedRequests<String, StoreProduct>.Loader =
            if let backend = backend as? any DirectProductBackend {
                .direct { ids, respond in backend.requestProducts(for: ids) { respond($0.map(\.productsByID)) } }
            } else {
                .task { ids throws(StoreError) in try await backend.products(for: ids).productsByID }
            }
        productRequests = SharedRequests(
            of: "products", timeout: configuration.productsTimeout, clock: clock, keepsAnswers: true,
            lifetime: configuration.productCacheDuration, sharing: 2, loader: loadProducts)
        receiptRequests = SharedRequests(
            of: "a new receipt", timeout: configuration.receiptTimeout, clock: clock, keepsAnswers: false, sharing: 30
        ) { keys throws(StoreError) in
            try await backend.refreshReceipt()
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, ()) })
        }
        entitlements = EntitlementMonitor(backend: backend, configuration: configuration, clock: clock) {
            [productRequests] in
            productRequests.known($0)
        }
        // Doesn't capture the core, which would keep a released store alive.
        let refreshReceipt = ReceiptRefresh { [receiptRequests] () throws(StoreError) in
            _ = try await receiptRequests.values(for: [ReceiptFile()])
            return try backend.receiptData()
        }
        lifecycle = AppLifecycle(clock: clock)
        queue = PaymentQueueActor(
            backend: backend, configuration: configuration, clock: clock, inputs: inputs,
            refreshReceipt: refreshReceipt,
            lifecycle: lifecycle)
        lifecycle.onRefresh { [backend, inputs, entitlements, productRequests] in
            Self.refreshPendingState(backend, inputs, entitlements, productRequests)
        }
        lifecycle.onMove { [inputs] isInBackground in inputs.enqueueAndWake(.appMoved(isInBackground: isInBackground)) }
        queue.start()
    }

    /// Starts to observe the queue. Call it once, and not under a lock, because the queue may report from inside the
    /// call.
    package func activate() {
        if let delivery = configuration.delivery { enqueue(.installDelivery(delivery)) }
        apply(configuration.policies)
        backend.activate { [inputs, queue, productRequests, entitlements] event in
            entitlements.receive(event)
            if case .storefrontChanged = event { productRequests.invalidate() }
            Self.enqueueNow(.event(event), in: inputs, for: queue)
        }
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
        _ backend: any StoreBackend, _ inputs: InputQueue<StoreInput>, _ entitlements: EntitlementMonitor,
        _ productRequests: SharedRequests<String, StoreProduct>
    ) {
        productRequests.markStale()
        backend.refreshPendingState()
        entitlements.receive(.entitlementsMayHaveChanged)
        inputs.enqueueAndWake(.refreshPendingState)
    }

    /// The configuration without its delivery and policies, for another core that only makes requests.
    package var requestConfiguration: StoreConfiguration {
        var configuration = configuration
        configuration.delivery = nil
        configuration.deliveryLedger = nil
        configuration.policies = StorePolicies()
        return configuration
    }

    /// Replaces the policies. The anchor of the store stays.
    func apply(_ policies: StorePolicies) {
        var policies = policies
        policies.anchor = anchor
        backend.apply(policies)
    }

    package func log(_ level: StoreLogEvent.Level, _ message: String) {
        configuration.log(StoreLogEvent(level, message))
    }
}

// Inputs.
extension StoreCore {
    /// Enqueues an input, from any thread. Returns `false` if the store is closed.
    @discardableResult
    func enqueue(_ input: StoreInput) -> Bool {
        inputs.enqueueAndWake(input)
    }

    /// Enqueues an input. In a store that works on its callers' threads, the input takes effect before the function
    /// returns, unless another thread has the store's actor. That thread processes the input then.
    @discardableResult
    func enqueueNow(_ input: StoreInput) -> Bool {
        Self.enqueueNow(input, in: inputs, for: queue)
    }

    @discardableResult
    private static func enqueueNow(_ input: StoreInput, in inputs: InputQueue<StoreInput>, for queue: PaymentQueueActor)
        -> Bool
    {
        switch inputs.enqueue(input) {
        case .refused: return false
        case .draining: return true
        case .idle:
            if !queue.takeInputsIfFree() { inputs.wake() }
            return true
        }
    }

    /// Processes all enqueued inputs before it returns, in a store that works on its callers' threads.
    package func takeInputsNow() {
        queue.takeInputsNow()
    }

    /// Whether this thread is processing inputs, in a store that works on its callers' threads.
    package var isTakingInputsHere: Bool { queue.isTakingInputsHere }

    /// Enqueues an input with a reply. If the store is closed, the reply fails with that error.
    func enqueue<Value: Sendable>(_ reply: Reply<Value>, _ input: (Reply<Value>) -> StoreInput) {
        if !enqueueNow(input(reply)) { reply.fail(.storeClosed) }
    }

    /// Enqueues an input that is answered without waiting for StoreKit. Not cancellable.
    func ask<Value: Sendable>(_ input: (Reply<Value>) -> StoreInput) async throws(StoreError) -> Value {
        let promised = PromisedInput(input)
        try await take(promised)
        return try await promised.promise.value().get()
    }

    /// Enqueues a call and waits for its response. Cancelling the task ends the wait.
    ///
    /// The caller has checked that the task isn't cancelled, so that the cancellation is enqueued after the call, or
    /// not at all.
    func response<Value: Sendable>(to call: CancellableInput<Value>) async throws(StoreError) -> Value {
        try await take(call.promised)
        return try await call.promised.promise.value { enqueue(call.cancellation) }.get()
    }

    /// Processes an input, on this task's thread unless another task is draining the queue.
    private func take<Value: Sendable>(_ promised: PromisedInput<Value>) async throws(StoreError) {
        switch inputs.enqueue(promised.input) {
        case .refused: throw .storeClosed
        case .draining: break
        case .idle: await queue.drain { promised.promise.isFulfilled }
        }
    }

    /// Returns the diagnostics as soon as they satisfy a condition. Not cancellable.
    package func diagnostics(
        _ isWanted: @escaping @Sendable (StoreDiagnostics) -> Bool
    ) async throws(StoreError) -> StoreDiagnostics {
        try await ask { .awaitDiagnostics(DiagnosticsWaiter(isWanted: isWanted, reply: $0)) }
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
        try? await ask { .release(transaction.token, after: seconds, $0) }
    }

    func finish(_ transaction: StoreTransaction) async throws(StoreError) {
        try await ask { .finish(transaction.token, $0) }
    }

    func restore(_ call: StoreStateMachine.RestoreCall) async throws(StoreError) -> RestoreOutcome {
        guard !Task.isCancelled else { throw .cancelled("the restore") }
        var call = call
        call.enclosing = EnclosingDelivery.keys
        let result: Result<RestoreResponse, StoreError>
        do throws(StoreError) {
            result = .success(try await response(to: .restore(call)))
        } catch {
            result = .failure(error)
        }
        return try result.outcome(core: self).get()
    }

    /// Runs a delivery closure. The transaction is finished when the closure returns, and offered to subscribers if the
    /// closure throws.
    func deliver(_ purchase: StorePurchase, _ deliver: (StorePurchase) async throws -> Void) async throws(StoreError) {
        let token = purchase.transaction.token
        lifecycle.deliveryBegan()
        defer { lifecycle.deliveryEnded() }
        do {
            try await EnclosingDelivery.$keys.withValue(EnclosingDelivery.keys.union([purchase.deliveryKey])) {
                try await deliver(purchase)
            }
        } catch {
            enqueue(.undelivered([token]))
            if error is CancellationError { throw .cancelled("the delivery of \"\(purchase.productID)\"") }
            throw StoreError(
                .deliveryFailed, "The delivery of \"\(purchase.productID)\" failed: \(error)", underlying: error)
        }
        try await ask { .delivered(token, $0) }
    }
}

// Requests.
extension StoreCore {
    /// Returns the payment for a product. Its context gets an identifier, which StoreKit 2 carries if the app gives no
    /// account.
    /// - Throws: What ``PurchaseOptions/request(for:)`` throws.
    func request(for productID: String, _ options: PurchaseOptions) throws(StoreError) -> PaymentRequest {
        var request = try options.request(for: productID)
        request.identifyContext(isCarried: backend.hostedContent == nil)
        return request
    }

    /// Whether a product has been loaded since the last change of the storefront.
    package func knows(_ id: String) -> Bool {
        productRequests.known(id) != nil
    }

    func product(_ id: String) async throws(StoreError) -> StoreProduct {
        guard let product = try await productRequests.values(for: [id])[id] else {
            throw .unknownProduct(id)
        }
        return product
    }

    func products(for ids: some Collection<String>) async throws(StoreError) -> ProductsResponse {
        guard !ids.isEmpty else { throw .noProductIDs }
        return ProductsResponse(values: try await productRequests.values(for: Set(ids)), for: ids)
    }

    /// Requests products, and says why products are missing.
    func diagnose(_ ids: Set<String>) async -> ProductDiagnosis {
        let request = Task { [backend] () async -> Result<[StoreProduct], StoreError> in
            guard !ids.isEmpty else { return .success([]) }
            do throws(StoreError) {
                return .success(try await backend.products(for: ids).products)
            } catch {
                return .failure(error)
            }
        }
        let diagnosis = ProductDiagnosis(
            ids, await request.value, engine: backend.hostedContent == nil ? "StoreKit 2" : "StoreKit 1",
            canMakePayments: backend.canMakePayments, storefront: backend.storefront)
        log(.notice, "\(diagnosis)")
        return diagnosis
    }

    func refreshReceipt() async throws(StoreError) {
        _ = try await receiptRequests.values(for: [ReceiptFile()])
    }
}
