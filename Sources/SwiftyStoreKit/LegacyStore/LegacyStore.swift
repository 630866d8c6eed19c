package import AsyncStoreKit
import Foundation
import StoreKit

/// The functions of the block API over one store, without deprecations. ``SwiftyStoreKit`` uses one instance for the
/// process.
///
/// Call every function from any thread. Calls take effect in order. Completions run on the main thread.
package final class LegacyStore: Sendable {
    package let store: PurchaseStore
    /// Keeps StoreKit's objects for the store's values; `nil` over another engine than StoreKit 1.
    let backend: StoreKit1Backend?
    /// Loads products and the receipt; `nil` without a StoreKit 1 backend.
    let requests: LegacyRequests?
    /// Observes payments that the app adds to the payment queue; `nil` over StoreKit 1, whose store observes the queue.
    private let watch: PaymentQueueWatch?
    let handlers = Locked(LegacyHandlers())

    /// An additional log for misuse of the block API.
    private let ownLog: (@Sendable (StoreLogEvent) -> Void)?

    private init(
        store: PurchaseStore, backend: StoreKit1Backend?, requests: LegacyRequests?,
        log: (@Sendable (StoreLogEvent) -> Void)? = nil
    ) {
        self.store = store
        self.backend = backend
        self.requests = requests
        ownLog = log
        guard backend == nil, let queue = requests?.backend.environment.queue else {
            watch = nil
            return
        }
        let watch = PaymentQueueWatch { [weak core = store.core] in core?.backend.refreshPendingState() }
        self.watch = watch
        queue.add(watch)
    }

    /// Creates the block API over a store.
    ///
    /// - Parameters:
    ///   - store: The underlying store.
    ///   - backend: The store's backend, if that is StoreKit's payment queue. Without it, every purchase fails with an
    ///     error.
    package convenience init(store: PurchaseStore, backend: StoreKit1Backend?) {
        self.init(store: store, backend: backend, requests: backend.map { LegacyRequests(store: store, backend: $0) })
    }

    /// Creates the block API over a store of another engine than StoreKit 1.
    ///
    /// - Parameters:
    ///   - store: The underlying store.
    ///   - backend: The backend that loads products and the receipt, and whose queue is observed.
    package convenience init(store: PurchaseStore, requestsFrom backend: StoreKit1Backend) {
        self.init(store: store, backend: nil, requests: LegacyRequests(beside: store, over: backend))
    }

    /// Creates the block API over the store of the process.
    ///
    /// - Parameter engine: The engine that the app selected.
    convenience init(engine: StoreEngine) {
        let joins = ProcessStore.shared.engine != nil
        let configuration = StoreConfiguration(engine: engine, log: Self.standardLog)
        let store = PurchaseStore(configuration: configuration)
        // A store that was created before uses its own log, which may be empty.
        let log = joins ? Self.standardLog : nil
        if let backend = store.core.backend as? StoreKit1Backend {
            self.init(
                store: store, backend: backend, requests: LegacyRequests(store: store, backend: backend), log: log)
        } else {
            self.init(
                store: store, backend: nil, requests: LegacyRequests(beside: store, over: StoreKit1Backend()), log: log)
        }
    }

    /// Creates the block API over a separate payment queue.
    package convenience init(backend: StoreKit1Backend, configuration: StoreConfiguration) {
        self.init(store: PurchaseStore(over: backend, configuration: configuration), backend: backend)
    }

    var core: StoreCore { store.core }
    var engine: StoreEngine { backend == nil ? .storeKit2 : .storeKit1 }

    /// Logs misuse of the block API, and the results of calls without a completion.
    func log(_ level: StoreLogEvent.Level, _ message: String) {
        core.log(level, message)
        ownLog?(StoreLogEvent(level, message))
    }

    /// Warnings on standard error, where Xcode's console shows them.
    private static let standardLog = StoreLogSink.lines(from: .warning)

    package var canMakePayments: Bool { store.canMakePayments }

    /// Returns a completion that logs the failure of a call whose caller gets no result.
    func logFailure(of action: String) -> @Sendable (Result<Void, StoreError>) -> Void {
        { [weak core] result in
            if case .failure(let error) = result { core?.log(.debug, "\(action): \(error.message)") }
        }
    }
}
