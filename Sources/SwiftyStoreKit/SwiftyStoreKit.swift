public import AsyncStoreKit

/// The block API of SwiftyStoreKit 0.16.4, over `AsyncStoreKit`.
///
/// Completions and handlers are called on the main queue, each completion exactly once. They may call back into the class at will. Its
/// functions may be called from any thread, and take effect in the order in which they are called.
public class SwiftyStoreKit {
    private struct Process: Sendable {
        var legacy: LegacyStore?
        /// What was asked for before the first use.
        var engine: StoreEngine?
    }

    private static let process = Locked(Process())

    /// Which of StoreKit's engines the class runs over: StoreKit 1, unless something else is said before the first use, or a
    /// `PurchaseStore` has been made before. A process has one engine: what is said later is logged, and changes nothing.
    ///
    /// Over StoreKit 2 the calls, results, threads and order are the same. Transactions are values behind ``PaymentTransaction``, with no
    /// `SKPaymentTransaction` to cast to; products are `SKProduct`s, by a request of StoreKit 1 that buys nothing; a user name has to be
    /// a UUID; and there is no hosted content.
    public static var engine: StoreEngine {
        get {
            let (legacy, engine) = process.withLock { ($0.legacy, $0.engine) }
            guard let legacy else { return engine ?? .storeKit1 }
            return legacy.backend == nil ? .storeKit2 : .storeKit1
        }
        set {
            let legacy = process.withLock { process in
                if process.legacy == nil { process.engine = newValue }
                return process.legacy
            }
            legacy?.core.log(.warning, "The engine of SwiftyStoreKit is chosen before its first use: \(newValue) comes too late.")
        }
    }

    /// The process's old store, made at first use over `PurchaseStore()`. Tests put their own in its place.
    package static var legacy: LegacyStore {
        get {
            let (legacy, engine) = process.withLock { ($0.legacy, $0.engine) }
            if let legacy { return legacy }
            // Made outside the lock, because the payment queue may report from inside. Two at once share one core.
            let new = LegacyStore(joining: engine)
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
