import Foundation

/// The whole state of a simulated App Store, as one value. Its methods decide; the façade performs the calls.
struct EngineState {
    let bundleID: String
    let initialCatalog: SimulatedCatalog
    /// Whether deliveries wait until somebody asks for them.
    let isManual: Bool

    var behavior: SimulatorBehavior
    private(set) var catalog: SimulatedCatalog
    private var productIndices: [String: Int] = [:]

    var now = Date.startOfSimulation
    var schedule = Schedule<TimedEvent>()
    var timers = TimerState()
    var account = AccountState()
    var queue = QueueState()
    var downloads: DownloadsState
    var scripted: [String: FIFO<SimulatedOutcome>] = [:]
    var scriptedForAny = FIFO<SimulatedOutcome>()
    var misuses: [SimulatorMisuse] = []

    var launch = LaunchState(number: 0)
    var requests: [UInt64: RequestState] = [:]
    var lastRequest: UInt64 = 0
    /// Promotions and revocations that no observer has been there to hear of.
    var pendingPromotions: [SimulatedPayment] = []
    var pendingRevocations: [String] = []

    var work = FIFO<Work>()
    var deliveries = FIFO<Delivery>()
    var loop = DeliveryLoop()
    private var discardedHandlers: [RequestHandler] = []

    var lastNumber: UInt64
    var lastObject: UInt64 = 0
    private var identifierGenerator: SeededGenerator
    var deliveryGenerator: SeededGenerator

    init(catalog: SimulatedCatalog, seed: UInt64, isManual: Bool, bundleID: String) {
        self.bundleID = bundleID
        self.isManual = isManual
        self.catalog = catalog
        initialCatalog = catalog
        behavior = catalog.behavior
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

    mutating func setCatalog(_ newCatalog: SimulatedCatalog) {
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

    /// Keeps a handler that will not be called until the lock is open: releasing it may run code of the app, which may call
    /// the store.
    mutating func discard(_ handler: @escaping RequestHandler) {
        discardedHandlers.append(handler)
    }

    /// The handlers to release when the lock is open.
    mutating func takeDiscardedHandlers() -> [RequestHandler] {
        guard !discardedHandlers.isEmpty else { return [] }
        defer { discardedHandlers = [] }
        return discardedHandlers
    }

    /// Replaces the run of the app.
    mutating func replaceLaunch() {
        discardedHandlers += requests.values.map(\.handler)
        requests = [:]
        launch = LaunchState(number: launch.number + 1)
    }

    private mutating func indexProducts() {
        productIndices = Dictionary(
            catalog.products.enumerated().map { ($0.element.productID, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The run of the app that is current.
struct LaunchState {
    let number: UInt64
    /// The observers that are there while the lock is held, in the order in which they were added.
    var observers: [ObserverID] = []
    var sheets: [SimulatedSheet] = []
}

/// A source of numbers that are the same for the same seed on every machine: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
