public import AsyncStoreKit

/// The block API of SwiftyStoreKit 0.16.4, over `AsyncStoreKit`.
///
/// Completions and handlers are called on the main queue, each completion exactly once. They may call back into the class at will. Its
/// functions may be called from any thread, and take effect in the order in which they are called.
public class SwiftyStoreKit: BlockAPI {
    private struct Process: Sendable {
        var legacy: LegacyStore?
        /// The engine that the app has named.
        var engine = StoreEngine.storeKit1
    }

    private static let process = Locked(Process())

    /// The engine of the class, and of every `PurchaseStore()` in the app: StoreKit 1 unless you set another.
    ///
    /// Set the engine at launch, before you use the class and before you make a `PurchaseStore`. A process has one engine: setting
    /// another one later changes nothing and is logged. The property always returns the engine that the process uses.
    ///
    /// Over StoreKit 2 the calls, results, threads and order are the same. Transactions are values behind ``PaymentTransaction``, with no
    /// `SKPaymentTransaction` to cast to. Products are `SKProduct`s, by a request of StoreKit 1 that buys nothing. A user name has to be
    /// a UUID, and there is no hosted content.
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
                SwiftyStoreKit or make a PurchaseStore.
                """)
        }
    }

    /// The process's old store, made at first use over `PurchaseStore()`. Tests put their own in its place.
    package static var legacy: LegacyStore {
        get {
            let (legacy, engine) = process.withLock { ($0.legacy, $0.engine) }
            if let legacy { return legacy }
            // Made outside the lock, because the payment queue may report from inside. Two at once share one core.
            let new = LegacyStore(engine: engine)
            return process.withLock { process in
                let legacy = process.legacy ?? new
                process.legacy = legacy
                return legacy
            }
        }
        set { process.withLock { $0.legacy = newValue } }
    }

    /// The store underneath: what this class does and what it does happen in one place, and each transaction is seen once.
    public static var store: PurchaseStore { legacy.store }
}
