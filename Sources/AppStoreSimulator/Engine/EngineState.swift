import Foundation

/// The whole state of a simulated App Store, as one value. Its methods make decisions; ``SimulatedAppStore`` performs
/// calls.
struct EngineState {
    let bundleID: String
    let initialCatalog: SimulatedCatalog
    /// Whether deliveries wait for ``SimulatedAppStore/step()`` or ``SimulatedAppStore/runUntilIdle()``.
    var isManual: Bool

    var behavior: SimulatorBehavior
    private(set) var catalog: SimulatedCatalog
    /// The reason that the App Store can't sell the products of the catalog.
    private(set) var catalogProblem: SimulatorError?
    /// The error of an input of a function that can't throw.
    var inputProblem: SimulatorError?
    private var productIndices: [String: Int] = [:]
    /// The currency of prices.
    private(set) var currencyCode: String?

    var now = Date.startOfSimulation
    /// The time by which the clock is ahead of real time; `nil` while the clock is virtual.
    var realTimeOffset: TimeInterval?
    /// The date at which the store looks for scheduled events next, if the clock follows real time.
    var wake: Date?
    var schedule = Schedule<TimedEvent>()
    var timers = TimerState()
    var account = AccountState()
    var queue = QueueState()
    var downloads: DownloadsState
    var scripted: [String: [SimulatedOutcome]] = [:]
    var scriptedForAny: [SimulatedOutcome] = []
    var scriptedCodes: [(payment: SimulatedPayment, offerID: String)] = []
    var scriptedListings: [SimulatedListing: [SimulatedListingFault]] = [:]
    var misuses: [SimulatorMisuse] = []

    /// The active device, whose app calls or is called.
    var device: DeviceState
    /// The customer's other devices, by number.
    var otherDevices: [Int: DeviceState] = [:]
    /// Transactions that the other devices haven't received yet, with the device that paid.
    var unannounced: [(row: Int, device: Int)] = []
    private var lastLaunch: UInt64 = 0
    var lastRequest: UInt64 = 0

    // StoreKit 2.

    var lastCall: UInt64 = 0
    var lastListener: UInt64 = 0
    let appTransactionID: String
    /// The app transaction of the other Apple Account in ``SimulatorBehavior/historyListsAnotherAccount``.
    let otherAppTransactionID: String
    var appTransactionSignInCount = 0
    var appTransaction = SimulatedAppTransaction(originalPurchaseDate: .startOfSimulation) {
        didSet { appTransactionRevision += 1 }
    }
    private(set) var appTransactionRevision: UInt64 = 0
    /// To be called when the lock is open: a newer launch has begun.
    var endHandlers: [@Sendable () -> Void] = []

    var work: [(device: Int, work: Work)] = []
    var deliveries: [(device: Int, delivery: Delivery)] = []
    var loop = DeliveryLoop()
    private var discardedHandlers: [Any] = []

    var lastNumber: UInt64
    var lastObject: UInt64 = 0
    private var identifierGenerator: SeededGenerator
    var deliveryGenerator: SeededGenerator
    var listingGenerator: SeededGenerator

    init(catalog: SimulatedCatalog, seed: UInt64, isManual: Bool, bundleID: String) {
        self.bundleID = bundleID
        self.isManual = isManual
        self.catalog = catalog
        initialCatalog = catalog
        behavior = catalog.behavior
        identifierGenerator = SeededGenerator(seed: seed)
        deliveryGenerator = SeededGenerator(seed: ~seed)
        listingGenerator = SeededGenerator(seed: seed &* 37)
        // A Swift string stores fifteen digits without an allocation.
        lastNumber = 200_000_000_000_000 + identifierGenerator.next() % 100_000_000_000
        downloads = DownloadsState()
        var deviceGenerator = SeededGenerator(seed: seed &* 31)
        device = DeviceState(number: 0, id: UUID(&deviceGenerator))
        appTransactionID = String(700_000_000_000_000_000 + deviceGenerator.next() % 10_000_000_000_000_000)
        otherAppTransactionID = String(800_000_000_000_000_000 + deviceGenerator.next() % 10_000_000_000_000_000)
        indexProducts()
    }

    /// Throws the error of an earlier input once, and the error of the catalog until the catalog changes.
    mutating func checkInputs() throws(SimulatorError) {
        if let problem = inputProblem {
            inputProblem = nil
            throw problem
        }
        if let catalogProblem { throw catalogProblem }
    }

