import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Testing

/// A server that grants coins, as long as it runs.
actor FakeServer {
    private(set) var coins = 0
    private var isDown = false
    private var granted: Set<String> = []
    private struct IsDown: Error {}

    func stop() { isDown = true }
    func start() { isDown = false }

    func grant(_ purchase: StorePurchase) throws {
        guard !isDown else { throw IsDown() }
        // A purchase can arrive twice, for example after a crash.
        guard purchase.productID == "coins" else { return }
        guard granted.insert(purchase.deliveryKey).inserted else { return }
        coins += 100 * purchase.quantity
    }
}

/// The state of the app's screens.
@MainActor final class ShopModel {
    private(set) var hasPro = false
    private(set) var waitsForApproval = false
    private let store: PurchaseStore
    private var observation: Task<Void, Never>?

    init(store: PurchaseStore, server: FakeServer) {
        self.store = store
        store.setDelivery { request in
            do {
                for purchase in request.purchases { try await server.grant(purchase) }
                return .accepted
            } catch {
                return .retryLater(after: 60)
            }
        }
        observation = Task { [weak self] in
            for await entitlements in store.entitlements {
                self?.hasPro = entitlements.contains(AccessLevel(products: ["pro", "club.monthly"]))
            }
        }
    }

    func buy(_ productID: String) async throws {
        if case .pending = try await store.purchase(productID) { waitsForApproval = true }
    }
}

private func makeAppStore() -> SimulatedAppStore {
    SimulatedAppStore(products: [
        .consumable("coins", price: 1),
        .nonConsumable("pro", price: 10),
        .autoRenewable(
            "club.monthly", price: 5, period: .month(1), group: "club",
            introductoryOffer: .freeTrial(.week(1))),
    ])
}

@Test @MainActor func `a customer who bought Pro has it at the next launch`() async throws {
    let (appStore, server) = (makeAppStore(), FakeServer())
    let store = PurchaseStore(simulating: appStore)
    let shop = ShopModel(store: store, server: server)
    try await shop.buy("pro")
    try await store.settled()
    #expect(shop.hasPro)

    let nextStore = appStore.relaunch()
    let nextShop = ShopModel(store: nextStore, server: server)
    try await nextStore.settled()
    #expect(nextShop.hasPro)
}

@Test @MainActor func `access ends with a refund`() async throws {
    let appStore = makeAppStore()
    let store = PurchaseStore(simulating: appStore)
    let shop = ShopModel(store: store, server: FakeServer())
    try await shop.buy("pro")
    try appStore.refund("pro")
    try await store.settled()
    #expect(!shop.hasPro)
}

@Test @MainActor func `a subscription ends when the customer cancels it`() async throws {
    let appStore = makeAppStore()
    let store = PurchaseStore(simulating: appStore)
    let shop = ShopModel(store: store, server: FakeServer())
    try await shop.buy("club.monthly")
    try await store.advance(by: .weeks(2))
    #expect(shop.hasPro)

    try appStore.disableAutoRenew(of: "club.monthly")
    try await store.advance(by: .months(1))
    #expect(!shop.hasPro)
}

@Test @MainActor func `coins arrive when a parent approves`() async throws {
    let (appStore, server) = (makeAppStore(), FakeServer())
    let store = PurchaseStore(simulating: appStore)
    let shop = ShopModel(store: store, server: server)
    appStore.behavior.askToBuyEnabled = true
    try await shop.buy("coins")
    #expect(shop.waitsForApproval)

    try appStore.approvePurchase(of: "coins")
    try await store.settled()
    #expect(await server.coins == 100)
}

@Test @MainActor func `coins arrive when the server runs again`() async throws {
    let (appStore, server) = (makeAppStore(), FakeServer())
    let store = PurchaseStore(simulating: appStore)
    let shop = ShopModel(store: store, server: server)
    await server.stop()
    await #expect(throws: StoreError.self) { try await shop.buy("coins") }

    await server.start()
    try await store.advance(by: 120)
    #expect(await server.coins == 100)
}

@Test @MainActor func `coins paid before a crash arrive once after it`() async throws {
    let (appStore, server) = (makeAppStore(), FakeServer())
    let store = PurchaseStore(simulating: appStore)
    _ = try await store.purchase("coins")  // The app crashes.

    let nextStore = appStore.relaunch()
    let shop = ShopModel(store: nextStore, server: server)
    try await nextStore.settled()
    #expect(await server.coins == 100 && !shop.hasPro)
}
