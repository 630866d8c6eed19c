import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// The shop of the article Getting started, with the changes of the article Deliver content.
@MainActor final class ExampleShop {
    /// The analytics of the app.
    final class Analytics {
        private(set) var events: [String] = []

        func log(_ kind: String, _ productID: String, _ price: Decimal?) {
            events.append("\(kind) \(productID)" + (price.map { " \($0)" } ?? ""))
        }
    }

    let store: PurchaseStore
    let analytics = Analytics()
    let server: Server
    private(set) var products: [StoreProduct] = []
    private(set) var message = "" { didSet { messages.record(message) } }
    let messages = Recorder<String>()
    private(set) var unlocked: Set<String> = []

    init(store: PurchaseStore, server: Server = Server()) {
        self.store = store
        self.server = server
    }

    func track() async {
        for await event in store.events {
            analytics.log(event.kind.description, event.productID, event.price)
        }
    }

    func trackSubscriptions() async {
        var former = StoreEntitlements.unknown
        for await entitlements in store.entitlements where entitlements.basis != .unknown {
            for event in entitlements.changes(since: former) {
                analytics.log(event.kind.description, event.productID, event.price)
            }
            former = entitlements
        }
    }

    func showProducts() async {
        do throws(StoreError) {
            let response = try await store.products(for: ["com.example.pro", "com.example.coins"])
            products = Array(response)
        } catch {
            message = error.localizedDescription
        }
    }

    func buy(_ product: StoreProduct) async {
        do throws(StoreError) {
            let outcome = try await store.purchase(product) { purchase in
                try await server.deliver(purchase)
            }
            if case .pending = outcome { message = "Waiting for approval" }
        } catch {
            if !error.isUserInitiated { message = error.localizedDescription }
        }
    }

    func listen() -> Task<Void, Never> {
        Task {
            for await purchase in store.transactions {
                do {
                    try await server.deliver(purchase)
                    await purchase.finish()
                } catch {
                    await purchase.retryDelivery()
                }
            }
        }
    }

    func restore() async {
        do throws(StoreError) {
            let restored = try await store.restore { purchase in
                try await server.deliver(purchase)
            }
            if case .restored(let purchases) = restored, purchases.isEmpty {
                message = "There is nothing to restore."
            }
        } catch {
            message = error.localizedDescription
        }
    }

    func installDelivery() {
        store.setDelivery { [server] request in
            do {
                for purchase in request.purchases { try await server.deliver(purchase) }
                return .accepted
            } catch {
                return .retryLater
            }
        }
    }

    func showFailures() async {
        for await failure in store.purchaseFailures where failure.error.code == .approvalDeclined {
            message = "\(failure.productID) wasn't approved"
        }
    }

    func lockWhatIsRevoked() async {
        for await revocation in store.revocations {
            let entitlements = await store.entitlements.current
            let locked = revocation.productIDs.filter {
                !entitlements.contains($0)
            }
            unlocked.subtract(locked)
            message = "Revoked: \(locked.sorted().joined(separator: ", "))"
        }
    }
}

@Suite(.bounded) @MainActor struct GettingStartedTests {
    private let appStore = SimulatedAppStore(products: [
        .nonConsumable("com.example.pro", price: 10), .consumable("com.example.coins", price: 1),
    ])
    private let server = Server()

    @Test func `the shop shows products, sells, restores, and shows errors`() async throws {
        // Only StoreKit 1 reports that a parent has declined.
        let store = PurchaseStore(backend: SimulatedBackend(appStore, engine: .storeKit1))
        let shop = ExampleShop(store: store, server: server)
        await shop.showProducts()
        #expect(shop.products.map(\.displayPrice) == ["$10.00", "$1.00"])
        await shop.buy(try #require(shop.products.first))
        #expect(await server.coins == 1)
        appStore.behavior.askToBuyEnabled = true
        await shop.buy(try #require(shop.products.last))
        #expect(shop.message == "Waiting for approval")
        try appStore.declinePurchase(of: "com.example.coins")
        let showing = Task { await shop.showFailures() }
        defer { showing.cancel() }
        _ = try await shop.messages.first { $0 == "com.example.coins wasn't approved" }
        let other = ExampleShop(store: appStore.relaunch(engine: .storeKit1), server: server)
        await other.restore()
        #expect(other.message.isEmpty)
        appStore.behavior.isOffline = true
        await other.showProducts()
        #expect(!other.message.isEmpty)
    }

    @Test func `the loop and the installed delivery deliver purchases made outside the app`() async throws {
        let clock = SimulatedClock(appStore)
        let store = PurchaseStore(backend: SimulatedBackend(appStore), configuration: StoreConfiguration(clock: clock))
        let shop = ExampleShop(store: store, server: server)
        let listening = shop.listen()
        try appStore.buyProduct(productID: "com.example.coins")
        await server.until { $0.coins == 1 }
        listening.cancel()
        await listening.value
        await server.become(.down)
        shop.installDelivery()
        try appStore.buyProduct(productID: "com.example.pro")
        await server.until { $0.requests == 2 }
        await server.become(.up)
        try await clock.waitForSleepers(1)
        clock.advance(by: 86_400)
        await server.until { $0.coins == 2 }
    }

    @Test func `analytics get every event`() async throws {
        let shop = ExampleShop(store: PurchaseStore(simulating: appStore), server: server)
        try await shop.store.purchase("com.example.pro") { _ in }
        let tracking = Task { await shop.track() }
        defer { tracking.cancel() }
        try await shop.store.settled()
        let price = try #require(appStore.catalog.products.first { $0.productID == "com.example.pro" }?.price)
        #expect(shop.analytics.events == ["started com.example.pro", "purchased com.example.pro \(price)"])
    }

    @Test func `analytics get the changes of a subscription`() async throws {
        let appStore = SimulatedAppStore(products: [
            .autoRenewable(
                "club", price: 5, period: .month(1), group: "club", introductoryOffer: .freeTrial(.week(1)))
        ])
        let shop = ExampleShop(store: PurchaseStore(simulating: appStore), server: server)
        let tracking = Task { await shop.trackSubscriptions() }
        defer { tracking.cancel() }
        try await shop.store.advance(by: 3)
        try await shop.store.purchase("club") { _ in }
        try await shop.store.advance(by: .day(1))
        try appStore.disableAutoRenew(of: "club")
        try await shop.store.advance(by: .weeks(2))
        #expect(shop.analytics.events == ["trialStarted club 0", "renewalTurnedOff club 0", "expired club 0"])
    }

    @Test func `a refund removes the content`() async throws {
        let shop = ExampleShop(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: server)
        try await shop.store.purchase("com.example.pro") { _ in }
        try appStore.refund("com.example.pro")
        let locking = Task { await shop.lockWhatIsRevoked() }
        defer { locking.cancel() }
        #expect(try await shop.messages.first(1) == ["Revoked: com.example.pro"])
    }
}