    /// Returns the product with its current price.
    func product(_ identifier: String) -> SimulatedProduct? {
        productIndices[identifier].map { catalog.products[$0] }
    }

    /// Returns the kind of a product. An unknown product is treated as a consumable.
    func kind(of identifier: String) -> SimulatedProduct.Kind {
        productIndices[identifier].map { catalog.products[$0].kind } ?? .consumable
    }

    /// Returns whether the catalog contains a product.
    func sells(_ identifier: String) -> Bool {
        productIndices[identifier] != nil
    }

    func hostedContent(of identifier: String) -> [SimulatedHostedContent] {
        productIndices[identifier].map { catalog.products[$0].hostedContent } ?? []
    }

    mutating func setCatalog(_ newCatalog: SimulatedCatalog) {
        let formerStorefront = catalog.storefront
        catalog = newCatalog
        indexProducts()
        if newCatalog.storefront != formerStorefront {
            reportStorefrontChange()
        }
    }

    mutating func setLocaleIdentifier(_ identifier: String) {
        catalog.localeIdentifier = identifier
        updateCurrency()
    }

    /// Returns the price of one item of a product.
    func price(of identifier: String) -> Decimal {
        productIndices[identifier].map { catalog.products[$0].price } ?? 0
    }

    mutating func setPrice(of identifier: String, to price: Decimal) {
        guard let index = productIndices[identifier] else { return }
        catalog.products[index].price = price.inThousandths
    }

    mutating func setStorefront(_ storefront: SimulatedStorefront) {
        guard storefront != catalog.storefront else { return }
        catalog.storefront = storefront
        if let currency = storefront.currencyCode {
            let plain = catalog.localeIdentifier.prefix { $0 != "@" }
            catalog.localeIdentifier = "\(plain)@currency=\(currency)"
        }
        updateCurrency()
        reportStorefrontChange()
    }

    /// Moves the customer to a new device, on which later launches run.
    mutating func moveToNewDevice() {
        device.id = UUID(&identifierGenerator)
        device.signedTexts = [:]
        device.receipt.moveToNewDevice()
    }

    /// Adds a device without a launch and returns its number.
    mutating func addDevice() -> Int {
        var newDevice = DeviceState(number: otherDevices.count + 1, id: UUID(&identifierGenerator))
        newDevice.receipt = device.receipt
        newDevice.receipt.moveToNewDevice()
        otherDevices[newDevice.number] = newDevice
        return newDevice.number
    }

    /// Returns the App Store's next transaction number. Numbers increase, with gaps.
    mutating func makeNumber() -> UInt64 {
        lastNumber += 1 + identifierGenerator.next() % 9
        return lastNumber
    }

    /// Keeps a handler that won't be called until the lock is released, because deallocating it may run code of the app
    /// that calls the store.
    mutating func discard(_ handler: Any) {
        discardedHandlers.append(handler)
    }

    /// Removes and returns the handlers to deallocate after the lock is released.
    mutating func takeDiscardedHandlers() -> [Any] {
        guard !discardedHandlers.isEmpty else { return [] }
        defer { discardedHandlers = [] }
        return discardedHandlers
    }

    mutating func replaceLaunch() {
        endCalls()
        for request in device.requests.values {
            discard(request.handler)
            if let endHandler = request.endHandler { endHandlers.append(endHandler) }
        }
        device.requests = [:]
        for late in device.lateListings { endHandlers.append { late.deliver([]) } }
        device.lateListings = []
        lastLaunch += 1
        device.launch = LaunchState(number: lastLaunch, beginDate: now)
    }

    /// Removes and returns the handlers to call after the lock is released.
    mutating func takeEndHandlers() -> [@Sendable () -> Void] {
        defer { endHandlers = [] }
        return endHandlers
    }

    private mutating func updateCurrency() {
        currencyCode =
            SimulatedCatalog.priceLocale(localeIdentifier: catalog.localeIdentifier, storefront: catalog.storefront)
            .currencyCode
    }

    private mutating func indexProducts() {
        productIndices = Dictionary(
            catalog.products.enumerated().map { ($0.element.productID, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        catalogProblem = catalog.problem
        updateCurrency()
    }
}

/// A random number generator with the same sequence for a seed on every machine: SplitMix64 (Steele, Lea, Flood, OOPSLA
/// 2014).
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Array {
    /// Removes and returns the first element; `nil` for an empty array.
    mutating func takeFirst() -> Element? { isEmpty ? nil : removeFirst() }
}
