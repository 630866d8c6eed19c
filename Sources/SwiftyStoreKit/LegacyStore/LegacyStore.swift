package import AsyncStoreKit
import Foundation

/// The old API's functions over one store, without the deprecations: what ``SwiftyStoreKit`` does for the whole process.
///
/// Each function enqueues its call before it returns, so that calls take effect in the order in which they are made. Completions are
/// called on the main queue.
package final class LegacyStore: Sendable {
    package let store: PurchaseStore
    /// Keeps the objects that the store's values stand for; `nil` over another engine than StoreKit 1.
    let backend: StoreKit1Backend?
    /// Asks for products and the receipt; `nil` where StoreKit 1 has no part.
    let requests: LegacyRequests?
    let handlers = Locked(LegacyHandlers())

    /// - Parameters:
    ///   - store: the store underneath.
    ///   - backend: what it is over, if that is StoreKit's payment queue. Without that every purchase ends with an error.
    package init(store: PurchaseStore, backend: StoreKit1Backend?) {
        self.store = store
        self.backend = backend
        requests = backend.map { LegacyRequests(store: store, backend: $0) }
    }

    /// - Parameters:
    ///   - store: a store over another engine than StoreKit 1.
    ///   - backend: where products are asked for, and the receipt, and nothing else.
    package init(store: PurchaseStore, requestsFrom backend: StoreKit1Backend) {
        self.store = store
        self.backend = nil
        requests = LegacyRequests(beside: store, over: backend)
    }

    /// The old API over the process's store: a new one over an engine, or the one that there is.
    /// - Parameter engine: what was asked for; `nil` takes what is there, else StoreKit 1.
    convenience init(joining engine: StoreEngine?) {
        let isThere = ProcessStore.shared.backend != nil
        let configuration = StoreConfiguration(engine: engine ?? (isThere ? .automatic : .storeKit1))
        let store = PurchaseStore(configuration: configuration.workingOnMainThread())
        if let backend = ProcessStore.shared.backend as? StoreKit1Backend {
            self.init(store: store, backend: backend)
        } else {
            self.init(store: store, requestsFrom: StoreKit1Backend())
        }
    }

    /// The old API over a payment queue of its own.
    package convenience init(backend: StoreKit1Backend, configuration: StoreConfiguration) {
        self.init(store: PurchaseStore(over: backend, configuration: configuration.workingOnMainThread()), backend: backend)
    }

    var core: StoreCore { store.core }

    package var canMakePayments: Bool { store.canMakePayments }

    /// What something comes to of which nobody is told.
    func logged(_ what: String) -> @Sendable (Result<Void, StoreError>) -> Void {
        { [weak core] result in
            if case .failure(let error) = result { core?.log(.debug, "\(what): \(error.message)") }
        }
    }
}
