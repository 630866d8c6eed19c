import AppReceipt
import AsyncStoreKit
import Foundation

/// A small app: coins from a server, a pro version, and a club with a monthly subscription.
@MainActor final class TrialApp {
    /// The texts on the screen.
    struct Screen {
        var prices: [String] = []
        var waitsForApproval: [String] = []
        var hasPro = false
        var isMember = false
        var deliveries: [String] = []
        var postponed = 0
        var banner: String?
    }

    private(set) var screen = Screen() { didSet { onChange(screen) } }
    var onChange: (Screen) -> Void = { _ in }

    private let store: PurchaseStore
    private let server: Server
    private let verifier: any ReceiptVerifier
    private var listeners: [Task<Void, Never>] = []

    init(store: PurchaseStore, server: Server, verifier: any ReceiptVerifier) {
        self.store = store
        self.server = server
        self.verifier = verifier
    }

    func launch() async {
        listeners = [
            Task { for await purchase in store.transactions { await receive(purchase) } },
            Task { for await pending in store.pendingPurchases { screen.waitsForApproval = pending.map(\.productID) } },
            Task { for await failure in store.purchaseFailures { show(failure.error) } },
            Task { for await _ in store.revocations { await updateAccess() } },
        ]
        await updateAccess()
    }

    func showProducts() async {
        do {
            screen.prices = try await store.products(for: ["monthly", "pro", "coins"]).map {
                "\($0.displayName): \($0.displayPrice)"
            }
        } catch {
            show(error)
        }
    }

    func buy(_ productID: String) async {
        do {
            try await store.purchase(productID) { purchase in try await self.deliver(purchase) }
        } catch {
            show(error)
        }
    }

    func restore() async {
        do {
            let restored = try await store.restore { purchase in try await self.deliver(purchase) }
            if case .userCancelled = restored { return }
            if restored.purchases.isEmpty { screen.banner = "There is nothing to restore." }
        } catch {
            show(error)
        }
    }

    func updateAccess(refreshing policy: ReceiptRefreshPolicy = .ifMissing) async {
        do { try await decideAccess(refreshing: policy) } catch { show(error) }
    }

    /// Delivers for the closures of calls and for the loop.
    private func deliver(_ purchase: StorePurchase) async throws {
        if purchase.productID == "coins" {
            try await server.deliver(purchase, receipt: store.receipt.data())
        } else {
            try await decideAccess(refreshing: .untilContains(purchase.transaction))
        }
        screen.deliveries.append(purchase.productID)
    }

    private func decideAccess(refreshing policy: ReceiptRefreshPolicy) async throws(StoreError) {
        let receipt = try await store.receipt.verify(using: verifier, refreshing: policy)
        screen.hasPro = receipt.owns("pro", at: .now)
        screen.isMember = receipt.subscriptionStatus(of: "monthly", at: .now).isEntitled
    }

    private func receive(_ purchase: StorePurchase) async {
        do {
            try await deliver(purchase)
            await purchase.finish()
        } catch {
            await purchase.retryDelivery()
            screen.postponed += 1
        }
    }

    private func show(_ error: StoreError) {
        if !error.isUserInitiated { screen.banner = error.localizedDescription }
    }
}
