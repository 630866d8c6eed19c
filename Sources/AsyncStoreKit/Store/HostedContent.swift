/// The progress of a purchase's hosted content.
///
/// A loop starts the waiting downloads, and failed ones again. Paused downloads stay paused. The loop receives the
/// current progress and then every change; if there are several changes between two reads, it receives the latest. The
/// last element has all ``HostedContentProgress/localURLs``. A purchase without hosted content has one element, which
/// is finished.
///
/// Canceling the task of the loop cancels the downloads, and the loop throws ``StoreError/Code/taskCancelled``. If you
/// leave the loop, the downloads continue. Several loops can run at the same time.
///
/// The loop throws ``StoreError/Code/downloadFailed`` after all downloads have ended and some have failed,
/// ``StoreError/Code/downloadCancelled`` if they were canceled elsewhere, ``StoreError/Code/transactionFinished`` if
/// the transaction is finished, ``StoreError/Code/unknownTransaction`` if it belongs to another store,
/// ``StoreError/Code/unsupported`` over StoreKit 2, which has no hosted content, and ``StoreError/Code/storeClosed``.
public struct HostedContent: AsyncSequence, Sendable {
    /// The progress of the downloads.
    public typealias Element = HostedContentProgress

    let token: TransactionToken
    let core: StoreCore

    /// Starts the downloads.
    public func makeAsyncIterator() -> Iterator {
        Iterator(token: token, core: core)
    }

    /// Returns progress values in order. Not Sendable: each task makes its own.
    public struct Iterator: AsyncIteratorProtocol {
        private let token: TransactionToken
        private let core: StoreCore
        private var events: AsyncStream<HostedContentEvent>.Iterator
        private var isOver = false

        fileprivate init(token: TransactionToken, core: StoreCore) {
            self.token = token
            self.core = core
            // Without hosted content the first element is an error.
            let isSupported = core.backend.hostedContent != nil
            events =
                isSupported
                ? core.contentEvents(of: token).makeAsyncIterator() : AsyncStream { $0.finish() }.makeAsyncIterator()
        }

        /// Returns the next progress; `nil` after the last one, and after an error.
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
            // Read once after the wait, so that a cancellation never ends the loop without ending the downloads.
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
    /// Creates a stream of the progress of one transaction's content. A slow loop receives only the newest state. The
    /// last one stays.
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
