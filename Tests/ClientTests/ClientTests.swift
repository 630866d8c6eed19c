import AppReceipt
import AppStoreServer
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// An app's code without this package's settings, in the mode that the manifest chooses: with the isolation that Xcode
/// sets for new apps, or in another one.
@Suite(.bounded) @MainActor struct ClientTests {
    private let appStore = SimulatedAppStore(
        catalog: SimulatedCatalog(products: [.consumable("coins", price: 2), .nonConsumable("pro", price: 10)]))

    private func launched() -> PurchaseStore { PurchaseStore(simulating: appStore) }

    @Test func `closures of calls on the main actor run there`() async throws {
        let store = launched()
        let wallet = Wallet(store)
        await wallet.buy("coins")
        let product = try #require(try await store.products(for: ["coins"]).products.first)
        try await wallet.buy(product)
        await wallet.buy("pro")
        try await wallet.restore()
        expectEqual(wallet.credited, ["coins", "coins", "pro", "pro"])
        expectEqual(wallet.message, nil)
        expectEqual(try await wallet.prices().count, 2)
    }

    @Test func `a delivery on the main actor runs there`() async throws {
        let store = launched()
        let wallet = Wallet(store)
        wallet.startDelivering()
        _ = try await store.purchase("coins")
        expectEqual(wallet.credited, ["coins"])
    }

    @Test func `loops and callbacks on the main actor run there`() async throws {
        let store = launched()
        let wallet = Wallet(store)
        wallet.listen()
        try appStore.buyProduct(productID: "coins")
        try await store.settled()
        let (completions, continuation) = AsyncStream.makeStream(of: Void.self)
        wallet.buyWithCallback("pro") { continuation.yield() }
        for await _ in completions { break }
        try await store.settled()
        expectEqual(wallet.credited, ["coins", "pro"])
        wallet.stop()
    }

    @Test func `closures and the delivery of an actor run on the actor`() async throws {
        let store = launched()
        let vault = Vault(store)
        try await vault.buy("coins")
        try await vault.buy("pro")
        try await vault.restore()
        store.setDelivery(vault)
        _ = try await store.purchase("coins")
        expectEqual(await vault.credited, ["coins", "pro", "pro", "coins"])
    }

    @Test func `a class that isn't sendable buys in its own task`() async throws {
        let store = launched()
        let credited = try await Task.detached {
            let basket = Basket()
            try await basket.buy(["coins", "pro"], in: store)
            return basket.credited
        }.value
        expectEqual(credited, ["coins", "pro"])
    }

    @Test func `parts of an app that are isolated are called where they are`() async throws {
        let clock = MenuClock()
        try await (clock as any StoreClock).sleep(for: 1)
        expectEqual(clock.sleeps, 1)
        let verifier = ServerVerifier()
        _ = try? await (verifier as any ReceiptVerifier).verify(Data())
        expectEqual(verifier.failures, 1)
        let response = try await (Courier() as any ReceiptTransport).post(
            Data(), to: URL(fileURLWithPath: "/"), limit: 1)
        expectEqual(response.statusCode, 503)
    }

    @Test func `a backend of the package's own is compiled in this mode, too`() async throws {
        let backend = CountingBackend(next: SimulatedBackend(appStore))
        let store = PurchaseStore(over: backend)
        _ = try await store.products(for: ["coins"])
        expectEqual(await backend.counter.count, 1)
    }
}
