package import AppStoreSimulator
package import AsyncStoreKit
package import AsyncStoreKitTesting
package import Foundation

extension SimulatedCatalog {
    /// A product of most kinds.
    package static var shop: SimulatedCatalog {
        let weekly = SimulatedSubscription(groupID: "magazine", period: .init(1, .week))
        return SimulatedCatalog(products: [
            SimulatedProduct(productID: StoreWorld.coins, kind: .consumable, price: 0.99),
            SimulatedProduct(productID: StoreWorld.pro, kind: .nonConsumable, price: 4.99),
            SimulatedProduct(
                productID: StoreWorld.maps, kind: .nonConsumable, price: 3.99,
                hostedContent: [
                    SimulatedHostedContent(contentID: "roads", contentLength: 1000),
                    SimulatedHostedContent(contentID: "trails", contentLength: 2000),
                ]),
            SimulatedProduct(productID: StoreWorld.news, kind: .nonConsumable, price: 1.99),
            SimulatedProduct(
                productID: StoreWorld.weekly, kind: .autoRenewableSubscription, price: 2.99, subscription: weekly),
        ])
    }

    /// Subscriptions of two groups, with offers, beside products of other kinds.
    package static var club: SimulatedCatalog {
        SimulatedCatalog(products: [
            .consumable("coins", price: 2, name: "Coins"),
            .nonConsumable("pro", price: 9.99, name: "Pro", description: "Everything", isFamilyShareable: true),
            .nonRenewingSubscription("season", price: 5),
            .autoRenewable(
                "basic", price: 3, period: .month(1), group: "club", level: 2, introductoryOffer: .freeTrial(.week(1)),
                promotionalOffers: [.payAsYouGo(1, each: .month(1), times: 2, id: "half")],
                winBackOffers: [.payUpFront(5, for: .months(3), id: "back")],
                codeOffers: [.freeTrial(.month(1), id: "gift")],
                isFamilyShareable: true),
            .autoRenewable("premium", price: 6, period: .month(1), group: "club", level: 1),
            .autoRenewable("basic.yearly", price: 30, period: .year(1), group: "club", level: 2),
            .autoRenewable("magazine", price: 4, period: .month(1), group: "press"),
            .nonConsumable("filters", price: 1),
        ])
    }
}

