import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// The code of the article Testing your purchases.
@Suite(.bounded) struct TestingPurchases {
    @Test func `coins that a parent approves of arrive`() async throws {
        let appStore = SimulatedAppStore(products: [.consumable("coins", price: 1)])
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        appStore.behavior.askToBuyEnabled = true
        guard case .pending = try await store.purchase("coins") else { throw Unexpected() }
        try appStore.approvePurchase(of: "coins")
        var purchases = store.transactions.makeAsyncIterator()
        let purchase = try #require(await purchases.next())
        #expect(purchase.productID == "coins" && purchase.pendingPurchase != nil)
    }

    @Test func `what was paid for before a crash is delivered after it`() async throws {
        let appStore = SimulatedAppStore(products: [.consumable("coins", price: 1)])
        var store = PurchaseStore(backend: SimulatedBackend(appStore))
        _ = try await store.purchase("coins")  // paid, and not finished
        store = appStore.relaunch()
        var purchases = store.transactions.makeAsyncIterator()
        #expect(await purchases.next()?.productID == "coins")
    }

    @Test func `a server that is down is asked again`() async throws {
        let appStore = SimulatedAppStore(products: [.consumable("coins", price: 1)])
        let clock = SimulatedClock(appStore)
        let store = PurchaseStore(backend: SimulatedBackend(appStore), configuration: StoreConfiguration(clock: clock))
        let server = Server()
        await server.become(.down)
        store.setDelivery { request in
            do {
                for purchase in request.purchases { try await server.deliver(purchase) }
                return .accepted
            } catch {
                return .retryLater(after: 60)
            }
        }
        try appStore.buyProduct(productID: "coins")
        try await clock.sleepers(1)
        await server.become(.up)
        clock.advance(by: 60)
        await server.until { $0.coins == 1 }
    }

    @Test func `an app without a network still knows what is owned`() async throws {
        let appStore = SimulatedAppStore(products: [.nonConsumable("pro", price: 10)])
        var store = PurchaseStore(backend: SimulatedBackend(appStore))
        try await store.purchase("pro") { _ in }
        appStore.behavior.isOffline = true
        store = appStore.relaunch()
        let receipt = try await store.verifyReceipt(using: .simulated())
        #expect(receipt.owns("pro", at: .now))
    }

    @Test func `a repeated report is delivered once`() async throws {
        var catalog = SimulatedCatalog(products: [.consumable("coins", price: 1)])
        catalog.behavior.reportsTwice = true
        let appStore = SimulatedAppStore(catalog: catalog)
        let store = PurchaseStore(backend: SimulatedBackend(appStore))
        let server = Server()
        try await store.purchase("coins") { purchase in try await server.deliver(purchase) }
        await appStore.waitUntilIdle()
        #expect(await server.coins == 1)
    }

    @Test func `the file that Xcode uses is a catalogue`() throws {
        let configuration = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/store/Resources/Demo.storekit").standardizedFileURL
        let appStore = SimulatedAppStore(catalog: try SimulatedCatalog(contentsOf: configuration))
        #expect(!appStore.catalog.products.isEmpty)
    }

    private struct Unexpected: Error {}
}
