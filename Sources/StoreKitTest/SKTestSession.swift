public import AppStoreSimulator
public import Foundation
public import StoreKit

/// Controls the test environment: the products, the customer's circumstances and the transactions.
///
/// All sessions of a process control one environment, which outlives them. Begin each test with
/// ``resetToDefaultState()`` and ``clearTransactions()``, and run such tests serially. A session that is made inside
/// `StoreKitSimulation.withLaunch(_:operation:)` controls the App Store of that launch instead, so that tests can run
/// in parallel.
///
/// The environment's clock is the device's clock, and subscriptions renew by themselves at the ``timeRate``.
///
/// Functions throw ``SKTestError/Code/noTransactionFound`` for an unknown transaction,
/// ``SKTestError/Code/noSubscriptionFound`` without an active subscription, and ``SKTestError/Code/invalidAction`` for
/// a transaction in another state.
// @unchecked because: the properties are constants, or behind a lock, but a subclass could add others.
open class SKTestSession: NSObject, @unchecked Sendable {
    private struct Unsupported {
        var disablesDialogs = false
        var failsTransactions = false
        var failureError = SKError.Code.unknown
    }

    private let launch: SimulatedLaunch
    private let defaults: SimulatedCatalog
    private let unsupported = Protected(Unsupported())

    /// Starts a session with the configuration file that has a name, with or without `.storekit`.
    ///
    /// The file is looked for in the resources of the test targets, then in the folder of the package.
    ///
    /// - Throws: ``SKTestError/Code/fileNotFound``, with the folders that don't contain the file; otherwise as
    ///   ``init(contentsOf:)``.
    public convenience init(configurationFileNamed filename: String) throws {
        try self.init(contentsOf: try ConfigurationSearch().url(ofFileNamed: filename))
    }

    /// Starts a session with a configuration file.
    ///
    /// The products and the settings of the environment become those of the file. Transactions stay.
    ///
    /// - Throws: ``SKTestError``, or `SimulatedCatalogError` for a file that can't be read.
    public init(contentsOf fileURL: URL) throws {
        guard fileURL.isFileURL else { throw SKTestError(.invalidURL, "\(fileURL) isn't the address of a file.") }
        guard FileManager.default.fileExists(atPath: fileURL.path) else {
            throw SKTestError(.fileNotFound, "There is no file at \(fileURL.path).")
        }
        var catalog = try SimulatedCatalog(contentsOf: fileURL)
        catalog.behavior.environment = .xcode
        // As StoreKit documents it. In the simulator of iOS 27.0, the call throws.
        catalog.behavior.interruptedPurchase = .isPending
        catalog.behavior.deliversUpdatesToLaterListeners = true
        defaults = catalog
        launch = StoreKitSimulation.currentLaunch
        super.init()
        appStore.beginSession(catalog)
    }

    /// The simulated App Store behind the session. Apple's session doesn't have this property.
    ///
    /// Use this property to advance the clock instead of waiting, and for the switches of `SimulatorBehavior`, such as
    /// the behavior of one system. ``resetToDefaultState()`` resets them.
    public var appStore: SimulatedAppStore { launch.store }

    /// Whether purchases wait for approval.
    open var askToBuyEnabled: Bool {
        get { appStore.behavior.askToBuyEnabled }
        set { appStore.behavior.askToBuyEnabled = newValue }
    }

    /// Whether Apple's session shows no dialogs. There are no dialogs here, so this property has no effect.
    open var disableDialogs: Bool {
        get { unsupported.withLock { $0.disablesDialogs } }
        set { unsupported.withLock { $0.disablesDialogs = newValue } }
    }

    /// This property has no effect, as in iOS 17 and later. Use ``setSimulatedError(_:forAPI:)``.
    @available(iOS, deprecated: 17.0)
    open var failTransactionsEnabled: Bool {
        get { unsupported.withLock { $0.failsTransactions } }
        set { unsupported.withLock { $0.failsTransactions = newValue } }
    }

