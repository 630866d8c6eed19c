#if canImport(Combine)
    public import Combine

    /// The events of a store as a publisher. Every subscriber gets every event, on the main queue, and none is dropped for being early.
    public struct StoreEventPublisher<Output: Sendable>: Publisher {
        /// It does not fail. It does not end either: when the store is closed, nothing comes any more.
        public typealias Failure = Never

        fileprivate let listen: @Sendable (@escaping StoreCallbacks.Handler<Output>) -> StoreCall

        /// Starts to listen; cancelling the subscription ends that.
        public func receive<S: Combine.Subscriber<Output, Never>>(subscriber: S) {
            let relay = Relay<Output>()
            // What the subscriber has not asked for yet is kept.
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
        /// ``PurchaseStore/transactions`` as a publisher. Receiving finishes nothing.
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
