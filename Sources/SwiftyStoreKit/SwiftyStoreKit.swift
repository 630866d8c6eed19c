public import AsyncStoreKit

/// The block API of SwiftyStoreKit 0.16.4, over `AsyncStoreKit`.
///
/// Completions and handlers are called on the main thread, each completion exactly once and after its call has
/// returned. They may call functions of this class. Call the functions from any thread; they take effect in the order
/// of the calls.
public class SwiftyStoreKit {
    private struct Process: Sendable {
        var legacy: LegacyStore?
        /// The engine that the app selected.
        var engine = StoreEngine.storeKit1
    }

    private static let process = Locked(Process())

    /// The engine of the class: StoreKit 1 unless you set another.
    ///
    /// Set the engine at launch, before you use the class and before you create a `PurchaseStore`. A process has one
    /// engine, and the first store decides: if a `PurchaseStore` over another engine exists, the class joins it and
    /// logs an error. Setting another engine later has no effect and is logged. The property always returns the engine
    /// that the process uses. `PurchaseStore()` doesn't ask for this engine; use ``store`` instead.
    ///
    /// Over StoreKit 2 the calls, results, threads and order are the same. Transactions are values of
    /// ``PaymentTransaction`` that you can't cast to `SKPaymentTransaction`. Products are `SKProduct`s, which StoreKit
    /// 1 loads. A user name must be a UUID, and hosted content isn't available.
    public static var engine: StoreEngine {
        get {
            let (legacy, engine) = process.withLock { ($0.legacy, $0.engine) }
            return legacy?.engine ?? ProcessStore.shared.engine ?? engine
        }
        set {
            let engine = newValue.resolved
            let legacy = process.withLock { $0.legacy }
            guard let current = legacy?.engine ?? ProcessStore.shared.engine, current != engine else {
                return process.withLock { $0.engine = engine }
            }
            (legacy ?? self.legacy).log(
                .warning,
                """
                The engine of SwiftyStoreKit stays \(current), because a process has one engine. Set \(engine) before you use \
                SwiftyStoreKit or create a PurchaseStore.
                """)
        }
    }

    /// The legacy store of the process, created at first use over `PurchaseStore()`. Tests replace this store.
    package static var legacy: LegacyStore {
        get {
            let (legacy, engine) = process.withLock { ($0.legacy, $0.engine) }
            if let legacy { return legacy }
            // Create the store outside the lock, because the payment queue may call back synchronously. Stores that two
            // threads create at the same time share one core.
            let new = LegacyStore(engine: engine)
            return process.withLock { process in
                let legacy = process.legacy ?? new
                process.legacy = legacy
                return legacy
            }
        }
        set { process.withLock { $0.legacy = newValue } }
    }

    /// The underlying store. Use the store together with this class: both share one queue, and each transaction arrives
    /// once.
    public static var store: PurchaseStore { legacy.store }
}
