// The calls of a store without `await`. Responses and events arrive on any thread, possibly from inside the call.
extension StoreCore {
    /// - Parameter takesPartial: Whether the call accepts the transactions that arrived before the restore failed.
    package func restore(
        applicationUsername: String?, style: Deliverer.CallStyle, takesPartial: Bool = false,
        _ respond: @escaping Reply<RestoreResponse>
    ) -> StoreCall {
        let id = CallID()
        let call = StoreStateMachine.RestoreCall(
            applicationUsername: applicationUsername, style: style, takesPartial: takesPartial,
            enclosing: EnclosingDelivery.keys)
        enqueue(respond) { $0.restore(id, call, $1) }
        return StoreCall { [weak self] in self?.enqueue(.cancelRestore(id)) }
    }

    package func finish(_ token: TransactionToken, _ respond: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        enqueue(respond) { $0.finish(token, $1) }
    }

    /// Passes the transactions of the queue that aren't finished, or none if the store is closed.
    package func unfinishedTransactions(_ respond: @escaping @Sendable ([StoreTransaction]) -> Void) {
        enqueue { [self] _ in
            enqueue({ respond((try? $0.get()) ?? []) }, Self.unfinished)
        } _: {
            $0.awaitInitialTransactions(CallID(), $1)
        }
    }

    /// Confirms the delivery of transactions to a call without `await`, as a delivery closure does by returning.
    package func confirmDelivery(of tokens: [TransactionToken]) {
        if !tokens.isEmpty { enqueue(.change { $0.closureEnded(tokens, delivered: true) }) }
    }

    package func control(
        _ command: DownloadCommand, _ downloads: [StoreDownload.ID],
        _ respond: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        enqueue(respond) { $0.controlDownloads(command, downloads, $1) }
    }
}

// Requests.
extension StoreCore {
    /// Requests products. Concurrent calls for the same products share one request.
    ///
    /// The response arrives once: from inside this call if all products are loaded, otherwise on any thread.
    /// - Parameter ignoringCache: Whether to request loaded products, too.
    package func products(
        _ productIDs: some Collection<String>, ignoringCache: Bool = false,
        _ respond: @escaping @Sendable (Result<ProductsResponse, StoreError>) -> Void
    ) -> StoreCall {
        let id = CallID()
        let order = Array(productIDs)
        productRequests.register(id, Set(order), ignoringCache: ignoringCache) { values in
            respond(values.map { ProductsResponse(values: $0, for: order) })
        }
        return StoreCall { [weak self] in self?.productRequests.cancel(id) }
    }

    /// Requests a new receipt. Concurrent calls share one request.
    func refreshReceipt(_ respond: @escaping @Sendable (Result<Void, StoreError>) -> Void) -> StoreCall {
        let id = CallID()
        receiptRequests.register(id, [ReceiptFile()]) { answer in respond(answer.map { _ in }) }
        return StoreCall { [weak self] in self?.receiptRequests.cancel(id) }
    }
}

// Events.
extension StoreCore {
    /// Subscribes to batches of purchases that don't answer a call, beginning with the unfinished ones.
    package func onBatch(_ handle: @escaping @Sendable ([PurchaseRecord]) -> Void) -> StoreCall {
        listen(handle, EventSubscription.batches)
    }

    package func onRevocation(_ handle: @escaping @Sendable (PurchaseRevocation) -> Void) -> StoreCall {
        listen(handle) { EventSubscription($0, to: \.revocations, $1) }
    }

    /// Subscribes to downloads, in the batches in which the queue reports them. Call it once.
    /// - Parameter handle: Calls its second argument when the content isn't needed any longer. Until then, the
    ///   transaction isn't finished, because StoreKit then deletes the content.
    package func onDownloads(
        _ handle: @escaping @Sendable ([StoreDownload], _ isHandled: @escaping @Sendable () -> Void) -> Void
    ) {
        let reports = Subscriber<[StoreDownload]> { [weak self] changed in
            handle(changed) { [weak self] in _ = self?.enqueue(.change { $0.contentHandled(changed) }) }
        }
        let subscription = EventSubscription(CallID(), to: \.downloads, reports)
        // One input, because each report that is counted has to be handled.
        enqueue(
            StoreInput { actor in
                actor.subscribe(subscription)
                actor.change { $0.contentReports = [:] }
            })
    }

    package func listen<Event: Sendable>(
        _ handle: @escaping @Sendable (Event) -> Void, _ subscription: (CallID, Subscriber<Event>) -> EventSubscription
    ) -> StoreCall {
        let id = CallID()
        enqueue(.subscribe(subscription(id, Subscriber(send: handle))))
        return StoreCall { [weak self] in self?.enqueue(.unsubscribe(id)) }
    }
}
