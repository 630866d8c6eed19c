public import Foundation

/// In-app purchases: the app's one way to buy, restore and deliver.
///
/// Make one when the app launches and keep it: it observes the payment queue for as long as it lives. All stores made with
/// ``init(configuration:)`` share one core and one observer, so a second one costs nothing and sees the same; what belongs
/// to the core (mode, installed delivery) is the last one's that set it. When the last is dropped, loops over its streams
/// end and calls that still wait throw ``StoreError/Code/storeClosed``; nothing is finished by it.
public final class PurchaseStore: Sendable {
    package let core: StoreCore

    /// A store over a backend, with a core of its own.
    package init(over backend: some StoreBackend, configuration: StoreConfiguration = StoreConfiguration()) {
        core = StoreCore(backend: backend, configuration: configuration)
        core.activate()
    }

    package init(core: StoreCore) {
        self.core = core
    }

    /// The store over the device's App Store. Make it when the app launches: it listens from here on.
    ///
    /// All of these share one core. A configuration counts when the core is made, by the first of them. Of a later
    /// configuration, only the ``StoreConfiguration/mode`` applies, and the store logs an error that names the ignored
    /// settings. What it stands on, ``StoreConfiguration/engine`` says.
    public convenience init(configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(sharing: ProcessStore.shared, configuration: configuration)
        core.life.observe()
    }

    /// The store over the device's App Store, in the mode given.
    public convenience init(mode: StoreMode) {
        self.init(configuration: StoreConfiguration(mode: mode))
    }

    package convenience init(sharing shared: SharedStoreCore, configuration: StoreConfiguration = StoreConfiguration()) {
        self.init(core: shared.core(configuration))
    }
}

// Asking.
extension PurchaseStore {
    /// The time by which the store lives: the device's, or a simulated App Store's.
    public var now: Date { core.clock.now }

    /// Whether this device, and the person using it, may buy.
    public var canMakePayments: Bool { core.backend.canMakePayments }

    /// The account's App Store, where it is known.
    public var storefront: AppStorefront? { core.backend.storefront }

    /// What the App Store says about these products, in the order of the identifiers.
    ///
    /// An answer is used again for ``StoreConfiguration/productCacheDuration``, unless the app was in the background or the storefront
    /// changed since. Callers that want the same ones at the same time share one request. Cancelling the task ends this wait only.
    /// - Throws: ``StoreError/Code/invalidProductIDs`` for no identifiers, ``StoreError/Code/timedOut`` after
    ///   ``StoreConfiguration/productsTimeout``, ``StoreError/Code/taskCancelled``, or what the App Store or the network says.
    ///   An unknown identifier is no error, it is listed in ``ProductsResponse/invalidProductIDs``.
    public func products(for productIDs: some Collection<String> & Sendable) async throws(StoreError) -> ProductsResponse {
        try await core.products(for: productIDs)
    }

    /// Loads products into an array, in the order of the identifiers. See ``products(for:)``.
    ///
    /// ```swift
    /// products = try await store.products(for: ["pro", "coins"])    // products is a [StoreProduct]
    /// ```
    /// - Parameters:
    ///   - productIDs: The identifiers. Unknown ones are left out.
    ///   - type: The type of the elements. The compiler chooses this function where an array is expected.
    /// - Throws: What ``products(for:)`` throws.
    public func products(
        for productIDs: some Collection<String> & Sendable, of type: StoreProduct.Type = StoreProduct.self
    ) async throws(StoreError) -> [StoreProduct] {
        try await core.products(for: productIDs).products
    }

    /// The receipt on the device.
    /// - Throws: ``StoreError/Code/receiptUnavailable`` when there is none, as in the sandbox before the first purchase.
    public func receiptData() throws(StoreError) -> Data {
        try core.backend.receiptData()
    }

    /// Asks the App Store for a new receipt; people may be asked for their password.
    ///
    /// Callers at the same time share one request. Cancelling the task ends this wait only.
    /// - Throws: ``StoreError/Code/timedOut`` after ``StoreConfiguration/receiptTimeout``, ``StoreError/Code/taskCancelled``, or
    ///   what the App Store or the network says.
    public func refreshReceipt() async throws(StoreError) {
        try await core.refreshReceipt()
    }

    /// Everything that is paid for and not finished, oldest first, whoever is about to deliver it.
    public var unfinishedTransactions: [StoreTransaction] {
        get async { (try? await core.ask { .unfinished($0) }) ?? [] }
    }

    /// Requests products from the App Store, and returns why products are missing, with a hint for each problem. For
    /// development: the result is also logged, as a notice.
    ///
    /// The request ignores products that were loaded before. Cancelling the task doesn't cancel it.
    public func diagnose(_ productIDs: some Collection<String> & Sendable) async -> ProductDiagnosis {
        await core.diagnose(Set(productIDs))
    }

    /// What the store holds, and what it waits for, at this moment.
    public var diagnostics: StoreDiagnostics {
        get async throws(StoreError) { try await core.ask { .diagnostics($0) } }
    }
}

// Looking.
extension PurchaseStore {
    /// Looks at what is pending: unfinished transactions, entitlements, and deliveries whose pause nobody has asked for.
    package func lookAgain() {
        core.lookAgain()
    }
}

// Finishing, and who delivers.
extension PurchaseStore {
    /// Tells the queue that a transaction's content is delivered. Returns when the queue has been told, whoever began to tell it.
    ///
    /// Under ``StoreMode/observing`` the queue is not told. While hosted content is being downloaded it is told only when that
    /// has ended: a finished transaction loses its content.
    /// - Throws: ``StoreError/Code/transactionNotFinishable`` while it is being purchased or waits for approval,
    ///   ``StoreError/Code/transactionFinished`` when it has been finished before, ``StoreError/Code/unknownTransaction`` when
    ///   it comes from another store. Nothing is lost by any of these. ``StorePurchase/finish()`` does not throw.
    public func finish(_ transaction: StoreTransaction) async throws(StoreError) {
        try await core.finish(transaction)
    }

    /// Sets the delivery for every purchase that no closure of a call delivers, in the place of the delivery before.
    ///
    /// The delivery gets at once what is offered at the moment and what has to be tried again. The call takes effect in
    /// order with the calls before and after it.
    public func setDelivery(_ delivery: some PurchaseDelivery) {
        core.enqueue(.installDelivery(delivery))
    }

    /// Sets a closure as the delivery for every purchase that no closure of a call delivers.
    ///
    /// ```swift
    /// store.setDelivery { request in await server.deliver(request) ? .accepted : .retryLater }
    /// ```
    public func setDelivery(_ deliver: @escaping @Sendable (DeliveryRequest) async -> DeliveryDecision) {
        setDelivery(ClosureDelivery(closure: deliver))
    }
}

// What the payment queue asks.
extension PurchaseStore {
    /// Replaces what the store answers when the payment queue asks. Takes effect at once.
    public func setPolicies(_ policies: StorePolicies) {
        core.configuration.log(StoreLogEvent(.notice, "Other policies take the place of those installed before."))
        core.apply(policies)
    }
}

private struct ClosureDelivery: PurchaseDelivery {
    let closure: @Sendable (DeliveryRequest) async -> DeliveryDecision

    func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
        await closure(request)
    }
}