    /// This property has no effect, as in iOS 17 and later. Use ``setSimulatedError(_:forAPI:)``.
    @available(iOS, deprecated: 17.0)
    open var failureError: SKError.Code {
        get { unsupported.withLock { $0.failureError } }
        set { unsupported.withLock { $0.failureError = newValue } }
    }

    /// Whether the customer has to resolve an issue before a purchase is paid. See
    /// ``resolveIssueForTransaction(identifier:)``.
    open var interruptedPurchasesEnabled: Bool {
        get { appStore.behavior.interruptedPurchasesEnabled }
        set { appStore.behavior.interruptedPurchasesEnabled = newValue }
    }

    /// Whether payments of renewals fail, so that billing retry begins.
    open var shouldEnterBillingRetryOnRenewal: Bool {
        get { appStore.behavior.shouldEnterBillingRetryOnRenewal }
        set { appStore.behavior.shouldEnterBillingRetryOnRenewal = newValue }
    }

    /// Whether billing retry begins with a grace period.
    open var billingGracePeriodIsEnabled: Bool {
        get { appStore.behavior.billingGracePeriodIsEnabled }
        set { appStore.behavior.billingGracePeriodIsEnabled = newValue }
    }

    /// The country of the storefront, ISO 3166-1 alpha-3.
    open var storefront: String {
        get { appStore.storefront.countryCode }
        set {
            appStore.storefront =
                SimulatedStorefront(countryCode: newValue) ?? SimulatedStorefront(countryCode: newValue, id: "")
        }
    }

    /// The locale of prices and texts.
    open var locale: Locale {
        get { Locale(identifier: appStore.localeIdentifier) }
        set { appStore.localeIdentifier = newValue.identifier }
    }

    /// The speed of subscriptions.
    open var timeRate: SKTestSession.TimeRate {
        get { appStore.behavior.timeRate.testTimeRate.flatMap { TimeRate(rawValue: $0) } ?? .realTime }
        set { appStore.behavior.timeRate = SimulatedTimeRate(testTimeRate: newValue.rawValue) ?? .realTime }
    }

    /// Resets the settings to those of the configuration file, and removes all simulated errors. Transactions stay.
    open func resetToDefaultState() {
        unsupported.withLock { $0 = Unsupported() }
        appStore.resetToDefaultState(defaults)
    }

    /// Deletes all transactions.
    open func clearTransactions() {
        appStore.clearTransactions()
    }

    /// Returns all transactions, in no particular order.
    open func allTransactions() -> [SKTestTransaction] {
        let renewals = appStore.allRenewals()
        return appStore.allTransactions().map { record in
            SKTestTransaction(record, renewals.first { $0.latestTransactionID == record.transactionID })
        }
    }

    /// Returns the error that a function of StoreKit throws; `nil` if no error is simulated.
    public func simulatedError<API>(forAPI api: API) async -> API.Failure? where API: FailableStoreKitAPI {
        appStore.behavior.error(of: api).flatMap { API.Failure(_fromErrorCode: _SKTestFailureCode(error: $0)) }
    }

    /// Makes a function of StoreKit throw an error, until the session is reset or the error is `nil`.
    public func setSimulatedError<API>(
        _ error: API.Failure?, forAPI api: API
    ) async throws where API: FailableStoreKitAPI {
        appStore.behavior.setError(error?._errorCode.error, of: api)
    }

    /// Purchases a product outside the app. The transaction arrives on `Transaction.updates`.
    ///
    /// An owned product and an active subscription aren't bought again: the function returns their transaction.
    ///
    /// - Throws: ``SKTestError`` for an unknown product, `Product.PurchaseError` or `StoreKitError`.
    @discardableResult
    public func buyProduct(
        identifier: Product.ID, options: Set<Product.PurchaseOption> = []
    ) async throws -> Transaction {
        try buy(identifier, options)
    }

