import AsyncStoreKit
import StoreKit

/// StoreKit 1's requests, for products and for the receipt: they observe no queue, and buy nothing.
///
/// Over StoreKit 1 the store's own; over StoreKit 2, which has neither `SKProduct` nor a receipt, beside the store.
struct LegacyRequests: Sendable {
    let store: PurchaseStore
    let backend: StoreKit1Backend

    init(store: PurchaseStore, backend: StoreKit1Backend) {
        self.store = store
        self.backend = backend
    }

    /// Requests beside a store over another engine.
    init(beside store: PurchaseStore, over backend: StoreKit1Backend) {
        // Never activated: no observer is added to the queue.
        self.init(store: PurchaseStore(core: StoreCore(backend: backend, configuration: store.core.requestConfiguration)), backend: backend)
    }

    /// Asks for products anew; callers that want the same at the same time share one request.
    func products(
        _ productIDs: Set<String>, _ respond: @escaping @Sendable (Result<LegacyProducts, StoreError>) -> Void
    ) -> StoreCall {
        store.core.products(productIDs, anew: true) { [backend] response in
            // Looked up at once: another storefront's products may take their place.
            respond(
                response.map { response in
                    LegacyProducts(
                        products: response.products.compactMap { backend.product($0.id) }, invalidProductIDs: response.invalidProductIDs)
                })
        }
    }
}

/// What the App Store says about products, in StoreKit 1's objects.
// @unchecked because: nobody changes the products.
struct LegacyProducts: @unchecked Sendable {
    let products: [SKProduct]
    let invalidProductIDs: Set<String>
}

/// A call that is made of several, one after the other.
final class ChainedCall: Sendable {
    private let state = Locked((calls: [StoreCall](), isCancelled: false))

    /// Adds a call; it is cancelled at once when the whole has been.
    func add(_ call: StoreCall) {
        let isCancelled = state.withLock { state in
            state.calls.append(call)
            return state.isCancelled
        }
        if isCancelled { call.cancel() }
    }

    /// Cancels what is under way, and what is still to come. A call that has ended does nothing for it.
    func cancel() {
        let calls = state.withLock { state in
            state.isCancelled = true
            return state.calls
        }
        for call in calls { call.cancel() }
    }
}
