public import Foundation

/// How a store behaves.
public struct StoreConfiguration: Sendable {
    /// The engine of the store.
    ///
    /// A process has one engine. The first store made with ``PurchaseStore/init(configuration:)``, or by the module
    /// `SwiftyStoreKit`, decides. A later store that names another engine uses the first one, and logs an error. A
    /// store over a `SimulatedBackend` uses the engine of that backend.
    public var engine: StoreEngine
    /// Who finishes transactions.
    public var mode: StoreMode
    /// How long a request for products may take, in seconds. 30 by default.
    public var productsTimeout: TimeInterval
    /// How long ``PurchaseStore/products(for:)`` reuses the App Store's response, in seconds. 3,600 by default; 0
    /// requests products each time.
    ///
    /// The store also requests products again after the app was in the background, and after the storefront changed. A
    /// purchase by identifier uses a cached product of any age: the App Store charges the current price.
    public var productCacheDuration: TimeInterval
    /// How long a refresh of the receipt may take, in seconds. 60 by default, because customers may have to enter their
    /// password.
    public var receiptTimeout: TimeInterval
    /// How long StoreKit may be silent during a restore, in seconds. 300 by default, because customers may have to
    /// enter their password.
    public var restoreTimeout: TimeInterval
    /// How long StoreKit may stay silent about a payment before a waiting call for another product starts, in
    /// seconds in which the app runs. `nil`, the default, means 300 seconds over StoreKit 2 and 30 seconds over
    /// StoreKit 1.
    ///
    /// StoreKit 2 reports nothing while the customer reads the sheet, so its default is long. StoreKit 1 reports that
    /// the payment is being purchased before the sheet appears.
    ///
    /// The silent payment keeps its call, which is answered when its transaction arrives. After 30 seconds, or this
    /// time if it is shorter, a call for the same product throws ``StoreError/Code/timedOut``: a second sheet could
    /// charge a customer who is still reading the first. The product can be bought again when the payment has left
    /// StoreKit's queue, or if the queue never had it, after ten times this time. Zero or less waits for nothing.
    public var paymentResponseTimeout: TimeInterval?
    /// How long the store waits for a new transaction after StoreKit has answered a payment with an older transaction
    /// of the same product, in seconds. 3 by default.
    ///
    /// If the store has had the older transaction for at least this time, it answers the payment at once.
    public var preexistingTransactionDelay: TimeInterval
    /// The answers to the payment queue's questions. ``PurchaseStore/setPolicies(_:)`` replaces them.
    public var policies: PaymentQueuePolicies
    /// The delivery that is installed before the first transaction arrives; `nil` installs none.
    ///
    /// ``PurchaseStore/setDelivery(_:)-(PurchaseDelivery)`` replaces the delivery.
    public var delivery: (any PurchaseDelivery)?
    /// Where the store records across launches which purchases were delivered; `nil`, the default, records nothing.
    public var deliveryLedger: DeliveryLedger?
    /// How long access lasts, in seconds, by product: for non-renewing subscriptions, and for products that are bought
    /// once, such as a free trial without a subscription. Apple doesn't say. Access to a product that isn't listed here
    /// doesn't end.
    ///
    /// Purchases of a non-renewing subscription in a row add up. A product that is bought once gives access for the
    /// duration after the customer's own first purchase: copies that a family member shares are ignored. A duration of
    /// zero or less is ignored, and is logged.
    public var nonRenewingDurations: [String: TimeInterval]
    /// Where the store saves the customer's entitlements for the next launch; `nil` saves nothing.
    ///
    /// StoreKit 1 doesn't need a cache, because the device has a receipt.
    public var entitlementCache: (any EntitlementCache)?
    /// How long unconfirmed access lasts, in seconds. 3,024,000 by default, which is 35 days.
    ///
    /// A read of the device that lists a purchase confirms the purchase. After this time without a confirmation, access
    /// ends if the device has listed nothing for 80 seconds, or if the paid period has ended and the device has
    /// answered. With 0, unconfirmed access ends as soon as one of these conditions holds; with `.infinity`, never. A
    /// negative number is treated as 0.
    public var entitlementCacheLifetime: TimeInterval
    /// The bundle identifier that Apple's signed texts have to name; `nil`, the default, finds it.
    ///
    /// In an extension, it's the identifier of the app that contains the extension. In a watch app with an iPhone
    /// companion, it's the companion's identifier (`WKCompanionAppBundleIdentifier`).
    public var appBundleID: String?
    /// The product that customers have because they paid for the app before it was free; `nil` without one.
    public var paidAppUpgrade: PaidAppUpgrade?
    /// The clock of the store; `nil` means the clock of the device, or of the simulated App Store.
    public var clock: (any StoreClock)?
    /// Receives log events. Called from any thread; must return quickly. ``StoreLogSink/warnings``
    /// by default.
    public var log: @Sendable (StoreLogEvent) -> Void { didSet { hasOwnLog = true } }
    /// Whether the app has given a destination for log events.
    private(set) var hasOwnLog: Bool

