import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// The README's examples, as they are written there.
@Suite(.bounded) struct ReadmeTests {
    @Test func `a subscription that is not renewed ends`() async throws {
        let appStore = SimulatedAppStore(products: [
            .autoRenewable("monthly", price: 5, period: .month(1), group: "club")
        ])
        let store = PurchaseStore(simulating: appStore)
        try await store.purchase("monthly") { _ in }
        try appStore.disableAutoRenew(of: "monthly")
        try await store.advance(by: .months(2))
        #expect(!store.entitlements.latest.contains(anyOf: ["monthly"]))
    }

    @Test(arguments: [SimulatedOutcome?.none, .userCancelled, .failed(.unknown)])
    @MainActor func `a button buys, and speaks to the customer`(outcome: SimulatedOutcome?) async throws {
        let appStore = SimulatedAppStore(products: [.nonConsumable("com.example.pro", price: 10)])
        if let outcome { appStore.setNextPurchaseOutcome(outcome) }
        let view = View(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: Server())
        await view.button().value
        #expect(await view.server.coins == (outcome == nil ? 1 : 0))
        #expect(view.shown.count == (outcome == .failed(.unknown) ? 1 : 0))
    }

    @Test @MainActor func `an app lists, hears of what nobody was waiting for, and restores`() async throws {
        let appStore = SimulatedAppStore(products: [
            .nonConsumable("com.example.pro", price: 10), .consumable("com.example.coins", price: 1),
        ])
        let view = View(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: Server())
        try await view.products()
        #expect(view.printed == ["com.example.pro com.example.pro $10.00", "com.example.coins com.example.coins $1.00"])
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

    @Test @MainActor func `whoever has to ask a parent is told to wait`() async throws {
        let appStore = SimulatedAppStore(products: [.nonConsumable("com.example.pro", price: 10)])
        let view = View(store: PurchaseStore(backend: SimulatedBackend(appStore)), server: Server())
        appStore.behavior.askToBuyEnabled = true
        await view.button().value
        #expect(view.shown == ["Waiting for approval"])
    }
}

/// An app like the one that the README has in mind.
@MainActor private final class View {
    let store: PurchaseStore
    let server: Server
    private(set) var shown: [String] = []
    private(set) var printed: [String] = []
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
                let outcome = try await store.purchase("com.example.pro") { purchase in try await server.deliver(purchase) }
                if case .pending = outcome { showWaitingForApproval() }
            } catch {
                if !error.isUserInitiated { show(error.localizedDescription) }  // error.message is for the log
            }
        }
    }

    func listener() -> Task<Void, Never> {
        Task {
            for await purchase in store.transactions {
                do {
                    try await server.deliver(purchase)
                    await purchase.finish()
                } catch {
                    await purchase.retryDelivery()  // offered again after a pause: of a second at first, of five minutes at most
                }
            }
        }
    }

    func follow() async {
        for await entitlements in store.entitlements {
            show(hasPro: entitlements.contains(anyOf: ["com.example.pro", "com.example.club"]))
        }
    }

    func restore() async throws {
        let restored = try await store.restore { purchase in try await server.deliver(purchase) }
        if case .restored(let purchases) = restored, purchases.isEmpty { show("There is nothing to restore.") }
    }

    private func print(_ texts: String...) { printed.append(texts.joined(separator: " ")) }

    private func show(hasPro: Bool) { access.record(hasPro) }

    private func show(_ text: String) { shown.append(text) }

    private func showWaitingForApproval() { show("Waiting for approval") }
}

/// What the README and the landing page show that needs StoreKit's own queue, or Apple's own signature: compiled, and not run.
private struct Launch {
    let server: Server

    func first() async throws {
        let store = PurchaseStore()  // at launch: it hears of every purchase from here on

        try await store.purchase("com.example.pro") { purchase in
            try await server.deliver(purchase)
        }
    }

    func landingPage() async throws {
        let store = PurchaseStore()

        try await store.purchase("com.example.pro") { purchase in
            try await server.deliver(purchase, receipt: store.receiptData())
        }
    }
}
