public import Foundation

/// One run of the app on the simulated device: its payment queue, its requests, its receipt file.
///
/// A launch ends as soon as there is a newer one: it receives no more events, and its calls do nothing.
public final class SimulatedLaunch: Sendable {
    /// The App Store behind it.
    public let store: SimulatedAppStore
    let number: UInt64

    init(store: SimulatedAppStore, number: UInt64) {
        self.store = store
        self.number = number
    }

    /// Whether no newer launch has replaced this one.
    public var isCurrent: Bool {
        store.isCurrent(number)
    }

    /// Has a handler called when a newer launch replaces this one, after which nothing is heard of it any more: what still waits for it
    /// can be failed then. It is called once, on the thread that launches; at once when this launch has ended already.
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

    /// Adds an observer, which the queue holds weakly; one that it has already is not added again.
    ///
    /// The first observer gets a report of everything that is unfinished, in one batch; whether others get one of their own says
    /// ``SimulatorBehavior/reportsToSecondObserver``.
    public func add(_ observer: any SimulatedQueueObserver) {
        store.mutateState { state in
            guard state.engine.device.launch.number == number, let id = state.devices[store.device].add(observer) else { return }
            state.engine.addObserver(id)
        }
    }

    /// Removes an observer.
    public func remove(_ observer: any SimulatedQueueObserver) {
        store.mutateState { state in
            guard state.engine.device.launch.number == number, let id = state.devices[store.device].remove(observer) else { return }
            state.engine.device.launch.observers.removeAll { $0 == id }
        }
    }

    /// The observers that are still there, in the order in which they were added.
    public var observers: [any SimulatedQueueObserver] {
        store.withState { state in state.engine.device.launch.number == number ? state.devices[store.device].observers : [] }
    }

    /// The transactions of the queue as they were last reported; in step only while there is an observer.
    public var transactions: [SimulatedTransaction] {
        read { $0.shownTransactions } ?? []
    }

    /// Adds a payment to the queue. Payments are processed one after the other, in this order.
    ///
    /// A payment for no product, or with a quantity outside 1 to 10, is a misuse, and ignored.
    public func add(_ payment: SimulatedPayment) {
        mutate { $0.add(payment) }
    }

    /// Removes a transaction from the queue. Doing so while it is purchasing or deferred is a misuse, and ignored; doing so twice, or
    /// with a transaction that this launch has never seen, is harmless.
    public func finishTransaction(_ id: SimulatedTransaction.ID) {
        mutate { $0.finish(id) }
    }

    /// Restores the finished purchases of the account, each as a transaction of its own. During a restore this does nothing.
    public func restoreCompletedTransactions(applicationUsername: String? = nil) {
        mutate { $0.beginRestore(applicationUsername: applicationUsername) }
    }

    /// Brings the app back from the background: everything that is unfinished is reported again.
    public func enterForeground() {
        mutate { $0.enterForeground() }
    }

    /// Whether the device may pay.
    public var canMakePayments: Bool {
        store.behavior.canMakePayments
    }

    /// The storefront of the account.
    public var storefront: SimulatedStorefront? {
        store.storefront
    }

    /// Asks for products, once it is started. The handler is called on the thread on which observers are called.
    public func productsRequest(
        _ identifiers: Set<String>, handler: @escaping @Sendable (SimulatedRequestEvent) -> Void
    ) -> SimulatedRequest {
        SimulatedRequest(launch: self, RequestState(question: .products(identifiers), handler: handler))
    }

    /// Asks for a new receipt file, once it is started. The handler is called on the thread on which observers are called.
    public func receiptRefreshRequest(
        properties: SimulatedReceiptProperties = SimulatedReceiptProperties(), handler: @escaping @Sendable (SimulatedRequestEvent) -> Void
    ) -> SimulatedRequest {
        SimulatedRequest(launch: self, RequestState(question: .receipt(properties), handler: handler))
    }

    /// The receipt file as it is on the device now; `nil` until there is one, which is at the first purchase, restore or refresh. It is
    /// signed when it is read, and verifies under ``SimulatedReceiptIssuer/rootCertificate``.
    public var receipt: Data? {
        receiptContent.map { store.receiptFile($0) }
    }

    /// What the receipt file says.
    package var receiptContent: SimulatedReceiptContent? {
        read { $0.receiptContent } ?? nil
    }

    /// Starts downloads that are waiting, and once more those that have failed.
    public func start(_ downloads: [SimulatedDownload.ID]) {
        mutate { $0.start(downloads) }
    }

    /// Pauses downloads that are active.
    public func pause(_ downloads: [SimulatedDownload.ID]) {
        mutate { $0.pause(downloads) }
    }

    /// Resumes downloads that are paused.
    public func resume(_ downloads: [SimulatedDownload.ID]) {
        mutate { $0.resume(downloads) }
    }

    /// Cancels downloads for good.
    public func cancel(_ downloads: [SimulatedDownload.ID]) {
        mutate { $0.cancel(downloads) }
    }

    /// Shows the sheet for offer codes: recorded in ``presentedSheets``.
    public func presentCodeRedemptionSheet() {
        mutate { $0.device.launch.sheets.append(.codeRedemption) }
    }

    /// Shows the sheet for price increases: recorded in ``presentedSheets``.
    public func showPriceConsentIfNeeded() {
        mutate { $0.device.launch.sheets.append(.priceConsent) }
    }

    /// Shows a sheet: recorded in ``presentedSheets``.
    package func present(_ sheet: SimulatedSheet) {
        mutate { $0.device.launch.sheets.append(sheet) }
    }

    /// The sheets shown in this launch, in order.
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
        store.withEngine { engine in
            engine.device.launch.number == number ? body(engine) : nil
        }
    }
}

/// An observer of the simulated payment queue, which holds it weakly.
public protocol SimulatedQueueObserver: AnyObject, Sendable {
    /// Reports an event. ``SimulatorBehavior/deliveryThread`` decides which thread calls.
    func paymentQueue(_ launch: SimulatedLaunch, didReceive event: SimulatedQueueEvent)
    /// Asks whether a purchase that was started in the App Store is to continue at once.
    func paymentQueue(_ launch: SimulatedLaunch, shouldAddStorePayment payment: SimulatedPayment, for product: SimulatedProduct) -> Bool
    /// Asks whether a transaction is to continue in the storefront to which the account has just moved.
    func paymentQueue(_ launch: SimulatedLaunch, shouldContinue transaction: SimulatedTransaction, in storefront: SimulatedStorefront)
        -> Bool
}
