public import Foundation

/// One launch of the app on the simulated device, with its payment queue, requests and receipt file.
///
/// A launch ends when a newer launch begins. Then the launch receives no more events, and its calls have no effect.
public final class SimulatedLaunch: Sendable {
    /// The App Store of the launch.
    public let store: SimulatedAppStore
    let number: UInt64

    init(store: SimulatedAppStore, number: UInt64) {
        self.store = store
        self.number = number
    }

    /// Whether this launch is the newest.
    public var isCurrent: Bool {
        store.isCurrent(number)
    }

    /// Adds a handler for the end of this launch, for example to fail calls that are still waiting. The handler is
    /// called once, on the thread that begins the newer launch, or immediately if this launch has ended.
    public func onEnd(_ handler: @escaping @Sendable () -> Void) {
        let hasEnded = store.withState { state in
            guard state.engine.device.launch.number == number else { return true }
            state.devices[store.device].endHandlers.append(handler)
            return false
        }
        if hasEnded {
            handler()
        }
    }

    /// Adds an observer, which the queue holds weakly. Adding an observer again has no effect.
    ///
    /// The first observer receives a report of all unfinished transactions in one batch. For other observers, see
    /// ``SimulatorBehavior/reportsToSecondObserver``.
    public func add(_ observer: any SimulatedQueueObserver) {
        store.mutateState { state in
            guard state.engine.device.launch.number == number, let id = state.devices[store.device].add(observer) else {
                return
            }
            state.engine.addObserver(id)
        }
    }

    /// Removes an observer. Does nothing for an unknown observer.
    public func remove(_ observer: any SimulatedQueueObserver) {
        store.mutateState { state in
            guard state.engine.device.launch.number == number, let id = state.devices[store.device].remove(observer)
            else { return }
            state.engine.device.launch.observers.removeAll { $0 == id }
        }
    }

    /// The live observers, in the order of their addition.
    public var observers: [any SimulatedQueueObserver] {
        store.withState { state in
            state.engine.device.launch.number == number ? state.devices[store.device].observers : []
        }
    }

    /// The last reported transactions of the queue. The list is current only while the queue has an observer.
    public var transactions: [SimulatedTransaction] {
        var transactions: [SimulatedTransaction] = []
        forEachTransaction { transactions.append($1()) }
        return transactions
    }

    /// Calls a closure for each of the ``transactions``, under the store's lock.
    /// - Parameter body: Receives the identifier of an entry, and a function that creates the value.
    // Not a generic function that maps, because that would be slow outside this module.
    package func forEachTransaction(_ body: (SimulatedTransaction.ID, () -> SimulatedTransaction) -> Void) {
        _ = read { $0.forEachShownTransaction(body) }
    }

    /// Adds a payment to the queue. Payments are processed one after another, in the order of their addition.
    ///
    /// A payment without a product, or with a quantity outside 1 to 10, is recorded as a misuse and ignored.
    public func add(_ payment: SimulatedPayment) {
        mutate { $0.add(payment) }
    }

    /// Removes a transaction from the queue. Finishing a purchasing or deferred transaction is recorded as a misuse and
    /// ignored. Finishing a transaction twice, or one that this launch hasn't reported, has no effect.
    public func finishTransaction(_ id: SimulatedTransaction.ID) {
        mutate { $0.finish(id) }
    }

    /// Restores the finished purchases of the account, each with a new transaction. Does nothing while a restore is
    /// running.
    public func restoreCompletedTransactions(applicationUsername: String? = nil) {
        mutate { $0.beginRestore(applicationUsername: applicationUsername) }
    }

    /// Brings the app to the foreground. The queue reports all unfinished transactions again.
    public func enterForeground() {
        mutate { $0.report($0.presentEntries) }
    }

    /// Whether the device is allowed to make payments.
    public var canMakePayments: Bool {
        store.behavior.canMakePayments
    }

    /// The storefront of the account.
    public var storefront: SimulatedStorefront? {
        store.storefront
    }

