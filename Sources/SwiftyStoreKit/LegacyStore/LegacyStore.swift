package import AsyncStoreKit
import Foundation

/// The old API's functions over one store, without the deprecations: what ``SwiftyStoreKit`` does for the whole process.
///
/// Each function enqueues its call before it returns, so that calls take effect in the order in which they are made. Completions are
/// called on the main queue.
package final class LegacyStore: Sendable {
    package let store: PurchaseStore
    /// Keeps the objects that the store's values stand for.
    let backend: StoreKit1Backend?
    let handlers = Locked(LegacyHandlers())

    /// - Parameters:
    ///   - store: the store underneath.
    ///   - backend: what it is over; without StoreKit's payment queue every purchase ends with an error.
    package init(store: PurchaseStore, backend: StoreKit1Backend?) {
        self.store = store
        self.backend = backend
    }

    /// The old API over a payment queue of its own.
    package convenience init(backend: StoreKit1Backend, configuration: StoreConfiguration) {
        self.init(store: PurchaseStore(over: backend, configuration: configuration), backend: backend)
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
