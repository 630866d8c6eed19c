package import AsyncStoreKit
import Foundation

/// The old API's functions over one store, without the deprecations: what ``SwiftyStoreKit`` does for the whole process.
///
/// Each function hands its call to the store's one channel before it returns, so that calls take effect in the order in which they are
/// made. Answers come on the main queue.
package final class LegacyStore: Sendable {
    package let store: PurchaseStore
    let handlers = Locked(LegacyHandlers())

    /// - Parameter store: one over StoreKit's payment queue; over another backend every call ends with an error.
    package init(store: PurchaseStore) {
        self.store = store
    }

    var core: StoreCore { store.core }

    /// Keeps the objects that the store's values stand for.
    var backend: StoreKit1Backend? { core.storeKitBackend }

    package var canMakePayments: Bool { store.canMakePayments }

    /// What finishing comes to when it is told to nobody.
    func logged(_ what: String) -> Reply<Void> {
        Reply { [weak core] answer in
            if case .failure(let error) = answer { core?.log(.debug, "\(what): \(error.message)") }
        }
    }
}
