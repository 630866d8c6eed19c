package import AppStoreSimulator
public import Foundation

/// The payment queue: payments go in, transactions come out.
///
/// Everything may be called from any thread, also from inside an observer's method. Observers are called on the thread that the
/// simulator's `SimulatorBehavior.deliveryThread` names.
@available(iOS, deprecated: 18.0)
// @unchecked because: whatever changes is behind a lock.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    private static let shared = SKPaymentQueue()

    private struct Contents {
        var launch: SimulatedLaunch?
        var bridges: [QueueObserverBridge] = []
        weak var delegate: (any SKPaymentQueueDelegate)?
    }

    private let contents = Protected(Contents())
    private let registry = TransactionRegistry()

    /// Makes a queue of its own for one run of the app.
    package convenience init(launch: SimulatedLaunch) {
        self.init()
        contents.withLock { $0.launch = launch }
    }

    /// The queue of the process, which talks to the store that ``StoreKitSimulation`` has.
    open class func `default`() -> SKPaymentQueue {
        shared
    }

    /// Whether the customer is allowed to pay.
    open class func canMakePayments() -> Bool {
        StoreKitSimulation.launch.canMakePayments
    }

    /// Decides for the queue; held weakly.
    open var delegate: (any SKPaymentQueueDelegate)? {
        get { contents.withLock { $0.delegate } }
        set { contents.withLock { $0.delegate = newValue } }
    }

    /// The storefront of the account, if it is known.
    open var storefront: SKStorefront? {
        launch.storefront.map { SKStorefront($0) }
    }

    /// Adds a payment, which is copied. Returns at once; adding the same payment twice makes two transactions.
    open func add(_ payment: SKPayment) {
        launch.add(payment.simulatedPayment)
    }

    /// Restores what the account has bought and finished. Ignored while a restore runs.
    open func restoreCompletedTransactions() {
        launch.restoreCompletedTransactions(applicationUsername: nil)
    }

    /// Restores what the account has bought and finished, for the app's user of that name. Ignored while a restore runs.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        launch.restoreCompletedTransactions(applicationUsername: username)
    }

    /// Finishes a transaction: it leaves the queue, and is not reported again.
    ///
    /// Finishing twice does no harm. A transaction that is purchasing cannot be finished: Apple's queue raises an exception, this one
    /// leaves it alone and records the misuse with the store.
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        guard let entry = transaction.entry else { return }
        launch.finishTransaction(entry)
    }

    /// Starts downloads, which must belong to transactions in the queue.
    @available(iOS, deprecated: 16.0)
    open func start(_ downloads: [SKDownload]) {
        launch.start(downloads.compactMap(\.entry))
    }

    /// Halts downloads.
    @available(iOS, deprecated: 16.0)
    open func pause(_ downloads: [SKDownload]) {
        launch.pause(downloads.compactMap(\.entry))
    }

    /// Lets halted downloads go on.
    @available(iOS, deprecated: 16.0)
    open func resume(_ downloads: [SKDownload]) {
        launch.resume(downloads.compactMap(\.entry))
    }

    /// Withdraws downloads.
    @available(iOS, deprecated: 16.0)
    open func cancel(_ downloads: [SKDownload]) {
        launch.cancel(downloads.compactMap(\.entry))
    }

    /// Adds an observer, which the queue holds weakly. Adding it again changes nothing.
    ///
    /// The first one hears of every transaction that is not finished.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        let launch = launch
        let (dead, bridge) = contents.withLock { contents -> ([QueueObserverBridge], QueueObserverBridge?) in
            // Bridges of observers that are gone would keep the queue from seeing that there is none left.
            let dead = contents.bridges.filter { $0.observer == nil }
            contents.bridges.removeAll { $0.observer == nil }
            guard !contents.bridges.contains(where: { $0.observer === observer }) else { return (dead, nil) }
            let bridge = QueueObserverBridge(observer, of: self, registry: registry)
            contents.bridges.append(bridge)
            return (dead, bridge)
        }
        dead.forEach { launch.remove($0) }
        if let bridge { launch.add(bridge) }
    }

    /// Removes an observer; nothing happens when it is none.
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        let launch = launch
        let gone = contents.withLock { contents in
            let gone = contents.bridges.filter { $0.observer == nil || $0.observer === observer }
            contents.bridges.removeAll { $0.observer == nil || $0.observer === observer }
            return gone
        }
        gone.forEach { launch.remove($0) }
    }

    /// The observers that are still there, in the order in which they were added.
    open var transactionObservers: [any SKPaymentTransactionObserver] {
        contents.withLock { $0.bridges.compactMap(\.observer) }
    }

    /// The transactions that are not finished; in step only while there is an observer.
    open var transactions: [SKPaymentTransaction] {
        launch.transactions.map { registry.object(listing: $0) }
    }

    /// Shows the customer a new price that waits for consent.
    open func showPriceConsentIfNeeded() {
        launch.showPriceConsentIfNeeded()
    }

    /// Shows the sheet for offer codes.
    open func presentCodeRedemptionSheet() {
        launch.presentCodeRedemptionSheet()
    }

    /// The run of the app that the queue belongs to: the process's own, unless the queue was made for another.
    package var launch: SimulatedLaunch {
        if let launch = contents.current.launch { return launch }
        let launch = StoreKitSimulation.launch
        contents.withLock { $0.launch = launch }
        return launch
    }

    func isFirst(_ bridge: QueueObserverBridge) -> Bool {
        contents.withLock { $0.bridges.first { $0.observer != nil } === bridge }
    }
}
