// The calls of a store for those who do not wait in a task. Responses and events come on any thread, and from inside a call that can be
// responded to at once; what is told there takes effect before anything later does.
extension StoreCore {
    /// Buys. The place in line is taken before this returns, also when the product has to be looked up first. A look-up asks the App Store
    /// anew. Payments whose products were looked up are submitted in the order of their calls; a payment for a known product doesn't wait
    /// for look-ups. The call can be cancelled in every phase: the look-up, the line, the payment.
    /// - Parameters:
    ///   - isKnown: Whether the product need not be looked up.
    ///   - prepare: Asks for what the caller needs besides the product, after the look-up.
    ///   - respond: Called once.
    package func purchase(
        _ request: PaymentRequest, isKnown: Bool, style: Deliverer.CallStyle,
        after prepare: (@Sendable (@escaping @Sendable (StoreError?) -> Void) -> StoreCall)? = nil,
        _ respond: @escaping @Sendable (Result<PurchaseResponse, StoreError>) -> Void
    ) -> StoreCall {
        let id = CallID()
        let call = PaymentStateMachine.Call(request: request, style: style)
        let reply = Reply<PurchaseResponse>(respond)
        let preparation = Locked<StoreCall?>(nil)
        // Who keeps the call for longer than it lasts keeps no store alive.
        let handle = StoreCall { [weak self] in
            self?.productRequests.cancel(id)
            preparation.withLock { $0 }?.cancel()
            self?.enqueueNow(.cancelPurchase(id))
            self?.lookUps.leave(id)
        }
        guard !isKnown else {
            enqueue(reply) { .purchase(id, call, $0) }
            return handle
        }
        let end: @Sendable (StoreError?) -> Void = { [self] error in
            guard let error else { return lookUps.pass(id) { [self] in enqueue(reply) { .purchaseReserved(id, call, $0) } } }
            enqueueNow(.withdrawPayment(id))
            lookUps.leave(id)
            reply.fail(error)
        }
        lookUps.enter(id)
        enqueueNow(.reservePayment(id))
        requestProducts(id, [request.productID], anew: true) { result in
            do throws(StoreError) {
                guard try !result.get().isEmpty else { throw .unknownProduct(request.productID) }
                guard let prepare else { return end(nil) }
                let call = prepare(end)
                preparation.withLock { $0 = call }
                // It may have been cancelled while this was on its way.
                if handle.isCancelled { call.cancel() }
            } catch {
                end(error)
            }
        }
        return handle
    }

    /// Restores.
    /// - Parameters:
    ///   - takesPartial: Whether what had come before the restore failed is the call's, as if it had succeeded.
    ///   - respond: Called once.
    package func restore(
        applicationUsername: String?, style: Deliverer.CallStyle, takesPartial: Bool = false,
        _ respond: @escaping @Sendable (Result<RestoreResponse, StoreError>) -> Void
    ) -> StoreCall {
        let id = CallID()
        let call = StoreStateMachine.RestoreCall(applicationUsername: applicationUsername, style: style, takesPartial: takesPartial)
        enqueue(Reply(respond)) { .restore(id, call, $0) }
        return StoreCall { [weak self] in self?.enqueueNow(.cancelRestore(id)) }
    }

    /// Finishes a transaction that its caller has delivered.
    package func finish(_ token: TransactionToken, _ respond: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        enqueue(Reply(respond)) { .finish(token, $0) }
    }

    /// Says that what a call without `await` was handed has been delivered, as the return of a delivery closure does. A store that works on
    /// its callers' threads finishes the transactions before this returns.
    package func confirmDelivery(of tokens: [TransactionToken]) {
        guard !tokens.isEmpty else { return }
        enqueueNow(.deliveredAll(tokens))
        takeInputsNow()
    }

    /// Starts, halts or withdraws downloads.
    package func control(
        _ command: DownloadCommand, _ downloads: [StoreDownload.ID], _ respond: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        enqueue(Reply(respond)) { .controlDownloads(command, downloads, $0) }
    }
}

// Requests.
extension StoreCore {
    /// Asks for products under an ID by which the wait can be cancelled.
    ///
    /// What is known is not asked for again unless `anew` says so; callers that want the same at the same time share one request. The
    /// response is given once: from inside this call when everything is known, otherwise on any thread.
    func requestProducts(
        _ id: CallID, _ productIDs: some Collection<String>, anew: Bool = false,
        _ respond: @escaping @Sendable (Result<ProductsResponse, StoreError>) -> Void
    ) {
        let order = Array(productIDs)
        productRequests.register(id, Set(order), anew: anew) { values in
            respond(values.map { ProductsResponse(values: $0, for: order) })
        }
    }

    /// Asks for products.
    /// - Parameter anew: Whether the App Store is asked although they are known.
    package func products(
        _ productIDs: some Collection<String>, anew: Bool = false,
        _ respond: @escaping @Sendable (Result<ProductsResponse, StoreError>) -> Void
    ) -> StoreCall {
        let id = CallID()
        requestProducts(id, productIDs, anew: anew, respond)
        return StoreCall { [weak self] in self?.productRequests.cancel(id) }
    }

    /// Asks for a new receipt; callers at the same time share one request.
    func refreshReceipt(_ respond: @escaping @Sendable (Result<Void, StoreError>) -> Void) -> StoreCall {
        let id = CallID()
        receiptRequests.register(id, [ReceiptFile()]) { answer in respond(answer.map { _ in }) }
        return StoreCall { [weak self] in self?.receiptRequests.cancel(id) }
    }
}

// Events.
extension StoreCore {
    /// Listens to everything that answers no call, as the queue reported it together, beginning with the unfinished ones.
    package func onBatch(_ handle: @escaping @Sendable ([PurchaseRecord]) -> Void) -> StoreCall {
        listen(handle, EventSubscription.batches)
    }

    /// Listens to every purchase that answers no call, beginning with the unfinished ones. The handler is called while
    /// the store offers the purchase.
    package func onPurchase(_ handle: @escaping @Sendable (PurchaseRecord) -> Void) -> StoreCall {
        listen(handle, EventSubscription.purchases)
    }

    /// Listens to what was taken away.
    package func onRevocation(_ handle: @escaping @Sendable (PurchaseRevocation) -> Void) -> StoreCall {
        listen(handle) { EventSubscription($0, to: \.revocations, $1) }
    }

    /// Listens to downloads, as the queue reported them together.
    package func onDownloads(_ handle: @escaping @Sendable ([StoreDownload]) -> Void) -> StoreCall {
        listen(handle) { EventSubscription($0, to: \.downloadBatches, $1) }
    }

    func listen<Event: Sendable>(
        _ handle: @escaping @Sendable (Event) -> Void, _ subscription: (CallID, Subscriber<Event>) -> EventSubscription
    ) -> StoreCall {
        let id = CallID()
        enqueue(.subscribe(subscription(id, Subscriber(send: handle))))
        return StoreCall { [weak self] in self?.enqueue(.unsubscribe(id)) }
    }
}
