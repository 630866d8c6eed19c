/// What all `PurchaseStore`s over one backend share. Its life is theirs, and that of the calls and purchases under way.
package final class StoreCore: Sendable {
    let backend: any StoreBackend
    let configuration: StoreConfiguration
    private let mailbox = InputQueue<StoreInput>()
    private let queue: PaymentQueueActor
    let productRequests: SharedRequests<String, StoreProduct>
    let receiptRequests: SharedRequests<ReceiptFile, Void>

    /// The one receipt that there is to ask for.
    struct ReceiptFile: Hashable {}

    package init(backend: any StoreBackend, configuration: StoreConfiguration) {
        self.backend = backend
        self.configuration = configuration
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
        queue = PaymentQueueActor(
            backend: backend, configuration: configuration, mailbox: mailbox, refreshReceipt: refreshReceipt)
        Task { [queue] in await queue.run() }
    }

    /// Starts to observe. Once, and not while a lock is held: the queue may report from inside the call.
    package func activate() {
        backend.apply(configuration.policies)
        backend.activate { [mailbox, productRequests] event in
            if case .storefrontChanged = event { productRequests.invalidate() }
            mailbox.send(.event(event))
        }
    }

    deinit {
        backend.deactivate()
        mailbox.close()
    }

    /// Has something take effect after everything that was sent before it, from any thread. False when it is too late.
    @discardableResult
    package func send(_ input: StoreInput) -> Bool {
        mailbox.send(input)
    }

    /// Sends something that is answered at once: not cancellable.
    func ask<Value: Sendable>(_ input: (Reply<Value>) -> StoreInput) async throws(StoreError) -> Value {
        let question = Question(input)
        return try await answer(to: question).get()
    }

    /// Sends a call that may have to wait, and waits. Cancelling the task cancels the call.
    func answer<Value: Sendable>(to call: Call<Value>) async throws(StoreError) -> Value {
        let result = await withTaskCancellationHandler {
            await answer(to: call.question)
        } onCancel: {
            send(call.cancellation)
        }
        // A cancellation that was too late is remembered under an ID that never comes again.
        if Task.isCancelled { send(.forgetCancellation(call.id)) }
        return try result.get()
    }

    private func answer<Value: Sendable>(to question: Question<Value>) async -> Result<Value, StoreError> {
        switch mailbox.put(question.input) {
        case .refused: return .failure(.storeClosed)
        case .attended: break
        case .unattended: await queue.attend { question.answer.isThere }
        }
        return await question.answer.value()
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
            log(.debug, "Finishing \"\(transaction.productID)\": \(error.message)")
        }
    }

    func finish(_ transaction: StoreTransaction) async throws(StoreError) {
        try await ask { .finish(transaction.id, $0) }
    }
}

// What the compatibility module needs.
extension StoreCore {
    /// The backend, where it is StoreKit's: it keeps the objects that the values stand for.
    package var storeKitBackend: StoreKit1Backend? { backend as? StoreKit1Backend }

    package func log(_ level: StoreLogEvent.Level, _ message: String) {
        configuration.log(StoreLogEvent(level, message))
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
            throw .unknownProduct(id)
        }
        return product
    }

    func products(for ids: Set<String>) async throws(StoreError) -> ProductsResponse {
        guard !ids.isEmpty else { throw .noProductIDs }
        return ProductsResponse(values: try await productRequests.values(for: ids), for: ids)
    }

    func refreshReceipt() async throws(StoreError) {
        _ = try await receiptRequests.values(for: [ReceiptFile()])
    }
}
