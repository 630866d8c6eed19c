import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import Foundation
import Support
import TestHarness
import Testing

/// Runs the code of Migration.md. `GuideTests` compares the code with the guide.
@Suite(.bounded) @MainActor struct MigratedAppTests {
    private nonisolated static let engines = [StoreEngine.storeKit1, .storeKit2]

    @Test(arguments: engines) func `products`(engine: StoreEngine) async {
        let app = MigratedApp(engine)
        await app.retrieveProducts()
        #expect(app.printed.elements.count == 2 && app.printed.elements.allSatisfy { $0.contains(": ") })
    }

    @Test(arguments: engines)
    func `purchases in a closure, with a server, by hand, with approval, and where purchases are disabled`(
        engine: StoreEngine
    )
        async throws
    {
        let app = MigratedApp(engine)
        await app.purchaseInClosure()
        #expect(app.unlocked.elements == ["com.example.pro"] && app.shown.elements.isEmpty)
        try await app.purchaseWithServer()
        #expect(app.server.delivered.elements.map { $0.prefix(19) } == ["com.example.coins, "])
        try await app.purchaseByHand()
        #expect(app.unlocked.elements.last == "com.example.coins")
        #expect(await app.store.unfinishedTransactions.isEmpty)
        app.appStore.setNextPurchaseOutcome(.deferred)
        try await app.purchaseByHand()
        #expect(app.shown.elements == ["Waits for approval"])
        app.appStore.behavior.canMakePayments = false
        await app.purchaseInClosure()
        #expect(app.shown.elements.count == 2 && app.shown.elements.last != "Waits for approval")
    }

    @Test(arguments: engines) func `a purchase with an offer is made at the offer's price`(engine: StoreEngine)
        async throws
    {
        let app = MigratedApp(engine)
        // Only customers who have subscribed before get promotional offers.
        try await app.store.purchase("com.example.weekly") { _ in }
        try app.appStore.expireSubscription(productID: "com.example.weekly")
        try await app.purchaseWithOffer()
        #expect(app.unlocked.elements == ["com.example.weekly"])
        #expect(app.appStore.allTransactions().count == 2)
    }

    @Test(arguments: engines) func `a canceled purchase ends`(engine: StoreEngine) async {
        let app = MigratedApp(engine)
        app.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        await app.cancelPurchase()
        #expect(app.unlocked.elements.isEmpty)
    }

    @Test(arguments: engines) func `the loops over transactions, promoted purchases and revocations`(
        engine: StoreEngine
    ) async throws {
        let app = MigratedApp(engine)
        let loops = [app.listen(), app.purchaseIntents(), app.revocations()]
        try app.appStore.buyProduct(productID: "com.example.coins")
        #expect(try await app.unlocked.first(1) == ["com.example.coins"])
        try app.appStore.promotePurchase(of: "com.example.pro")
        #expect(try await app.unlocked.first(2).last == "com.example.pro")
        try app.appStore.refund("com.example.pro")
        #expect(try await app.unlocked.first(3).last == "not com.example.pro")
        loops.forEach { $0.cancel() }
    }

    @Test(arguments: engines) func `restores, in the app and with a server`(engine: StoreEngine) async throws {
        let app = MigratedApp(engine)
        await app.restore()
        #expect(app.shown.elements == ["Nothing to restore"])
        await app.purchaseInClosure()
        await app.restore()
        #expect(app.shown.elements.count == 1 && app.unlocked.elements.count == 2)
        try await app.restoreWithServer()
        #expect(app.server.delivered.elements == ["com.example.pro"])
    }

    @Test func `hosted content is downloaded over StoreKit 1`() async throws {
        let app = MigratedApp(.storeKit1)
        let appStore = app.appStore
        let watcher = Task { [store = app.store] in
            for await download in store.hostedContent.changes where download.state == .active {
                appStore.advance(by: 1)
            }
        }
        try await app.downloadContent()
        #expect(app.shown.elements.last == "1 files")
        watcher.cancel()
    }

    @Test func `hosted content over StoreKit 2 is an error, and the transaction stays unfinished`() async throws {
        let app = MigratedApp(.storeKit2)
        let error = try await #require(throws: StoreError.self) { try await app.downloadContent() }
        #expect(error.code == .deliveryFailed && (error.underlying as? StoreError)?.code == .unsupported)
        #expect(app.shown.elements.isEmpty)
        #expect(await app.store.unfinishedTransactions.map(\.productID) == ["com.example.maps"])
    }

    @Test(arguments: engines) func `calls with completions, and an installed delivery`(engine: StoreEngine) async throws
    {
        let app = MigratedApp(engine)
        app.callbacks()
        #expect(try await app.unlocked.first(1) == ["com.example.coins"])
        app.installDelivery()
        try app.appStore.buyProduct(productID: "com.example.pro")
        #expect(try await app.server.delivered.first(1).first?.hasPrefix("com.example.pro, ") == true)
    }

    @Test(arguments: engines) func `receipts`(engine: StoreEngine) async throws {
        let app = MigratedApp(engine)
        #expect(app.makeVerifier().bundleID == "com.example.app")
        await app.verifyReceipt()
        #expect(app.printed.elements == ["0 purchases"])
        await app.purchaseInClosure()
        #expect(try app.localReceipt().isEmpty == false)
        #expect(try await app.fetchReceipt().isEmpty == false)
        await app.verifyReceipt()
        try await app.verifyWithServer()
        #expect(app.printed.elements.suffix(2) == ["1 purchases", "1 purchases"])
        try await app.verifyPurchase()
        #expect(app.printed.elements.last?.hasPrefix("Bought on") == true)
    }

    @Test(arguments: engines) func `subscriptions`(engine: StoreEngine) async throws {
        let app = MigratedApp(engine)
        app.appStore.advance(by: Date().timeIntervalSince(app.appStore.now))
        _ = try await app.store.receipt.refresh()
        try await app.verifySubscription()
        #expect(app.unlocked.elements == ["not com.example.weekly"])
        try await app.buySubscription()
        #expect(app.shown.elements.last?.hasPrefix("Yours until") == true)
        try await app.verifySubscription()
        try await app.verifyGroup()
        #expect(app.unlocked.elements.suffix(2) == ["com.example.weekly", "magazine"])
        try await app.verifyNonRenewing()
        #expect(app.unlocked.elements.count == 4)
        try await app.store.purchase("com.example.pass") { _ in }
        try await app.verifyNonRenewing()
        #expect(app.unlocked.elements.last == "com.example.pass")
        await app.checkSubscription()
        #expect(app.unlocked.elements.last == "com.example.weekly")
        let count = app.unlocked.elements.count
        let following = Task { await app.followEntitlements() }
        #expect(try await app.unlocked.first(count + 1).last == "com.example.weekly")
        following.cancel()
        try await app.distinctIDs()
        #expect(app.printed.elements == ["[\"com.example.pass\", \"com.example.weekly\"]", "1 active subscriptions"])
    }
}