    func buy(_ productID: String, _ options: Set<Product.PurchaseOption> = []) throws -> Transaction {
        guard appStore.catalog[productID] != nil else {
            throw SKTestError(
                .invalidProductIdentifier, "The configuration file has no product \"\(productID)\".")
        }
        let payment = try SimulatedPayment(productID, options)
        do throws(SimulatedError) {
            return Transaction(try appStore.purchaseInSession(payment), launch)
        } catch {
            throw Product.PurchaseError(error) ?? StoreKitError(error)
        }
    }

    /// Purchases a product outside the app.
    ///
    /// - Throws: See ``buyProduct(identifier:options:)``.
    @available(iOS, deprecated: 17.0)
    open func buyProduct(productIdentifier: String) throws {
        _ = try buy(productIdentifier)
    }

    /// Ends the period of a subscription now. It renews, or enters billing retry if
    /// ``shouldEnterBillingRetryOnRenewal`` is set.
    open func forceRenewalOfSubscription(productIdentifier: String) throws {
        try control { try $0.forceRenewalOfSubscription(productID: productIdentifier) }
    }

    /// Ends a subscription now.
    open func expireSubscription(productIdentifier: String) throws {
        try control { try $0.expireSubscription(productID: productIdentifier) }
    }

    /// Resolves the issue of an interrupted purchase, which is paid with the same identifier, or of a subscription in
    /// billing retry, which renews. A transaction that is paid and has no issue stays as it is.
    open func resolveIssueForTransaction(identifier: UInt) throws {
        try control { store in
            let record = try record(identifier)
            let hasIssue = store.allRenewals().contains { renewal in
                renewal.isInBillingRetry && renewal.originalTransactionID == record.originalTransactionID
            }
            if record.state != .purchased || hasIssue { try store.resolveIssueForTransaction(id: record.id) }
        }
    }

    /// Deletes a transaction, as if it had never been made.
    open func deleteTransaction(identifier: UInt) throws {
        try control { try $0.deleteTransaction(id: record(identifier).id) }
    }

    /// Refunds a transaction.
    open func refundTransaction(identifier: UInt) throws {
        try control { try $0.refundTransaction(id: record(identifier).id) }
    }

    /// Approves a purchase that waits for approval.
    open func approveAskToBuyTransaction(identifier: UInt) throws {
        try control { try $0.approveAskToBuyTransaction(id: record(identifier).id) }
    }

    /// Declines a purchase that waits for approval. The session no longer has its transaction.
    open func declineAskToBuyTransaction(identifier: UInt) throws {
        try control { try $0.declineAskToBuyTransaction(id: record(identifier).id) }
    }

    /// Turns off the renewal of a subscription.
    open func disableAutoRenewForTransaction(identifier: UInt) throws {
        try control { try $0.disableAutoRenew(of: record(identifier).productID) }
    }

    /// Turns on the renewal of a subscription.
    open func enableAutoRenewForTransaction(identifier: UInt) throws {
        try control { try $0.enableAutoRenew(of: record(identifier).productID) }
    }

    /// Asks the subscriber to consent to a higher price.
    open func requestPriceIncreaseConsentForTransaction(identifier: UInt) throws {
        try control { try $0.requestPriceConsent(of: record(identifier).productID) }
    }

    /// Consents to a higher price, as the subscriber.
    open func consentToPriceIncreaseForTransaction(identifier: UInt) throws {
        try control { try $0.consentToPriceIncrease(of: record(identifier).productID) }
    }

    /// Declines a higher price, as the subscriber. The subscription doesn't renew.
    open func declinePriceIncreaseForTransaction(identifier: UInt) throws {
        try control { try $0.declinePriceIncrease(of: record(identifier).productID) }
    }

    private func record(_ identifier: UInt) throws -> SimulatedHistoryRecord {
        let record = appStore.allTransactions().last { $0.transactionID == String(identifier) }
        guard let record else {
            throw SKTestError(.noTransactionFound, "The session has no transaction \(identifier).")
        }
        return record
    }

    private func control(_ body: (SimulatedAppStore) throws -> Void) throws {
        do {
            try body(appStore)
        } catch let error as SimulatorError {
            throw SKTestError(error)
        }
    }
}
