public import Foundation

/// The entry point for in-app purchases: load products, purchase, restore, and deliver.
///
/// ```swift
/// let store = PurchaseStore()
/// let products = try await store.products(for: ["com.example.pro"])
/// try await store.purchase("com.example.pro") { purchase in
///     try await server.deliver(purchase)
/// }
/// let hasPro = await store.entitlements.current.contains("com.example.pro")
/// ```
/// Create a store when the app launches and keep it. The store observes the payment queue as long as it exists.
///
/// Stores that you create with ``init(configuration:)`` share one core and one observer, so a second store costs
/// nothing and reports the same. They also share the mode and the delivery: the last value wins. When
/// the last store is deallocated, loops over its streams end, and calls that still wait throw
/// ``StoreError/Code/storeClosed``. No transaction is finished.
public final class PurchaseStore: Sendable {
    package let core: StoreCore

    /// Creates a store over a backend, with a separate core.
    package init(over backend: some StoreBackend, configuration: StoreConfiguration = StoreConfiguration()) {
        core = StoreCore(backend: backend, configuration: configuration)
        core.activate()
    }

    package init(core: StoreCore) {
        self.core = core
    }

    /// Creates a store over the device's App Store. Create the store at launch so that it observes every transaction.
    ///
    /// The first store applies its configuration. Of a later configuration, only the ``StoreConfiguration/mode``
    /// applies, and the store logs an error that names the ignored settings. ``StoreConfiguration/engine`` chooses
    /// between StoreKit 1 and StoreKit 2.
    public convenience init(configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(sharing: ProcessStore.shared, configuration: configuration)
        core.lifecycle.observe()
    }

    /// Creates a store over the device's App Store, in a mode.
    public convenience init(mode: StoreMode) {
        self.init(configuration: StoreConfiguration(mode: mode))
    }

    package convenience init(sharing shared: SharedStoreCore, configuration: StoreConfiguration = StoreConfiguration())
    {
        self.init(core: shared.core(configuration))
    }
}

// Properties and products.
extension PurchaseStore {
    /// The current date by the store's clock: the device's, or a simulated App Store's.
    public var now: Date { core.clock.now }

    /// Whether purchases are allowed on the device, and for the person who uses it.
    public var canMakePayments: Bool { core.backend.canMakePayments }

    /// The storefront of the account; `nil` if it isn't known.
    public var storefront: AppStorefront? { core.backend.storefront }

    /// Loads products from the App Store, in the order of the identifiers.
    ///
    /// The store caches products for ``StoreConfiguration/productCacheDuration``, until the app enters the background,
    /// or until the storefront changes. Concurrent calls for the same products share one request. Canceling the task
    /// only ends this wait.
    /// - Throws: ``StoreError/Code/invalidProductIDs`` for no identifiers, ``StoreError/Code/timedOut`` after
    ///   ``StoreConfiguration/productsTimeout``, ``StoreError/Code/taskCancelled``, or the error of the App Store or
    ///   the network. An unknown identifier isn't an error. It's listed in ``ProductsResponse/invalidProductIDs``.
    nonisolated(nonsending) public func products(
        for productIDs: some Collection<String> & Sendable
    ) async throws(StoreError) -> ProductsResponse {
        try await core.products(for: productIDs)
    }

    /// The paid transactions that aren't finished, oldest first, including those that are being delivered.
    ///
    /// In the first moment of a launch, the property waits for StoreKit's first report, for two seconds at most, or
    /// until the task is canceled. StoreKit 1 reports nothing if there is nothing to report. ``transactions`` has each
    /// transaction as soon as it's reported.
    public var unfinishedTransactions: [StoreTransaction] {
        get async { await core.unfinishedTransactions() }
    }

    /// Requests products from the App Store, and returns why products are missing, with a hint for each problem. For
    /// development: the result is also logged, as a notice.
    ///
    /// The request ignores products that were loaded before. Canceling the task doesn't cancel it.
    public func diagnose(_ productIDs: some Collection<String> & Sendable) async -> ProductDiagnosis {
        await core.diagnose(Set(productIDs))
    }

    /// Returns the transactions that the store holds, and the calls that wait, at this moment.
    public func diagnostics() async throws(StoreError) -> StoreDiagnostics {
        try await core.diagnostics { _ in true }
    }

