public import AsyncStoreKit

/// The block API of SwiftyStoreKit 0.16.4, over ``AsyncStoreKit``.
///
/// Completions and handlers are called on the main queue, each completion exactly once. They may call back into the class at will. Its
/// functions may be called from any thread, and take effect in the order in which they are called.
public class SwiftyStoreKit {
    private static let current = Locked<LegacyStore?>(nil)

    /// The process's old store, made at first use over `PurchaseStore()`. Tests put their own in its place.
    package static var legacy: LegacyStore {
        get {
            if let legacy = current.withLock({ $0 }) { return legacy }
            // Made outside the lock, because the payment queue may report from inside. Two at once share one core.
            let new = LegacyStore(
                store: PurchaseStore(configuration: StoreConfiguration(engine: .storeKit1)),
                backend: ProcessStore.shared.backend as? StoreKit1Backend)
            return current.withLock { current in
                let legacy = current ?? new
                current = legacy
                return legacy
            }
        }
        set { current.withLock { $0 = newValue } }
    }

    /// The store underneath: what this class does and what it does happen in one place, and each transaction is seen once.
    public static var store: PurchaseStore { legacy.store }
}
