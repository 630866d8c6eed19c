import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting

/// What the acts share: a customer of the simulated App Store, and the app as it is running at the moment.
final class DemoStage {
    /// Who does, or says, something.
    enum Speaker: String {
        case customer, parent, app, stream
        case appStore = "App Store"
    }

    let catalog: Catalog
    let console: Console
    private(set) var appStore: SimulatedAppStore
    private(set) var launch: SimulatedLaunch
    private(set) var store: Store
    private var updates: StreamListener<TransactionUpdate>
    // Products, and groups of subscriptions, that the customer has; and whatever was in an act before.
    private var owned: Set<String> = []
    private var seen: Set<String> = []

    init(catalog: Catalog, console: Console) {
        self.catalog = catalog
        self.console = console
        appStore = SimulatedAppStore(catalog: catalog)
        launch = appStore.launch()
        store = Store(backend: launch.backend)
        updates = StreamListener(store.transactions)
    }

    func say(_ speaker: Speaker, _ text: String, _ style: Console.Style = .plain) {
        let name = speaker.rawValue
        let filling = String(repeating: " ", count: max(1, 11 - name.count))
        console.line(.init("   "), .init(name, .speaker), .init(filling), .init(text, style))
    }

    /// Ends the app's process, and starts it again.
    func relaunch() {
        launch = appStore.launch()
        store = Store(backend: launch.backend)
        updates = StreamListener(store.transactions)
    }

    /// The next that arrives unasked.
    func nextUpdate() async throws -> TransactionUpdate {
        guard let update = await updates.next() else { throw StoreError(.storeClosed, "store.transactions ended.") }
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

// Who is cast for an act.
extension DemoStage {
    /// A product to buy: the first of the kinds, in their order, that the customer does not have, rather one that was in no act yet.
    ///
    /// When the customer has all there is, another customer goes on.
    func cast(_ kinds: [SimulatedProduct.Kind]) throws(DemoAct.Skipped) -> SimulatedProduct {
        let ofKind = kinds.flatMap { kind in catalog.products.filter { $0.kind == kind } }
        guard !ofKind.isEmpty else {
            throw DemoAct.Skipped(reason: "the file has no \(kinds.map(\.words).joined(separator: ", and no ")).")
        }
        // Hosted content keeps a transaction open until it is downloaded.
        let candidates = ofKind.filter(\.hostedContent.isEmpty)
        guard let first = candidates.first else {
            throw DemoAct.Skipped(reason: "the App Store hosts content for every product that would fit, and nothing is downloaded here.")
        }
        let free = candidates.filter { !owned.contains($0.ownershipKey) }
        guard let product = free.first(where: { !seen.contains($0.productIdentifier) }) ?? free.first else {
            changeCustomer()
            seen.insert(first.productIdentifier)
            return first
        }
        seen.insert(product.productIdentifier)
        return product
    }

    /// Remembers what the customer has from now on.
    func own(_ product: SimulatedProduct) {
        if product.kind != .consumable { owned.insert(product.ownershipKey) }
    }

    /// Whether the customer has something that a restore gives back.
    var ownsRestorable: Bool {
        catalog.products.contains { SimulatedProduct.Kind.restorable.contains($0.kind) && owned.contains($0.ownershipKey) }
    }

    /// The name that customers see; the identifier when there is none.
    func name(of productID: String) -> String {
        let name = catalog[productID]?.localization(for: catalog.localeIdentifier)?.displayName ?? ""
        return name.isEmpty ? productID : name
    }

    private func changeCustomer() {
        say(.customer, "has everything by now: another customer signs in", .quiet)
        appStore = SimulatedAppStore(catalog: catalog)
        owned = []
        relaunch()
    }
}

extension SimulatedProduct {
    /// Under which what is owned is remembered: subscriptions of a group are one another's alternatives.
    fileprivate var ownershipKey: String {
        subscription.map { "group \($0.groupIdentifier)" } ?? "product \(productIdentifier)"
    }
}

extension SimulatedProduct.Kind {
    /// What a restore gives back.
    static let restorable: [SimulatedProduct.Kind] = [.nonConsumable, .autoRenewableSubscription]

    /// The kind in words.
    var words: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non-consumable"
        case .nonRenewingSubscription: "non-renewing subscription"
        case .autoRenewableSubscription: "subscription"
        }
    }
}
