import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// The code of the README, in an app like the one that the README assumes: on the main actor, with a server.
@MainActor private final class ReadmeApp {
    struct Server: Sendable {
        let received: Locked<[String]> = Locked([])

        func deliver(_ purchase: StorePurchase, receipt: Data) async throws {
            received.withLock { $0.append(purchase.productID) }
        }
    }

    let store: PurchaseStore
    let server = Server()
    private(set) var unlocked: [String] = []
    private(set) var waitsForApproval = false

    init(store: PurchaseStore) {
        self.store = store
    }

    private func unlock(_ productID: String) { unlocked.append(productID) }
    private func showWaitingForApproval() { waitsForApproval = true }

    func buyAndDeliver() async throws {
        try await store.purchase(StoreWorld.pro) { purchase in
            try await server.deliver(purchase, receipt: store.receipt.data())
        }
    }

    func buyByHand() async throws {
        switch try await store.purchase(StoreWorld.coins) {
        case .success(let purchase):
            unlock(purchase.productID)
            await purchase.finish()
        case .pending: showWaitingForApproval()  // Ask to Buy: see transactions and purchaseFailures
        case .userCancelled: break
        }
    }

    func listen(until count: Int) async {
        for await purchase in store.transactions {
            do {
                try await server.deliver(purchase, receipt: store.receipt.data())
                await purchase.finish()
            } catch {
                await purchase.retryDelivery()  // offered again after a pause
            }
            if server.received.withLock({ $0.count }) == count { return }
        }
    }

    func prices() async throws -> [String] {
        let response = try await store.products(for: [StoreWorld.pro, StoreWorld.coins])
        return response.products.map { "\($0.displayName) \($0.displayPrice)" }
    }

    func restore() async throws -> RestoreOutcome {
        try await store.restore { purchase in
            unlock(purchase.productID)
        }
    }

    func isSubscribed(_ verifier: LocalReceiptVerifier) async throws -> Bool {
        let receipt = try await store.receipt.verify(using: verifier)
        return receipt.subscriptionStatus(of: ["weekly", "monthly", "yearly"], at: .now).isEntitled
    }
}

@Suite(.bounded) struct ReadmeExamples {
    private let world = StoreWorld(selling: .shop, signs: true)

    @Test @MainActor func `the README's code works as the README says`() async throws {
        let app = ReadmeApp(store: world.launch())
        try await app.buyAndDeliver()
        expectEqual(app.server.received.withLock { $0 }, [StoreWorld.pro])
        try await app.buyByHand()
        expectEqual(app.unlocked, [StoreWorld.coins])
        world.appStore.setNextPurchaseOutcome(.deferred)
        try await app.buyByHand()
        #expect(app.waitsForApproval)
        try world.appStore.buyProduct(productID: StoreWorld.news)
        await app.listen(until: 2)
        expectEqual(app.server.received.withLock { $0 }, [StoreWorld.pro, StoreWorld.news])
        expectEqual(try await app.prices().count, 2)
        try await world.expectFinished(app.store)
        expectEqual(try await app.restore().productIDs, [StoreWorld.pro, StoreWorld.news])
        expectEqual(try await app.isSubscribed(.simulated()), false)
    }
}
