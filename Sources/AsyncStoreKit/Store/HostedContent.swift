/// The hosted content of one purchase, on its way.
///
/// A loop over it starts the downloads that wait, and those that failed before; what somebody has halted stays halted. It gets
/// the state at first and whenever it has changed, of several changes in between only the latest, and ends with the
/// one that has all ``HostedContentProgress/localURLs``. A purchase without hosted content gives one that is finished.
///
/// Cancelling the task of the loop cancels the downloads, and the loop throws ``StoreError/Code/taskCancelled``. Leaving the loop
/// does not: they go on. Each loop is one of its own; several may run at the same time.
///
/// The loop throws ``StoreError/Code/downloadFailed`` when all have come to an end and some have failed,
/// ``StoreError/Code/downloadCancelled`` when somebody else withdrew them, ``StoreError/Code/transactionFinished`` when the
/// transaction is finished, after which nothing can be downloaded, ``StoreError/Code/unknownTransaction`` when it is not one of
/// this store's, ``StoreError/Code/unsupported`` when the store's engine has no hosted content, as StoreKit 2, and
/// ``StoreError/Code/storeClosed``.
public struct HostedContent: AsyncSequence, Sendable {
    /// How far the downloads are.
    public typealias Element = HostedContentProgress

    let token: TransactionToken
    let core: StoreCore

    /// Starts the downloads.
    public func makeAsyncIterator() -> Iterator {
        Iterator(token: token, core: core)
    }

    /// Gives one state after the other. Not Sendable: each task makes its own.
    public struct Iterator: AsyncIteratorProtocol {
        private let token: TransactionToken
        private let core: StoreCore
        private var events: AsyncStream<HostedContentEvent>.Iterator
        private var isOver = false

        fileprivate init(token: TransactionToken, core: StoreCore) {
            self.token = token
            self.core = core
            // Without hosted content there is nothing to wait for, and the first element is an error.
            let isSupported = core.backend.hostedContent != nil
            events = isSupported ? core.contentEvents(of: token).makeAsyncIterator() : AsyncStream { $0.finish() }.makeAsyncIterator()
        }

        /// The next state; `nil` after the last one, and after an error.
        @concurrent
        public mutating func next() async throws -> HostedContentProgress? {
            guard !isOver else { return nil }
            guard core.backend.hostedContent != nil else {
                isOver = true
                throw StoreError(
                    .unsupported,
                    "The store's engine has no hosted content. Use StoreKit 1: StoreConfiguration(engine: .storeKit1).")
            }
            let event = await events.next()
            // Asked once, when the wait is over: so no cancellation ends the loop and leaves the downloads running.
            let isCancelled = Task.isCancelled
            isOver = isCancelled || event?.isLast ?? true
            guard !isCancelled else {
                core.enqueue(.cancelContent(token))
                throw StoreError.cancelled("hosted content")
            }
            guard let event else { throw StoreError.storeClosed }
            return try event.progress.get()
        }
    }
}

extension StoreCore {
    /// What becomes of the content of one transaction, from here on. Only the newest state counts for a loop that is slow, and the last
    /// one stays.
    fileprivate func contentEvents(of token: TransactionToken) -> AsyncStream<HostedContentEvent> {
        let events = stream(
            { id, subscriber in
                let own = Subscriber<HostedContentEvent> { event in
                    guard event.token == token else { return }
                    subscriber.send(event)
                    if event.isLast { subscriber.finish() }
                } finish: {
                    subscriber.finish()
                }
                return EventSubscription(id, to: \.hostedContent, own)
            }, buffering: .bufferingNewest(1), { $0 })
        enqueue(.startContent(token))
        return events
    }
}
