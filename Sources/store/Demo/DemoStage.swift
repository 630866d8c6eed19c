import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting

/// The state that scenes share: a customer of the simulated App Store, and the current launch of the app.
final class DemoStage {
    /// The subject of a line.
    enum Speaker: String {
        case customer, parent, app, stream, server, time
        case appStore = "App Store"
    }

    // Three spaces, and the longest speaker with two spaces.
    private static let leadWidth = 14

    private(set) var catalog: SimulatedCatalog
    let engine: StoreEngine
    let console: Console
    private(set) var appStore: SimulatedAppStore
    private(set) var restores: RestoreHold
    private(set) var store: PurchaseStore
    private var purchases: StreamListener<StorePurchase>

    init(catalog: SimulatedCatalog, engine: StoreEngine, console: Console) {
        self.catalog = catalog
        self.engine = engine
        self.console = console
        appStore = SimulatedAppStore(catalog: catalog)
        restores = RestoreHold(SimulatedBackend(appStore, engine: engine))
        store = PurchaseStore(
            over: restores, configuration: StoreConfiguration(clock: SimulatedClock(appStore), log: Self.quiet))
        purchases = StreamListener(store.transactions)
    }

    /// A scene says what happens itself. Days pass between a purchase and its end, which the log would warn about.
    private static let quiet: @Sendable (StoreLogEvent) -> Void = { _ in }

    func say(_ speaker: Speaker, _ text: String, _ style: Console.Style = .plain) {
        console.line(lead(speaker) + [.init(text, style)], indent: Self.leadWidth)
    }

    /// Returns the beginning of a line, with its subject.
    func lead(_ speaker: Speaker) -> [Console.Span] {
        let name = speaker.rawValue
        return [
            .init("   "), .init(name, .speaker),
            .init(String(repeating: " ", count: max(1, Self.leadWidth - 3 - name.count))),
        ]
    }

    /// Ends the process of the app, and launches the app again.
    func relaunch(clock: (any StoreClock)? = nil, log: (@Sendable (StoreLogEvent) -> Void)? = nil) {
        restores = RestoreHold(SimulatedBackend(appStore, engine: engine))
        store = PurchaseStore(
            over: restores,
            configuration: StoreConfiguration(clock: clock ?? SimulatedClock(appStore), log: log ?? Self.quiet))
        purchases = StreamListener(store.transactions)
    }

    /// Continues with a new customer of another storefront.
    func changeCustomer(_ catalog: SimulatedCatalog) {
        self.catalog = catalog
        appStore = SimulatedAppStore(catalog: catalog)
        relaunch()
    }

    /// Returns the name of a product that customers see.
    func name(of productID: String) -> String { catalog.name(of: productID) }

    func nextPurchase() async throws -> StorePurchase {
        guard let purchase = try await purchases.next() else {
            throw StoreError(.storeClosed, "store.transactions ended.")
        }
        return purchase
    }

    /// Returns when the App Store and the app have processed all events.
    func settle() async throws {
        for _ in 0..<3 {
            await appStore.waitUntilIdle()
            _ = try await store.diagnostics()
        }
    }

    /// Advances the clock of the App Store, and prints the date.
    func advance(_ words: String, by period: SimulatedPeriod) async throws {
        try await store.advance(by: period)
        say(.time, "\(words) later, on \(appStore.now.dayText)", .quiet)
    }

    /// Prints the unfinished transactions, at the end of a scene.
    func sayUnfinished() async throws {
        try await settle()
        let unfinished = await store.unfinishedTransactions.map { name(of: $0.productID) }
        let names = unfinished.isEmpty ? "none" : unfinished.joined(separator: ", ")
        say(.app, "unfinished transactions: \(names)", unfinished.isEmpty ? .good : .bad)
    }

    func sayEntitlement(to productID: String) async throws {
        try await settle()
        guard let entitlement = await store.entitlements.refresh()[productID] else {
            throw StoreError(.unknown, "There is no entitlement to \"\(productID)\".")
        }
        let isEntitled = entitlement.isEntitled
        say(.app, "entitlement to \(name(of: productID)): \(entitlement.words)", isEntitled ? .good : .bad)
    }
}
