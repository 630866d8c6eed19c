import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Dispatch
import Support
import TestHarness
import Testing

@Suite(.bounded) struct StoreEventCallbacksTests {
    private let world = StoreWorld(selling: .shop, engine: .storeKit1)

    @Test func `a handler receives unsolicited purchases in order on the main queue, the unfinished ones first`()
        async throws
    {
        try world.appStore.buyProduct(productID: StoreWorld.pro)
        let store = world.launch()
        let told = Recorder<String>()
        let call = store.callbacks.onTransaction { update in
            dispatchPrecondition(condition: .onQueue(.main))
            store.callbacks.finish(update.transaction)
            told.record(update.transaction.productID)
        }
        expectEqual(try await told.first(1), [StoreWorld.pro])
        try world.appStore.buyProduct(productID: StoreWorld.coins)
        try world.appStore.buyProduct(productID: StoreWorld.news)
        expectEqual(try await told.first(3), [StoreWorld.pro, StoreWorld.coins, StoreWorld.news])
        try await world.expectFinishedSoon(store)
        call.cancel()
        try world.appStore.buyProduct(productID: StoreWorld.maps)
        try await world.settle(store)
        try await MainQueue.drain()
        expectEqual(told.elements.count, 3)
        expectEqual(await store.unfinishedTransactions.map(\.productID), [StoreWorld.maps])
    }

    @Test func `after a cancellation on the main queue nothing arrives, not even queued events`() async throws {
        let store = world.launch()
        let told = Recorder<String>()
        let call = store.callbacks.onTransaction { told.record($0.transaction.productID) }
        try await world.settle(store)
        try await MainQueue.run {
            // The main queue is busy, so these events arrive after the cancellation.
            try? world.appStore.buyProduct(productID: StoreWorld.pro)
            call.cancel()
        }
        try await world.settle(store)
        try await MainQueue.drain()
        #expect(told.elements.isEmpty)
    }

    @Test func `failures, revocations, promoted purchases, storefronts and downloads have their handlers`() async throws
    {
        let store = world.launch()
        let told = Recorder<String>()
        store.callbacks.onFailure { told.record("failure \($0.error.code)") }
        store.callbacks.onRevocation { told.record("revoked \($0.productIDs)") }
        store.callbacks.onStorefrontChange { told.record("storefront \($0.countryCode)") }
        store.callbacks.onDownload { if $0.state == .finished { told.record("downloaded \($0.contentID)") } }
        store.callbacks.onPurchaseIntent { told.record("promoted \($0.product.id)") }

        world.appStore.setNextPurchaseOutcome(.deferred)
        guard case .pending = try await store.purchase(StoreWorld.coins) else {
            throw StoreError(.unknown, "it was not deferred")
        }
        let deferred = try #require(world.appStore.allTransactions().first { $0.state == .deferred }?.id)
        try world.appStore.declineAskToBuyTransaction(id: deferred)
        _ = try await told.first { $0.hasPrefix("failure") }

        try await store.purchase(StoreWorld.maps) { purchase in
            try await store.hostedContent.start(purchase.transaction.downloads)
            world.appStore.advance(by: 1)
        }
        _ = try await told.first { $0 == "downloaded roads" }
        try world.appStore.refund(StoreWorld.maps)
        expectEqual(try await told.first { $0.hasPrefix("revoked") }, "revoked [\"maps\"]")
        try world.appStore.promotePurchase(of: StoreWorld.pro)
        expectEqual(try await told.first { $0.hasPrefix("promoted") }, "promoted pro")
        world.appStore.storefront = .init(countryCode: "DEU", id: "143443")
        expectEqual(try await told.first { $0.hasPrefix("storefront") }, "storefront DEU")
    }
}
