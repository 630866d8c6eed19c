extension PurchaseStore {
    /// What no call was waiting for: renewals, approvals, interrupted purchases, other devices, earlier launches.
    ///
    /// Every access is a new subscription, and every subscriber gets everything: first what is unfinished and not being
    /// delivered at the moment, then what comes. Iterating finishes nothing; say ``TransactionUpdate/finish()`` when the
    /// content is delivered. Everything in here is paid for and is to be unlocked; what came to nothing is on ``purchaseFailures``.
    /// Dropping the stream, leaving the loop and cancelling its task unsubscribe; the stream ends when the store is closed.
    public var transactions: AsyncStream<TransactionUpdate> {
        core.subscription(StoreInput.subscribeToTransactions) { [weak core] record in
            core.map { TransactionUpdate(record, core: $0) }
        }
    }

    /// What came to nothing while no call was waiting for it: approvals that were declined, deliveries that were refused.
    ///
    /// Every access is a new subscription. What happened before there was any is kept for the first.
    public var purchaseFailures: AsyncStream<PurchaseFailure> {
        core.subscription(StoreInput.subscribeToFailures) { $0 }
    }
}

extension StoreCore {
    /// A stream of what the queue's actor tells a subscriber. It does not keep the store alive.
    func subscription<Event: Sendable, Element: Sendable>(
        _ input: (CallID, Subscriber<Event>) -> StoreInput,
        buffering: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded, _ element: @escaping @Sendable (Event) -> Element?
    ) -> AsyncStream<Element> {
        let id = CallID()
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: buffering)
        continuation.onTermination = { [weak self] _ in self?.send(.unsubscribe(id)) }
        let subscriber = Subscriber<Event>(
            send: { event in if let element = element(event) { continuation.yield(element) } },
            finish: { continuation.finish() })
        if !send(input(id, subscriber)) { continuation.finish() }
        return stream
    }
}

extension TransactionUpdate {
    init(_ record: TransactionRecord, core: StoreCore) {
        self.init(
            transaction: record.transaction, pendingPurchase: record.pendingPurchase, isDelivered: record.isDelivered,
            isRedelivery: record.isRedelivery, core: core)
    }
}
