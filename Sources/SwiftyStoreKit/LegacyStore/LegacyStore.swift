package import AsyncStoreKit
import Foundation

/// The old API's functions over one store, without the deprecations: what ``SwiftyStoreKit`` does for the whole process.
///
/// Calls take effect in the order in which they are made, and before they return, on any thread. Completions are called on the main queue.
package final class LegacyStore: Sendable {
    package let store: PurchaseStore
    /// Keeps the objects that the store's values stand for; `nil` over another engine than StoreKit 1.
    let backend: StoreKit1Backend?
    /// Asks for products and the receipt; `nil` where StoreKit 1 has no part.
    let requests: LegacyRequests?
    /// Hears of payments that the app adds to the payment queue; `nil` over StoreKit 1, whose store observes the queue.
    private let watch: PaymentQueueWatch?
    let handlers = Locked(LegacyHandlers())
    /// The order of requests for products.
    let productCalls: CallOrder

    /// Where misuse of the block API is logged besides the store's own log.
    private let ownLog: (@Sendable (StoreLogEvent) -> Void)?

    private init(
        store: PurchaseStore, backend: StoreKit1Backend?, requests: LegacyRequests?, log: (@Sendable (StoreLogEvent) -> Void)? = nil
    ) {
        self.store = store
        self.backend = backend
        self.requests = requests
        productCalls = CallOrder(clock: store.core.clock)
        ownLog = log
        guard backend == nil, let queue = requests?.backend else {
            watch = nil
            return
        }
        let watch = PaymentQueueWatch { [weak core = store.core] in core?.backend.refreshPendingState() }
        self.watch = watch
        queue.add(watch)
    }

    /// - Parameters:
    ///   - store: the store underneath.
    ///   - backend: what it is over, if that is StoreKit's payment queue. Without that every purchase ends with an error.
    package convenience init(store: PurchaseStore, backend: StoreKit1Backend?) {
        self.init(store: store, backend: backend, requests: backend.map { LegacyRequests(store: store, backend: $0) })
    }

    /// - Parameters:
    ///   - store: a store over another engine than StoreKit 1.
    ///   - backend: where products are asked for, and the receipt, and whose queue is watched.
    package convenience init(store: PurchaseStore, requestsFrom backend: StoreKit1Backend) {
        self.init(store: store, backend: nil, requests: LegacyRequests(beside: store, over: backend))
    }

    /// The old API over the process's store.
    /// - Parameter engine: The engine that the app has named.
    convenience init(engine: StoreEngine) {
        let joins = ProcessStore.shared.engine != nil
        let configuration = StoreConfiguration(engine: engine, log: Self.standardLog)
        let store = PurchaseStore(configuration: configuration)
        // A store that was created before uses its own log, which may be empty.
        let log = joins ? Self.standardLog : nil
        if let backend = store.core.backend as? StoreKit1Backend {
            self.init(store: store, backend: backend, requests: LegacyRequests(store: store, backend: backend), log: log)
        } else {
            self.init(store: store, backend: nil, requests: LegacyRequests(beside: store, over: StoreKit1Backend()), log: log)
        }
    }

    /// The old API over a payment queue of its own.
    package convenience init(backend: StoreKit1Backend, configuration: StoreConfiguration) {
        self.init(store: PurchaseStore(over: backend, configuration: configuration.workingOnCallersThread()), backend: backend)
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

    /// Has a call reach StoreKit before the call returns, also if another thread has taken the call's part over.
    func takeEffect() {
        core.takeInputsNow()
    }

    package var canMakePayments: Bool { store.canMakePayments }

    /// What something comes to of which nobody is told.
    func logged(_ what: String) -> @Sendable (Result<Void, StoreError>) -> Void {
        { [weak core] result in
            if case .failure(let error) = result { core?.log(.debug, "\(what): \(error.message)") }
        }
    }
}
