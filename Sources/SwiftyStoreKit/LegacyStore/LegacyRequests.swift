import AsyncStoreKit
import StoreKit

/// StoreKit 1's requests for products and for the receipt. These requests don't observe the queue and don't buy
/// products.
///
/// Over StoreKit 1, the store's own backend sends the requests. StoreKit 2 has neither `SKProduct` nor a receipt, so a
/// separate StoreKit 1 backend sends them.
struct LegacyRequests: Sendable {
    let store: PurchaseStore
    let backend: StoreKit1Backend

    init(store: PurchaseStore, backend: StoreKit1Backend) {
        self.store = store
        self.backend = backend
    }

    /// Creates requests for a store over another engine.
    init(beside store: PurchaseStore, over backend: StoreKit1Backend) {
        // The backend is never activated, so it adds no observer to the queue.
        self.init(
            store: PurchaseStore(core: StoreCore(backend: backend, configuration: store.core.requestConfiguration)),
            backend: backend)
    }

    /// Loads products without the cache. Concurrent calls for the same products share one request.
    func products(
        _ productIDs: Set<String>, _ respond: @escaping @Sendable (Result<LegacyProducts, StoreError>) -> Void
    ) -> StoreCall {
        store.core.products(productIDs, ignoringCache: true) { [backend] response in
            // Get the objects immediately, because products of another storefront may replace them.
            respond(
                response.map { response in
                    LegacyProducts(
                        products: response.products.compactMap { backend.product($0.id) },
                        invalidProductIDs: response.invalidProductIDs)
                })
        }
    }
}

/// The response to a request for products, with StoreKit 1's objects.
// @unchecked because: no code changes the products.
struct LegacyProducts: @unchecked Sendable {
    let products: [SKProduct]
    let invalidProductIDs: Set<String>
}

/// A call that consists of several consecutive calls.
final class ChainedCall: Sendable {
    private let state = Locked((calls: [StoreCall](), isCancelled: false))

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Adds a call. If the chain is already canceled, the call is canceled immediately.
    func add(_ call: StoreCall) {
        let isCancelled = state.withLock { state in
            state.calls.append(call)
            return state.isCancelled
        }
        if isCancelled { call.cancel() }
    }

    /// Cancels the running call and all calls that are added later. Canceling an ended call has no effect.
    func cancel() {
        let calls = state.withLock { state in
            state.isCancelled = true
            return state.calls
        }
        for call in calls { call.cancel() }
    }
}
