import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// The examples of the README.
@Suite(.bounded) struct ReadmeTests {
    @Test func `a subscription that is not renewed ends`() async throws {
        let appStore = SimulatedAppStore(products: [
            .autoRenewable("monthly", price: 5, period: .month(1), group: "club")
        ])
        let store = PurchaseStore(simulating: appStore)
        try await store.purchase("monthly") { _ in }
        try appStore.disableAutoRenew(of: "monthly")
        try await store.advance(by: .months(2))
        #expect(!store.entitlements.latest.contains("monthly"))
    }

    @Test(arguments: [SimulatedOutcome?.none, .userCancelled, .failed(.unknown)])
    @MainActor func `a button purchases, and shows errors to the customer`(outcome: SimulatedOutcome?) async throws {
        let appStore = SimulatedAppStore(products: [.nonConsumable("com.example.pro", price: 10)])
        if let outcome { appStore.setNextPurchaseOutcome(outcome) }
        let view = View(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: Server())
        await view.button().value
        #expect(await view.server.coins == (outcome == nil ? 1 : 0))
        #expect(view.shown.count == (outcome == .failed(.unknown) ? 1 : 0))
    }

    @Test @MainActor func `an app shows products, delivers a purchase made outside the app, and restores`() async throws
    {
        let appStore = SimulatedAppStore(products: [
            .nonConsumable("com.example.pro", price: 10), .consumable("com.example.coins", price: 1),
        ])
        let view = View(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: Server())
        try await view.products()
        #expect(
            view.printed == ["com.example.pro com.example.pro $10.00", "com.example.coins com.example.coins $1.00"])
        try await view.buyByHand()
        #expect(view.unlocked == ["com.example.coins"])
        #expect(await view.store.unfinishedTransactions.isEmpty)
        let listener = view.listener()
        defer { listener.cancel() }
        try appStore.buyProduct(productID: "com.example.coins")
        await view.server.until { $0.coins == 1 }
        try await view.restore()
        #expect(view.shown == ["There is nothing to restore."])
    }

    @Test @MainActor func `access follows the entitlements`() async throws {
        let appStore = SimulatedAppStore(products: [.nonConsumable("com.example.pro", price: 10)])
        let view = View(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: Server())
        let following = Task { await view.follow() }
        defer { following.cancel() }
        #expect(try await view.access.first(1) == [false])
        try await view.store.purchase("com.example.pro") { _ in }
        #expect(try await view.access.first { $0 })
    }

    @Test @MainActor func `the button shows that a purchase waits for approval`() async throws {
        let appStore = SimulatedAppStore(products: [.nonConsumable("com.example.pro", price: 10)])
        let view = View(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: Server())
        appStore.behavior.askToBuyEnabled = true
        await view.button().value
        #expect(view.shown == ["Waiting for approval"])
    }
}

/// The app of the README's examples.
@MainActor private final class View {
    let store: PurchaseStore
    let server: Server
    private(set) var shown: [String] = []
    private(set) var printed: [String] = []
    private(set) var unlocked: [String] = []
    let access = Recorder<Bool>()

    init(store: PurchaseStore, server: Server) {
        self.store = store
        self.server = server
    }

    func products() async throws {
        for product in try await store.products(for: ["com.example.pro", "com.example.coins"]) {
            print(product.id, product.displayName, product.displayPrice)
        }
    }

    func button() -> Task<Void, Never> {
        Task {
            do throws(StoreError) {
                let outcome = try await store.purchase("com.example.pro") { purchase in
                    try await server.deliver(purchase)
                }
                if case .pending = outcome { showWaitingForApproval() }
            } catch {
                if !error.isUserInitiated { show(error.localizedDescription) }  // error.message is for the log
            }
        }
    }

    func buyByHand() async throws {
        if case .success(let purchase) = try await store.purchase("com.example.coins") {
            if !purchase.isHandledElsewhere { unlock(purchase.productID) }
            await purchase.finish()
        }
    }

    func listener() -> Task<Void, Never> {
        Task {
            for await purchase in store.transactions {
                do {
                    try await server.deliver(purchase)
                    await purchase.finish()
                } catch {
                    await purchase.retryDelivery()  // offers the purchase again after a pause of up to an hour
                }
            }
        }
    }

    func follow() async {
        let pro = AccessLevel(products: ["com.example.pro", "com.example.club"])
        for await entitlements in store.entitlements {
            show(hasPro: entitlements.contains(pro))
        }
    }

    func restore() async throws {
        let restored = try await store.restore { purchase in try await server.deliver(purchase) }
        if case .restored(let purchases) = restored, purchases.isEmpty { show("There is nothing to restore.") }
    }

    private func print(_ texts: String...) { printed.append(texts.joined(separator: " ")) }

    private func unlock(_ productID: String) { unlocked.append(productID) }

    private func show(hasPro: Bool) { access.record(hasPro) }

    private func show(_ text: String) { shown.append(text) }

    private func showWaitingForApproval() { show("Waiting for approval") }
}

/// The example of the README and the landing page that needs a device. The tests only compile it.
private struct Launch {
    let server: Server

    func first() async throws {
        // Create the store at launch, so that it observes every transaction.
        let store = PurchaseStore()

        try await store.purchase("com.example.pro") { purchase in
            try await server.deliver(purchase)
        }
    }
}
