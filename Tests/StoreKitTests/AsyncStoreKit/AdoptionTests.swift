import AppStoreSimulator
import StoreKit
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Tests a store over StoreKit 2 with purchases in Apple's views.
@Suite(.bounded) struct AdoptionTests {
    private let world = StoreKit2World()

    @Test func `a purchase that a view finished without an update is delivered once when the app passes it on`()
        async throws
    {
        let environment = SystemStoreKit2(launch: world.launch)
        let backend = StoreKit2Backend(environment: environment)
        let store = PurchaseStore(over: backend)
        var purchases = store.transactions.makeAsyncIterator()
        try world.appStore.purchaseInProductView("pro")
        let sold = try #require(await environment.latest("pro"))
        backend.adopt(sold)
        backend.adopt(sold)
        let purchase = try #require(await purchases.next())
        expectEqual(purchase.productID, "pro")
        expectEqual(purchase.cause, .unsolicited)
        store.refreshPendingState()
        await world.appStore.waitUntilIdle()
        expectEqual(
            await store.unfinishedTransactions.map(\.productID), ["pro"], "StoreKit's list lacks it, and it is kept")
        await purchase.finish()
        backend.adopt(sold)
        #expect(await store.unfinishedTransactions.isEmpty, "finished transactions don't arrive again")
    }

    @Test func `unfinished transactions are found when the store refreshes`() async throws {
        let store = PurchaseStore(over: StoreKit2Backend(environment: SystemStoreKit2(launch: world.launch)))
        var purchases = store.transactions.makeAsyncIterator()
        try world.appStore.buyProduct(productID: "pro")
        store.refreshPendingState()
        let purchase = try #require(await purchases.next())
        await purchase.finish()
        store.refreshPendingState()
        #expect(await store.unfinishedTransactions.isEmpty)
    }
}
