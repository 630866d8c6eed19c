package import AppStoreSimulator
public import Foundation

/// The queue that processes payments and reports transactions to its observers.
///
/// Call every method from any thread, even from inside an observer's method. The queue calls its observers on the
/// thread that `SimulatorBehavior.deliveryThread` of the simulator names.
@available(iOS, deprecated: 18.0)
// @unchecked because: all mutable state is behind a lock.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    private static let shared = SKPaymentQueue()

    private struct Contents {
        var launch: SimulatedLaunch?
        var bridges: [QueueObserverBridge] = []
        weak var delegate: (any SKPaymentQueueDelegate)?
    }

    private let contents = Protected(Contents())
    private let registry = TransactionRegistry()

    /// Creates a separate queue for one launch of the app.
    package convenience init(launch: SimulatedLaunch) {
        self.init()
        contents.withLock { $0.launch = launch }
    }

    /// Returns the queue of the process, which uses the store of ``StoreKitSimulation``.
    open class func `default`() -> SKPaymentQueue {
        shared
    }

    /// Returns whether the customer is allowed to make payments.
    open class func canMakePayments() -> Bool {
        StoreKitSimulation.launch.canMakePayments
    }

    /// The delegate of the queue, held weakly.
    open var delegate: (any SKPaymentQueueDelegate)? {
        get { contents.withLock { $0.delegate } }
        set { contents.withLock { $0.delegate = newValue } }
    }

    /// The storefront of the account, if known.
    open var storefront: SKStorefront? {
        launch.storefront.map { SKStorefront($0) }
    }

    /// Adds a copy of a payment and returns immediately. Adding the same payment twice creates two transactions.
    open func add(_ payment: SKPayment) {
        launch.add(payment.simulatedPayment)
    }

    /// Restores the finished purchases of the account. Does nothing while a restore is running.
    open func restoreCompletedTransactions() {
        launch.restoreCompletedTransactions(applicationUsername: nil)
    }

    /// Restores the finished purchases of the account for the app's user with that name. Does nothing while a restore
    /// is running.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        launch.restoreCompletedTransactions(applicationUsername: username)
    }

    /// Finishes a transaction. The transaction leaves the queue and isn't reported again.
    ///
    /// Finishing a transaction twice has no effect. A purchasing transaction can't be finished: Apple's queue raises an
    /// exception; this queue ignores the call and records a misuse in the simulated store.
    open func finishTransaction(_ transaction: SKPaymentTransaction) {
        guard let entry = transaction.entry else { return }
        launch.finishTransaction(entry)
    }

    /// Starts downloads, which must belong to transactions in the queue.
    @available(iOS, deprecated: 16.0)
    open func start(_ downloads: [SKDownload]) {
        launch.start(downloads.compactMap(\.entry))
    }

    /// Pauses downloads.
    @available(iOS, deprecated: 16.0)
    open func pause(_ downloads: [SKDownload]) {
        launch.pause(downloads.compactMap(\.entry))
    }

    /// Resumes paused downloads.
    @available(iOS, deprecated: 16.0)
    open func resume(_ downloads: [SKDownload]) {
        launch.resume(downloads.compactMap(\.entry))
    }

    /// Cancels downloads.
    @available(iOS, deprecated: 16.0)
    open func cancel(_ downloads: [SKDownload]) {
        launch.cancel(downloads.compactMap(\.entry))
    }

    /// Adds an observer, which the queue holds weakly. Adding an observer again has no effect.
    ///
    /// The first observer receives every unfinished transaction.
    open func add(_ observer: any SKPaymentTransactionObserver) {
        let launch = launch
        let (dead, bridge) = contents.withLock { contents -> ([QueueObserverBridge], QueueObserverBridge?) in
            // Without this removal, bridges of deallocated observers would remain in the list of observers.
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

    /// Removes an observer. Does nothing for an object that isn't an observer.
    open func remove(_ observer: any SKPaymentTransactionObserver) {
        let launch = launch
        let gone = contents.withLock { contents in
            let gone = contents.bridges.filter { $0.observer == nil || $0.observer === observer }
            contents.bridges.removeAll { $0.observer == nil || $0.observer === observer }
            return gone
        }
        gone.forEach { launch.remove($0) }
    }

    /// The observers that are still alive, in the order of their addition.
    open var transactionObservers: [any SKPaymentTransactionObserver] {
        contents.withLock { $0.bridges.compactMap(\.observer) }
    }

    /// The unfinished transactions. The list is current only while the queue has an observer.
    open var transactions: [SKPaymentTransaction] {
        var transactions: [SKPaymentTransaction] = []
        launch.forEachTransaction { id, entry in transactions.append(registry.object(for: id, listing: entry)) }
        return transactions
    }

    /// Shows the price increase that is waiting for the customer's consent.
    open func showPriceConsentIfNeeded() {
        launch.showPriceConsentIfNeeded()
    }

    /// Presents the sheet for offer codes.
    open func presentCodeRedemptionSheet() {
        launch.presentCodeRedemptionSheet()
    }

    /// The launch that the queue belongs to: the launch of the process, unless the queue was created for another
    /// launch.
    package var launch: SimulatedLaunch {
        if let launch = contents.withLock({ $0.launch }) { return launch }
        let launch = StoreKitSimulation.launch
        contents.withLock { $0.launch = launch }
        return launch
    }

    func isFirst(_ bridge: QueueObserverBridge) -> Bool {
        contents.withLock { $0.bridges.first { $0.observer != nil } === bridge }
    }
}