    /// Returns a request for products, which loads them when it's started.
    /// - Parameters:
    ///   - identifiers: The products' identifiers.
    ///   - handler: Called on the thread of the observers.
    ///   - endHandler: Called if the launch ends before the request.
    public func productsRequest(
        _ identifiers: Set<String>, handler: @escaping @Sendable (SimulatedRequestEvent) -> Void,
        endHandler: (@Sendable () -> Void)? = nil
    ) -> SimulatedRequest {
        SimulatedRequest(
            launch: self,
            RequestState(question: .products(identifiers), handler: handler, endHandler: endHandler))
    }

    /// Returns a request for a new receipt file, which loads it when it's started.
    /// - Parameters:
    ///   - properties: The properties of the receipt.
    ///   - handler: Called on the thread of the observers.
    ///   - endHandler: Called if the launch ends before the request.
    public func receiptRefreshRequest(
        properties: SimulatedReceiptProperties = SimulatedReceiptProperties(),
        handler: @escaping @Sendable (SimulatedRequestEvent) -> Void, endHandler: (@Sendable () -> Void)? = nil
    ) -> SimulatedRequest {
        SimulatedRequest(
            launch: self, RequestState(question: .receipt(properties), handler: handler, endHandler: endHandler))
    }

    /// The current receipt file of the device; `nil` until the first purchase, restore or refresh. The file is signed
    /// when it's read. ``SimulatedReceiptIssuer/rootCertificate`` verifies the signature.
    public var receipt: Data? {
        receiptContent.map { store.receiptFile($0) }
    }

    package var receiptContent: SimulatedReceiptContent? {
        read { $0.receiptContent } ?? nil
    }

    /// Starts waiting downloads and restarts failed downloads.
    public func start(_ downloads: [SimulatedDownload.ID]) {
        mutate { $0.move(downloads, from: [.waiting, .failed], to: .active) }
    }

    /// Pauses active downloads.
    public func pause(_ downloads: [SimulatedDownload.ID]) {
        mutate { $0.move(downloads, from: [.active], to: .paused) }
    }

    /// Resumes paused downloads.
    public func resume(_ downloads: [SimulatedDownload.ID]) {
        mutate { $0.move(downloads, from: [.paused], to: .active) }
    }

    /// Cancels downloads permanently.
    public func cancel(_ downloads: [SimulatedDownload.ID]) {
        mutate { $0.move(downloads, from: [.waiting, .active, .paused], to: .cancelled) }
    }

    /// Presents the sheet for offer codes, which is recorded in ``presentedSheets``.
    public func presentCodeRedemptionSheet() {
        mutate { $0.device.launch.sheets.append(.codeRedemption) }
    }

    /// Presents the sheet for price increases, which is recorded in ``presentedSheets``.
    public func showPriceConsentIfNeeded() {
        mutate { $0.device.launch.sheets.append(.priceConsent) }
    }

    /// Presents a sheet, which is recorded in ``presentedSheets``.
    package func present(_ sheet: SimulatedSheet) {
        mutate { $0.device.launch.sheets.append(sheet) }
    }

    /// The presented sheets of this launch, in order.
    public var presentedSheets: [SimulatedSheet] {
        read { $0.device.launch.sheets } ?? []
    }

    /// Changes the state, unless the launch has ended.
    func mutate(_ body: (inout EngineState) -> Void) {
        store.mutate { state in
            guard state.device.launch.number == number else { return }
            body(&state)
        }
    }

    private func read<Result>(_ body: (EngineState) -> Result) -> Result? {
        store.read { engine in
            engine.device.launch.number == number ? body(engine) : nil
        }
    }
}

/// An observer of the simulated payment queue, which holds it weakly.
public protocol SimulatedQueueObserver: AnyObject, Sendable {
    /// Reports an event, on the thread of ``SimulatorBehavior/deliveryThread``.
    func paymentQueue(_ launch: SimulatedLaunch, didReceive event: SimulatedQueueEvent)
    /// Asks whether to continue a purchase from the App Store immediately.
    func paymentQueue(
        _ launch: SimulatedLaunch, shouldAddStorePayment payment: SimulatedPayment, for product: SimulatedProduct
    ) -> Bool
    /// Asks whether a transaction continues after a change of the storefront.
    func paymentQueue(
        _ launch: SimulatedLaunch, shouldContinue transaction: SimulatedTransaction, in storefront: SimulatedStorefront
    )
        -> Bool
}