/// An App Store with some products, and an app over it, launch after launch, with either engine.
package struct StoreWorld: Sendable {
    package static let coins = "coins"
    package static let pro = "pro"
    package static let news = "news"
    package static let weekly = "weekly"
    /// A product with two hosted files of 1000 and 2000 bytes.
    package static let maps = "maps"

    package let appStore: SimulatedAppStore
    package let clock: SimulatedClock
    /// The first launch of the app.
    package let device: SimulatedLaunch
    private let configuration: StoreConfiguration
    private let makeBackend: @Sendable (SimulatedLaunch) -> any StoreBackend
    private let stores = Locked(Stores())

    private struct Stores: Sendable {
        /// The store of the first launch.
        var first: PurchaseStore?
        var launched: [LaunchedStore] = []
    }

    /// - Parameters:
    ///   - signs: Whether texts have a genuine signature, which takes time to create. Without, there is no receipt, and
    ///     no cache is accepted.
    ///   - configuration: The configuration of the stores; by default one with the App Store's clock.
    ///   - makeBackend: Creates the backend of a launch.
    package init(
        _ behavior: SimulatorBehavior = SimulatorBehavior(), selling catalog: SimulatedCatalog = .club,
        signs: Bool = false, pacing: SimulatedAppStore.Pacing = .automatic, configuration: StoreConfiguration? = nil,
        makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend
    ) {
        var catalog = catalog
        catalog.behavior = behavior
        catalog.behavior.signsReceipts = signs
        self.init(SimulatedAppStore(catalog: catalog, pacing: pacing), configuration, makeBackend)
    }

    /// - Parameter wrap: Changes what the backend does.
    package init(
        _ behavior: SimulatorBehavior = SimulatorBehavior(), selling catalog: SimulatedCatalog = .club,
        signs: Bool = false, pacing: SimulatedAppStore.Pacing = .automatic, configuration: StoreConfiguration? = nil,
        engine: StoreEngine = .storeKit2, wrap: @escaping @Sendable (SimulatedBackend) -> any StoreBackend = { $0 }
    ) {
        self.init(behavior, selling: catalog, signs: signs, pacing: pacing, configuration: configuration) {
            wrap(SimulatedBackend(launch: $0, engine: engine))
        }
    }

    /// Returns a world with a change of the App Store's behavior.
    package static func behaving(
        signs: Bool = false, engine: StoreEngine = .storeKit2, _ change: (inout SimulatorBehavior) -> Void
    ) -> StoreWorld {
        var behavior = SimulatorBehavior()
        change(&behavior)
        return StoreWorld(behavior, signs: signs, engine: engine)
    }

    private init(
        _ appStore: SimulatedAppStore, _ configuration: StoreConfiguration?,
        _ makeBackend: @escaping @Sendable (SimulatedLaunch) -> any StoreBackend
    ) {
        self.appStore = appStore
        self.makeBackend = makeBackend
        clock = SimulatedClock(appStore)
        device = appStore.launch()
        self.configuration = configuration ?? StoreConfiguration(clock: clock)
    }

    /// The same account in another launch of the app.
    package func relaunched() -> StoreWorld { StoreWorld(appStore, configuration, makeBackend) }

    /// The store of the first launch.
    package var store: PurchaseStore {
        stores.withLock { stores in
            if let store = stores.first { return store }
            let store = PurchaseStore(over: makeBackend(device), configuration: configuration)
            stores.first = store
            return store
        }
    }

    /// Launches the app again, and returns its store.
    package func launch(_ configuration: StoreConfiguration? = nil, mode: StoreMode = .finishing) -> PurchaseStore {
        var configuration = configuration ?? self.configuration
        configuration.mode = mode
        let store = PurchaseStore(over: makeBackend(appStore.launch()), configuration: configuration)
        stores.withLock { $0.launched.append(LaunchedStore(store: store)) }
        return store
    }

    /// Returns the state of the App Store and of all launched stores, for the message of an expired wait.
    func report() async -> String {
        var parts = ["The App Store has \(appStore.allTransactions())."]
        for (number, store) in stores.withLock({ $0.launched }).map(\.store).enumerated() {
            guard let store else { continue }
            let diagnostics = try? await withDeadline("diagnostics", within: 1) { try await store.diagnostics() }
            parts.append("Launch \(number + 1): \(diagnostics.map { "\($0)" } ?? "no diagnostics after a second").")
        }
        return parts.joined(separator: " ")
    }

    /// Waits until all events have reached the store, and all resulting calls of the store have reached the App Store.
    package func settle(_ store: PurchaseStore) async throws {
        try await withDeadline("all events to be processed") { [appStore] in
            for _ in 0..<3 {
                await appStore.waitUntilIdle()
                _ = try await store.diagnostics()
            }
        }
    }

    /// Buys a product with the store, and finishes the transaction.
    package func buy(_ productID: String) async throws {
        try await store.purchase(productID) { _ in }
    }

    /// Advances until the entitlements are confirmed.
    @discardableResult
    package func confirmed() async -> StoreEntitlements {
        while true {
            let entitlements = await store.entitlements.current
            if entitlements.basis == .confirmed { return entitlements }
            // An empty answer is confirmed after it has lasted. The reads of each second end before the next one.
            do {
                try await store.advance(by: 1)
            } catch {
                appStore.advance(by: 1)
                await Task.yield()
            }
        }
    }

    package func refreshed() async -> StoreEntitlements { await store.entitlements.refresh() }
}

/// A weak reference to a store.
private struct LaunchedStore: Sendable {
    weak var store: PurchaseStore?
}

// StoreKit 2 without a store.
extension StoreWorld {
    package var environment: any StoreKit2Environment { SimulatedStoreKit2(device) }

    package func product(_ id: String) async throws -> StoreKit2Product {
        guard let product = try await environment.products([id]).first else { throw Unexpected(result: "no \(id)") }
        return product
    }

    /// Buys a product and expects a transaction.
    @discardableResult
    package func pay(_ id: String, for account: UUID? = nil, quantity: Int = 1) async throws
        -> StoreKit2SignedTransaction
    {
        let payment = PaymentRequest(productID: id, quantity: quantity, applicationUsername: account?.uuidString)
        let purchase = try await product(id).prepare(payment, nil).get()
        let result = try await purchase(nil)
        guard case .success(let signedTransaction) = result else { throw Unexpected(result: "\(result)") }
        return signedTransaction
    }

    /// Buys a product and finishes the transaction.
    @discardableResult
    package func own(_ id: String) async throws -> StoreKit2SignedTransaction {
        let signedTransaction = try await pay(id)
        await signedTransaction.finish()
        return signedTransaction
    }

    /// Returns the latest transaction of a product in the history.
    package func latest(_ id: String) async throws -> StoreKit2SignedTransaction {
        guard let latest = await environment.latest(id) else { throw Unexpected(result: "no transaction of \(id)") }
        return latest
    }

    /// The products of the unfinished transactions, newest first.
    package var unfinished: [String] { device.transactions(.unfinished).map(\.record.productID) }

    package struct Unexpected: Error {
        package let result: String

        package init(result: String) {
            self.result = result
        }
    }
}