    /// Returns a text that a customer can send to your support: the unfinished purchases with their attempts, the
    /// products that the customer has, and the last 100 events of the log.
    ///
    /// The text names products, transactions and dates. It contains no receipt, no token, no header field, no account
    /// and no name. It's in English.
    public func supportReport() async -> String {
        guard let diagnostics = try? await diagnostics() else { return "The store is closed." }
        let settings = [
            "engine: \(core.engineName)", "mode: \(core.configuration.mode)",
            "storefront: \(storefront?.countryCode ?? "unknown")",
            "payments \(canMakePayments ? "are" : "aren't") allowed",
        ]
        let recent = diagnostics.recentEvents
        let sections = [
            ("Unfinished", diagnostics.description.components(separatedBy: "\n")),
            ("Entitlements", ["\(entitlements.latest)"]), ("Recent events", recent.isEmpty ? ["none"] : recent),
        ]
        let facts = ["Support report, \(now.formatted(.iso8601))", settings.joined(separator: ", ")]
        let lines = sections.flatMap { title, lines in ["", "\(title):"] + lines.map { "- \($0.escapedForLog)" } }
        return (facts + lines).joined(separator: "\n")
    }
}

// Refreshing.
extension PurchaseStore {
    /// Reads the unfinished transactions and the entitlements, and retries deliveries without a requested pause.
    package func refreshPendingState() {
        core.refreshPendingState()
    }
}

// Erasing.
extension PurchaseStore {
    /// Erases what the package keeps on this device and in memory: for a customer who deletes an account, or who
    /// asks to be forgotten.
    ///
    /// For an account, the contexts of its purchases are erased, and the cache of entitlements, which doesn't tell
    /// accounts apart. For `nil`, the delivery ledger and the kept purchase of the app are erased, too. A purchase that
    /// was delivered and couldn't be finished is then delivered again in the next launch. Erasing ends no access: the
    /// App Store still has the purchases, and the cache is written again when the device lists them.
    ///
    /// <doc:DeliverOnce> lists the files.
    /// - Throws: ``StoreError/Code/systemError`` if a file can't be erased, such as before the first unlock of the
    ///   device. Call the function again later.
    public func eraseStoredData(of account: PurchaseAccount? = nil) async throws(StoreError) {
        try await core.ask { $0.erase(account?.applicationUsername, $1) }
        try await core.entitlements.eraseCaches(includingApp: account == nil)
    }
}

// Finishing, and who delivers.
extension PurchaseStore {
    /// Finishes a transaction whose content is delivered. Returns when StoreKit has finished it, even if another call
    /// finishes it; over StoreKit 2, after five seconds at the latest.
    ///
    /// Under ``StoreMode/observing`` the transaction isn't finished. While hosted content is downloading, the function
    /// returns at once, and the transaction is finished after the download, because it loses its content then.
    /// - Throws: ``StoreError/Code/transactionNotFinishable`` while it is being purchased or waits for approval,
    ///   ``StoreError/Code/transactionFinished`` if it was finished before, and ``StoreError/Code/unknownTransaction``
    ///   if it belongs to another store. No purchase is lost in these cases. ``StorePurchase/finish()`` doesn't throw.
    public func finish(_ transaction: StoreTransaction) async throws(StoreError) {
        try await core.finish(transaction)
    }

    /// Sets the delivery for every purchase that no closure of a call delivers. It replaces the earlier delivery.
    ///
    /// The delivery receives at once the purchases that are offered and those that wait for a retry. The call takes
    /// effect in order with the calls before and after it.
    public func setDelivery(_ delivery: some PurchaseDelivery) {
        core.enqueue(StoreInput { $0.install(delivery) })
    }

    /// Retries the waiting deliveries at once, for example for a "Try again" button, or after another account has
    /// signed in.
    ///
    /// Pauses end, including those that a server has requested. While the server fails, one purchase is tried, and its
    /// success starts the others. Has no effect on deliveries that are running.
    public func retryDeliveries() {
        core.enqueue(.change { $0.retryDeliveriesNow() })
    }

    /// Sets a closure as the delivery for every purchase that no closure of a call delivers.
    ///
    /// The store keeps the closure. Capture what the closure needs, and not an object that owns the store: neither
    /// would ever be released.
    /// ```swift
    /// store.setDelivery { [server] request in
    ///     await server.deliver(request) ? .accepted : .retryLater
    /// }
    /// ```
    public func setDelivery(_ deliver: @escaping @Sendable (DeliveryRequest) async -> DeliveryDecision) {
        setDelivery(ClosureDelivery(closure: deliver))
    }
}

// Policies of the payment queue.
extension PurchaseStore {
    /// Replaces the answers to the payment queue's questions. Takes effect immediately.
    public func setPolicies(_ policies: PaymentQueuePolicies) {
        core.configuration.log(StoreLogEvent(.notice, "Other policies replace the earlier ones."))
        core.apply(policies)
    }
}

private struct ClosureDelivery: PurchaseDelivery {
    let closure: @concurrent @Sendable (DeliveryRequest) async -> DeliveryDecision

    func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
        await closure(request)
    }
}
