import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting

/// What the acts share: a customer of the simulated App Store, and the app as it is running at the moment.
final class DemoStage {
    /// Who does, or says, something.
    enum Speaker: String {
        case customer, parent, app, stream, server
        case appStore = "App Store"
    }

    let catalog: SimulatedCatalog
    let engine: StoreEngine
    let console: Console
    private(set) var appStore: SimulatedAppStore
    private(set) var restores: RestoreHold
    private(set) var store: PurchaseStore
    private var updates: StreamListener<StorePurchase>
    // Products, and groups of subscriptions, that the customer has; and in which order products were in an act before.
    var owned: Set<String> = []
    var castings: [String: Int] = [:]

    init(catalog: SimulatedCatalog, engine: StoreEngine, console: Console) {
        var catalog = catalog
        // The story decides how payments end.
        catalog.behavior = SimulatorBehavior()
        if engine == .storeKit2 {
            // StoreKit 2 knows nothing of what the App Store hosts.
            for index in catalog.products.indices { catalog.products[index].hostedContent = [] }
        }
        self.catalog = catalog
        self.engine = engine
        self.console = console
        appStore = SimulatedAppStore(catalog: catalog)
        restores = RestoreHold(SimulatedBackend(appStore, engine: engine))
        store = PurchaseStore(over: restores, configuration: StoreConfiguration(clock: SimulatedClock(appStore)))
        updates = StreamListener(store.transactions)
    }

    func say(_ speaker: Speaker, _ text: String, _ style: Console.Style = .plain) {
        console.line(lead(speaker) + [.init(text, style)])
    }

    /// What a line begins with: who speaks.
    func lead(_ speaker: Speaker) -> [Console.Span] {
        let name = speaker.rawValue
        return [.init("   "), .init(name, .speaker), .init(String(repeating: " ", count: max(1, 11 - name.count)))]
    }

    /// Ends the app's process, and starts it again.
    func relaunch(_ configuration: StoreConfiguration = StoreConfiguration()) {
        restores = RestoreHold(SimulatedBackend(appStore, engine: engine))
        store = PurchaseStore(over: restores, configuration: configuration)
        updates = StreamListener(store.transactions)
    }

    /// Continues with a customer who has bought nothing yet.
    func changeCustomer() {
        say(.customer, "has everything by now: another customer signs in", .quiet)
        appStore = SimulatedAppStore(catalog: catalog)
        owned = []
        relaunch()
    }

    /// The next that arrives on the stream.
    func nextUpdate() async throws -> StorePurchase {
        guard let update = try await updates.next() else { throw StoreError(.storeClosed, "store.transactions ended.") }
        return update
    }

    /// Returns when the App Store and the app have nothing more to tell each other.
    func settle() async throws {
        for _ in 0..<3 {
            await appStore.waitUntilIdle()
            _ = try await store.diagnostics
        }
    }

    /// What is unfinished, as the end of an act reports it.
    func sayUnfinished() async throws {
        try await settle()
        let unfinished = await store.unfinishedTransactions.map { name(of: $0.productID) }
        say(.app, "unfinished: \(unfinished.isEmpty ? "nothing" : unfinished.joined(separator: ", "))", unfinished.isEmpty ? .good : .bad)
    }
}