    /// Creates a configuration. Every setting has a default value.
    public init(
        engine: StoreEngine = .automatic, mode: StoreMode = .finishing, productsTimeout: TimeInterval = 30,
        productCacheDuration: TimeInterval = 3_600, receiptTimeout: TimeInterval = 60,
        restoreTimeout: TimeInterval = 300, paymentResponseTimeout: TimeInterval? = nil,
        preexistingTransactionDelay: TimeInterval = 3, policies: PaymentQueuePolicies = PaymentQueuePolicies(),
        delivery: (any PurchaseDelivery)? = nil,
        deliveryLedger: DeliveryLedger? = nil, nonRenewingDurations: [String: TimeInterval] = [:],
        entitlementCache: (any EntitlementCache)? = nil, entitlementCacheLifetime: TimeInterval = 35 * 86_400,
        appBundleID: String? = nil, paidAppUpgrade: PaidAppUpgrade? = nil, clock: (any StoreClock)? = nil,
        log: (@Sendable (StoreLogEvent) -> Void)? = nil
    ) {
        self.engine = engine
        self.mode = mode
        self.productsTimeout = productsTimeout
        self.productCacheDuration = productCacheDuration
        self.receiptTimeout = receiptTimeout
        self.restoreTimeout = restoreTimeout
        self.paymentResponseTimeout = paymentResponseTimeout
        self.preexistingTransactionDelay = preexistingTransactionDelay
        self.policies = policies
        self.delivery = delivery
        self.deliveryLedger = deliveryLedger
        self.nonRenewingDurations = nonRenewingDurations
        self.entitlementCache = entitlementCache
        self.entitlementCacheLifetime = entitlementCacheLifetime
        self.appBundleID = appBundleID
        self.paidAppUpgrade = paidAppUpgrade
        self.clock = clock
        self.log = log ?? StoreLogSink.warnings
        hasOwnLog = log != nil
    }

    /// Returns the names of this configuration's settings that a store with another configuration ignores.
    ///
    /// Closures can't be compared: a log and policies aren't named.
    func ignoredSettings(under other: StoreConfiguration) -> [String] {
        let (own, usual, others) = (settings, StoreConfiguration().settings, other.settings)
        return own.indices.filter { own[$0].value != usual[$0].value && own[$0].value != others[$0].value }
            .map { own[$0].name }
    }

    private var settings: [(name: String, value: AnyHashable?)] {
        // An object is compared by its identity, and a value that can't be compared by its type.
        func identity(_ value: Any?) -> AnyHashable? {
            guard let value else { return nil }
            if let value = value as? AnyHashable { return value }
            return type(of: value) is AnyClass
                ? ObjectIdentifier(value as AnyObject) : ObjectIdentifier(type(of: value))
        }
        return [
            ("productsTimeout", productsTimeout), ("productCacheDuration", productCacheDuration),
            ("receiptTimeout", receiptTimeout), ("restoreTimeout", restoreTimeout),
            ("paymentResponseTimeout", paymentResponseTimeout),
            ("preexistingTransactionDelay", preexistingTransactionDelay),
            ("entitlementCacheLifetime", entitlementCacheLifetime), ("appBundleID", appBundleID),
            ("nonRenewingDurations", nonRenewingDurations), ("delivery", identity(delivery)),
            ("deliveryLedger", deliveryLedger), ("entitlementCache", identity(entitlementCache)),
            ("paidAppUpgrade", paidAppUpgrade), ("clock", identity(clock)),
        ]
    }

    /// Returns a configuration whose log events are also kept in memory.
    func recording(in history: StoreLogHistory) -> StoreConfiguration {
        var configuration = self
        configuration.log = { [log] event in
            history.record(event)
            log(event)
        }
        configuration.hasOwnLog = hasOwnLog
        return configuration
    }
}

/// The version of StoreKit that a store uses. Both versions return the same purchases, so your app can change the
/// engine with any release.
public enum StoreEngine: Sendable, Hashable, CaseIterable {
    /// StoreKit 2 in iOS 16, macOS 13, tvOS 16, watchOS 9, visionOS 1 and later, and on Linux; StoreKit 1 in earlier
    /// versions.
    case automatic
    /// The payment queue, with receipts. Deprecated by Apple in iOS 18. It continues to work.
    case storeKit1
    /// Transactions that the App Store signs one by one.
    case storeKit2

    /// The engine on this system; never ``automatic``.
    package var resolved: StoreEngine {
        guard self == .automatic else { return self }
        if #available(iOS 16, macOS 13, tvOS 16, watchOS 9, *) { return .storeKit2 }
        return .storeKit1
    }
}

/// Who finishes transactions.
public enum StoreMode: Sendable, Hashable {
    /// This store finishes transactions when they are delivered.
    case finishing
    /// Another library in the app finishes transactions. This store never does.
    ///
    /// Install no delivery, and credit nothing in a loop, in this mode: an unfinished purchase arrives again in every
    /// launch, and the other library credits it, too. Observe, show and log purchases, and check access with
    /// ``PurchaseStore/entitlements``.
    case observing
}

extension StoreConfiguration: CustomStringConvertible {
    /// The engine, the mode, and the names of the settings that aren't the default ones.
    public var description: String {
        let names = ignoredSettings(under: StoreConfiguration()) + (hasOwnLog ? ["log"] : [])
        return "engine: \(engine), mode: \(mode), policies: \(policies)"
            + (names.isEmpty ? "" : ", set: \(names.joined(separator: ", "))")
    }
}
