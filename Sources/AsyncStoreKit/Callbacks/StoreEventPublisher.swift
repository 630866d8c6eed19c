#if canImport(Combine)
    public import Combine

    /// Publishes the events of a store on the main queue. Each subscriber receives every event; events are buffered
    /// until the subscriber requests them.
    public struct StoreEventPublisher<Output: Sendable>: Publisher {
        /// The publisher doesn't fail. It doesn't complete either: it sends nothing after the store is closed.
        public typealias Failure = Never

        fileprivate let listen: @Sendable (@escaping StoreCallbacks.Handler<Output>) -> StoreCall

        /// Attaches a subscriber. Cancel the subscription to stop receiving events.
        public func receive<S: Combine.Subscriber<Output, Never>>(subscriber: S) {
            let relay = Relay<Output>()
            // Buffers the elements that the subscriber hasn't requested yet.
            relay.subject.buffer(size: .max, prefetch: .keepFull, whenFull: .dropNewest)
                .handleEvents(receiveCancel: { relay.cancel() }).receive(subscriber: subscriber)
            relay.start(listen { relay.subject.send($0) })
        }
    }

    // @unchecked because: the subject locks itself, and the rest is locked.
    private final class Relay<Output: Sendable>: @unchecked Sendable {
        let subject = PassthroughSubject<Output, Never>()
        private let state = Locked((call: StoreCall?.none, isCancelled: false))

        func start(_ call: StoreCall) {
            let isCancelled = state.withLock { state in
                state.call = call
                return state.isCancelled
            }
            if isCancelled { call.cancel() }
        }

        func cancel() {
            let call = state.withLock { state in
                state.isCancelled = true
                return state.call
            }
            call?.cancel()
        }
    }

    extension StoreCallbacks {
        /// ``PurchaseStore/transactions`` as a publisher. Receiving a purchase doesn't finish it.
        public var transactionPublisher: StoreEventPublisher<StorePurchase> { .init { onTransaction($0) } }
        /// ``PurchaseStore/purchaseFailures`` as a publisher.
        public var failurePublisher: StoreEventPublisher<PurchaseFailure> { .init { onFailure($0) } }
        /// ``PurchaseStore/revocations`` as a publisher.
        public var revocationPublisher: StoreEventPublisher<PurchaseRevocation> { .init { onRevocation($0) } }
        /// ``PurchaseStore/entitlements`` as a publisher.
        public var entitlementsPublisher: StoreEventPublisher<StoreEntitlements> { .init { onEntitlements($0) } }
        /// ``PurchaseStore/purchaseIntents`` as a publisher.
        public var purchaseIntentPublisher: StoreEventPublisher<StorePurchaseIntent> { .init { onPurchaseIntent($0) } }
    }
#endif
