import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import Testing

/// An App Store with all kinds of products, an app, and its store.
struct EntitlementWorld {
    let appStore: SimulatedAppStore
    let store: PurchaseStore

    static let products = SignedTransactionWorld.products + [.nonConsumable("filters", price: 1)]

    /// - Parameter signs: Whether texts have a genuine signature, which takes time to create.
    init(
        _ behavior: SimulatorBehavior = SimulatorBehavior(), signs: Bool = false,
        configuration: StoreConfiguration = StoreConfiguration(),
        engine: StoreEngine = .storeKit2, backend: (SimulatedBackend) -> any StoreBackend = { $0 }
    ) {
        var behavior = behavior
        behavior.signsReceipts = signs
        appStore = SimulatedAppStore(catalog: SimulatedCatalog(products: Self.products, behavior: behavior))
        store = Self.store(backend(SimulatedBackend(appStore, engine: engine)), configuration)
    }

    private static func store(_ backend: some StoreBackend, _ configuration: StoreConfiguration) -> PurchaseStore {
        PurchaseStore(over: backend, configuration: configuration)
    }

    /// Buys a product, and finishes the transaction.
    func buy(_ productID: String) async throws {
        try await store.purchase(productID) { _ in }
    }

    /// Advances until the entitlements are confirmed.
    @discardableResult
    func confirmed() async -> StoreEntitlements {
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

    func refreshed() async -> StoreEntitlements { await store.entitlements.refresh() }
}
