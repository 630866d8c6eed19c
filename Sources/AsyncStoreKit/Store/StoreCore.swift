/// What all `Store`s over one backend share. Its life is theirs, and that of the calls and purchases under way.
package final class StoreCore: Sendable {
    let backend: any StoreBackend
    let configuration: StoreConfiguration
    private let inputs: AsyncStream<StoreInput>.Continuation
    let productRequests: SharedRequests<String, StoreProduct>
    private let receiptRequests: SharedRequests<ReceiptFile, Void>

    /// The one receipt that there is to ask for.
    private struct ReceiptFile: Hashable {}

    package init(backend: any StoreBackend, configuration: StoreConfiguration) {
        self.backend = backend
        self.configuration = configuration
        let (stream, inputs) = AsyncStream.makeStream(of: StoreInput.self)
        self.inputs = inputs
        productRequests = SharedRequests(
            of: "products", timeout: configuration.productsTimeout, clock: configuration.clock, keepsAnswers: true
        ) { ids throws(StoreError) in
            let response = try await backend.products(for: ids)
            return Dictionary(response.products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        }
        receiptRequests = SharedRequests(
            of: "a new receipt", timeout: configuration.receiptTimeout, clock: configuration.clock, keepsAnswers: false
        ) { keys throws(StoreError) in
            try await backend.refreshReceipt()
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, ()) })
        }
        // The core itself is not held by it: that would keep a store alive that everybody has dropped.
        let refreshReceipt = ReceiptRefresh { [receiptRequests] () throws(StoreError) in
            _ = try await receiptRequests.values(for: [ReceiptFile()])
            return try backend.receiptData()
        }
        let queue = PaymentQueueActor(
            backend: backend, configuration: configuration, inputs: inputs, refreshReceipt: refreshReceipt)
        Task { await queue.run(stream) }
    }

    /// Starts to observe. Once, and not while a lock is held: the queue may report from inside the call.
    package func activate() {
        backend.apply(configuration.policies)
        backend.activate { [inputs, productRequests] event in
            if case .storefrontChanged = event { productRequests.invalidate() }
            inputs.yield(.event(event))
        }
    }

    deinit {
        backend.deactivate()
        inputs.finish()
    }

    /// Has something take effect after everything that was sent before it, from any thread. False when it is too late.
    @discardableResult
    package func send(_ input: StoreInput) -> Bool {
        if case .terminated = inputs.yield(input) { return false }
        return true
    }

    /// Sends something that is answered at once: not cancellable.
    func ask<Value: Sendable>(_ input: (Reply<Value>) -> StoreInput) async throws(StoreError) -> Value {
        let answer = await withCheckedContinuation { continuation in
            send(Reply(continuation), input)
        }
        return try answer.get()
    }

    /// Sends a call that may have to wait, under an ID by which it can be cancelled.
    func call<Value: Sendable>(
        _ id: CallID, cancellation: StoreInput, _ input: (Reply<Value>) -> StoreInput
    ) async throws(StoreError) -> Value {
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                send(Reply(continuation), input)
            }
        } onCancel: {
            send(cancellation)
        }
        // A cancellation that was too late is remembered under an ID that never comes again.
        if Task.isCancelled { send(.forgetCancellation(id)) }
        return try answer.get()
    }

    /// Sends something that is answered; when it is too late, the answer is that.
    package func send<Value: Sendable>(_ reply: Reply<Value>, _ input: (Reply<Value>) -> StoreInput) {
        if !send(input(reply)) { reply.fail(.storeClosed) }
    }

    /// Finishes a transaction; what cannot be finished, or has been, is left alone.
    func finishQuietly(_ transaction: StoreTransaction) async {
        do throws(StoreError) {
            try await finish(transaction)
        } catch {
            configuration.log(StoreLogEvent(.debug, "Finishing \"\(transaction.productID)\": \(error.message)"))
        }
    }

    func finish(_ transaction: StoreTransaction) async throws(StoreError) {
        try await ask { .finish(transaction.id, $0) }
    }
}

// Requests.
extension StoreCore {
    /// Whether a product has been asked for since the storefront last changed.
    package func knows(_ id: String) -> Bool {
        productRequests.known(id) != nil
    }

    func product(_ id: String) async throws(StoreError) -> StoreProduct {
        guard let product = try await productRequests.values(for: [id])[id] else {
            throw StoreError(.productNotFound, "The App Store knows no product \"\(id)\".")
        }
        return product
    }

    func products(for ids: Set<String>) async throws(StoreError) -> ProductsResponse {
        guard !ids.isEmpty else { throw StoreError(.invalidProductIDs, "No product identifiers were given: the set is empty.") }
        return ProductsResponse(values: try await productRequests.values(for: ids), for: ids)
    }

    func refreshReceipt() async throws(StoreError) {
        _ = try await receiptRequests.values(for: [ReceiptFile()])
    }
}
