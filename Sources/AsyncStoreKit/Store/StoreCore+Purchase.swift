/// Whether a purchase loads its product first.
package enum ProductLookUp: Sendable {
    /// The product has been loaded.
    case none
    /// Loads a product that isn't known.
    case ifUnknown
    /// Loads the product, even if it's known, and then what the caller needs besides.
    case always(also: (@Sendable (@escaping @Sendable (StoreError?) -> Void) -> StoreCall)? = nil)
}

// Every purchase passes through here, with and without `await`: the request with its context, the look-up of the
// product, and the cancellation.
extension StoreCore {
    /// Makes a purchase, which can be canceled in every phase.
    ///
    /// Payments whose products are loaded are submitted in the order of their calls. A call that loads its product
    /// joins the queue when the product is loaded.
    /// - Parameter respond: Called once, on any thread, possibly from inside the call.
    package func purchase(
        _ productID: String, _ options: PurchaseOptions, style: Deliverer.CallStyle,
        lookUp: ProductLookUp = .ifUnknown,
        _ respond: @escaping @Sendable (Result<PurchaseResponse, StoreError>) -> Void
    ) -> StoreCall {
        let reply = Reply<PurchaseResponse>(respond)
        do throws(StoreError) {
            let call = PaymentStateMachine.Call(request: try request(for: productID, options), style: style)
            switch lookUp {
            case .always(let also): return purchaseAfterLookUp(call, also: also, reply)
            case .ifUnknown where !knows(productID): return purchaseAfterLookUp(call, also: nil, reply)
            case .none, .ifUnknown: break
            }
            let id = CallID()
            enqueue(reply) { .purchase(id, call, $0) }
            // A call that is kept after its end doesn't keep the store alive.
            return StoreCall { [weak self] in self?.enqueue(.cancelPurchase(id)) }
        } catch {
            reply.fail(error)
            return .over
        }
    }

    /// Makes a purchase and waits for its response. Canceling the task ends the wait.
    nonisolated(nonsending) func purchase(
        _ productID: String, _ options: PurchaseOptions, _ style: Deliverer.CallStyle, isLoaded: Bool = false
    ) async throws(StoreError) -> PurchaseResponse {
        guard isLoaded || knows(productID) else {
            guard !Task.isCancelled else { throw .cancelled("the purchase of \"\(productID)\"") }
            let promise = Promise<Result<PurchaseResponse, StoreError>>()
            let call = purchase(productID, options, style: style, lookUp: .always()) { promise.fulfill($0) }
            return try await promise.value { call.cancel() }.get()
        }
        // On this task, without waking another one.
        return try await response(to: try loadedPurchase(productID, options, style))
    }

    // Not inlined: see `PromisedInput`.
    @inline(never)
    private func loadedPurchase(
        _ productID: String, _ options: PurchaseOptions, _ style: Deliverer.CallStyle
    ) throws(StoreError) -> CancellableInput<PurchaseResponse> {
        let request = try request(for: productID, options)
        guard !Task.isCancelled else { throw .cancelled("the purchase of \"\(productID)\"") }
        return .purchase(PaymentStateMachine.Call(request: request, style: style))
    }

    /// Returns the payment for a product. Its context gets an identifier, which StoreKit 2 carries if the app gives no
    /// account.
    /// - Throws: What ``PurchaseOptions/request(for:)`` throws.
    private func request(for productID: String, _ options: PurchaseOptions) throws(StoreError) -> PaymentRequest {
        var request = try options.request(for: productID)
        request.identifyContext(isCarried: backend.hostedContent == nil)
        return request
    }

    /// Loads the product, and then adds the call to the queue.
    private func purchaseAfterLookUp(
        _ call: PaymentStateMachine.Call,
        also prepare: (@Sendable (@escaping @Sendable (StoreError?) -> Void) -> StoreCall)?,
        _ reply: Reply<PurchaseResponse>
    ) -> StoreCall {
        let id = CallID()
        let productID = call.request.productID
        let preparation = Locked<StoreCall?>(nil)
        let handle = StoreCall { [weak self] in
            self?.productRequests.cancel(id)
            preparation.withLock { $0 }?.cancel()
            self?.enqueue(.cancelPurchase(id))
        }
        let end: @Sendable (StoreError?) -> Void = { [self] error in
            if let error { return reply.fail(error) }
            guard !handle.isCancelled else { return reply.fail(.cancelled("the purchase of \"\(productID)\"")) }
            enqueue(reply) { .purchase(id, call, $0) }
            // A cancellation in the meantime may have been enqueued before the call.
            if handle.isCancelled { enqueue(.cancelPurchase(id)) }
        }
        productRequests.register(id, [productID], ignoringCache: true) { products in
            do throws(StoreError) {
                guard try !products.get().isEmpty else { throw .unknownProduct(productID) }
                guard let prepare else { return end(nil) }
                let call = prepare(end)
                preparation.withLock { $0 = call }
                // The call may have been canceled in the meantime.
                if handle.isCancelled { call.cancel() }
            } catch {
                end(error)
            }
        }
        return handle
    }
}
