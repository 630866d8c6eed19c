import Foundation

/// The whole state of a simulated App Store, as one value. Its methods decide; calling anybody is left to ``SimulatedAppStore``.
struct EngineState {
    let bundleIdentifier: String
    let initialCatalog: Catalog
    let pacing: SimulatedAppStore.Pacing
    /// When the clock starts: 1 January 2026, 00:00 UTC.
    static let startOfTime = Date(timeIntervalSince1970: 1_767_225_600)

    var behavior = SimulatorBehavior()
    var controls = StoreControls()
    private(set) var catalog: Catalog
    private var productIndices: [String: Int] = [:]

    var now = Self.startOfTime
    var agenda = Agenda<TimedEvent>()
    var account = AccountState()
    var queue = QueueState()
    var downloads: DownloadsState
    var scripted: [String: FIFO<SimulatedOutcome>] = [:]
    var scriptedForAny = FIFO<SimulatedOutcome>()
    var misuses: [SimulatorMisuse] = []

    var launch = LaunchState(number: 0)
    var requests: [UInt64: RequestState] = [:]
    var lastRequest: UInt64 = 0
    var untoldPromotions: [SimulatedPayment] = []
    var untoldRevocations: [String] = []

    var work = FIFO<Work>()
    var deliveries = FIFO<Delivery>()
    var pump = PumpState()
    private var garbage = Garbage()

    var lastNumber: UInt64
    var lastObject: UInt64 = 0
    private var identifierGenerator: SeededGenerator
    var deliveryGenerator: SeededGenerator

    init(catalog: Catalog, seed: UInt64, pacing: SimulatedAppStore.Pacing, bundleIdentifier: String) {
        self.bundleIdentifier = bundleIdentifier
        self.pacing = pacing
        self.catalog = catalog
        initialCatalog = catalog
        identifierGenerator = SeededGenerator(seed: seed)
        deliveryGenerator = SeededGenerator(seed: ~seed)
        // Fifteen digits, as many as a Swift string holds without an allocation.
        lastNumber = 200_000_000_000_000 + identifierGenerator.next() % 100_000_000_000
        downloads = DownloadsState()
        indexProducts()
    }

    /// The product as it is sold now.
    func product(_ identifier: String) -> SimulatedProduct? {
        productIndices[identifier].map { catalog.products[$0] }
    }

    /// What kind of product it is; what the catalog does not know counts as a consumable.
    func kind(of identifier: String) -> SimulatedProduct.Kind {
        productIndices[identifier].map { catalog.products[$0].kind } ?? .consumable
    }

    /// Whether the catalog has the product.
    func sells(_ identifier: String) -> Bool {
        productIndices[identifier] != nil
    }

    /// What the App Store hosts for a product.
    func hostedContent(of identifier: String) -> [SimulatedHostedContent] {
        productIndices[identifier].map { catalog.products[$0].hostedContent } ?? []
    }

    mutating func setCatalog(_ newCatalog: Catalog) {
        let formerStorefront = catalog.storefront
        catalog = newCatalog
        indexProducts()
        if newCatalog.storefront != formerStorefront {
            storefrontChanged()
        }
    }

    mutating func setLocaleIdentifier(_ identifier: String) {
        catalog.localeIdentifier = identifier
    }

    mutating func setStorefront(_ storefront: SimulatedStorefront) {
        guard storefront != catalog.storefront else { return }
        catalog.storefront = storefront
        storefrontChanged()
    }

    /// The App Store's next number. Numbers grow, with gaps.
    mutating func makeNumber() -> UInt64 {
        lastNumber += 1 + identifierGenerator.next() % 9
        return lastNumber
    }

    /// Keeps a handler that nobody is going to call until the lock is open.
    mutating func discard(_ handler: @escaping @Sendable (SimulatedRequest.Event) -> Void) {
        garbage.handlers.append(handler)
    }

    /// What is to be let go when the lock is open.
    mutating func takeGarbage() -> Garbage {
        defer { garbage = Garbage() }
        garbage.observers += launch.disperse()
        return garbage
    }

    /// Replaces the run of the app.
    mutating func replaceLaunch() {
        garbage.observers += launch.disperse()
        garbage.handlers += requests.values.map(\.handler)
        requests = [:]
        launch = LaunchState(number: launch.number + 1)
    }

    private mutating func indexProducts() {
        productIndices = Dictionary(
            catalog.products.enumerated().map { ($0.element.productIdentifier, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The controls that `SKTestSession` has, too.
struct StoreControls {
    var askToBuyEnabled = false
    var interruptedPurchasesEnabled = false
    var failTransactionsEnabled = false
    var failureError = SimulatedError.unknown
    var billingGracePeriodIsEnabled = false
    var shouldEnterBillingRetryOnRenewal = false
    var timeRate = TimeRate.realTime
    var canMakePayments = true
}

/// The run of the app that is current.
struct LaunchState {
    let number: UInt64
    var object = WeakLaunch()
    private(set) var observers: [WeakObserver] = []
    /// The observers that are there, while the lock is held.
    private(set) var present: [any SimulatedQueueObserver] = []
    var sheets: [SimulatedLaunch.Sheet] = []

    /// Whether anybody listens.
    var hasObservers: Bool { !present.isEmpty }

    init(number: UInt64) {
        self.number = number
    }

    /// Finds out who is still there.
    mutating func gather() {
        guard !observers.isEmpty else { return }
        present = observers.compactMap(\.value)
    }

    /// Lets go of those who were there.
    mutating func disperse() -> [any SimulatedQueueObserver] {
        defer { present = [] }
        return present
    }

    func observer(_ identity: ObjectIdentifier) -> (any SimulatedQueueObserver)? {
        present.first { ObjectIdentifier($0) == identity }
    }

    mutating func add(_ observer: any SimulatedQueueObserver) {
        observers.removeAll { $0.value == nil }
        observers.append(WeakObserver(observer))
        present.append(observer)
    }

    mutating func remove(_ observer: any SimulatedQueueObserver) {
        let identity = ObjectIdentifier(observer)
        observers.removeAll { $0.identity == identity }
        present.removeAll { ObjectIdentifier($0) == identity }
    }
}

/// What is let go only when the lock is open: its end may run code of the app, and that code may call the store.
struct Garbage {
    var observers: [any SimulatedQueueObserver] = []
    var handlers: [@Sendable (SimulatedRequest.Event) -> Void] = []
}

/// A request that was sent and is not at its end.
struct RequestState {
    /// What is asked for.
    enum Question {
        /// Products by identifier.
        case products(Set<String>)
        /// A new receipt.
        case receipt(SimulatedReceiptProperties)
    }

    let question: Question
    let handler: @Sendable (SimulatedRequest.Event) -> Void
}

/// Who is delivering, and who waits until nothing is left to deliver.
struct PumpState {
    /// Whether some thread is delivering, or is about to.
    var isDelivering = false
    /// Manual pacing: how many events may still be delivered.
    var allowance = 0
    /// How many times the thread was changed.
    var hops = 0
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter: UInt64 = 0
}
