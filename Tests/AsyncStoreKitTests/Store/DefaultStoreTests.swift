import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import Testing

/// Over the process's own payment queue, which only this suite touches.
@Suite("Default store", .serialized)
struct DefaultStoreTests {
    private static let appStore: SimulatedAppStore = {
        let appStore = SimulatedAppStore(catalog: BehaviorWorld.catalog)
        try? StoreKitSimulation.install(appStore)
        return appStore
    }()

    @Test("two stores and a third dropped in the middle of a purchase share one observer, and see every transaction once")
    func shared() async throws {
        let appStore = Self.appStore
        let one = Store()
        let other = Store()
        let listeners = [StreamListener(one.transactions), StreamListener(other.transactions)]
        #expect(SKPaymentQueue.default().transactionObservers.count == 1)

        appStore.enqueue(.neverAnswered(afterPurchasing: true))
        var third: Store? = Store()
        let dropped = Task { [third] in try await third?.purchase(BehaviorWorld.coins) }
        third = nil
        _ = try await one.core.diagnostics { $0.inFlight != nil }
        dropped.cancel()
        await #expect(throws: StoreError.self) { _ = try await dropped.value }

        var delivered = 0
        try await other.purchase(BehaviorWorld.pro) { _ in delivered += 1 }
        #expect(delivered == 1)
        try appStore.buyProduct(productIdentifier: BehaviorWorld.news)
        for listener in listeners {
            let update = try #require(await listener.next())
            #expect(update.transaction.productID == BehaviorWorld.news)
            await update.finish()
        }
        await appStore.waitUntilIdle()
        #expect(listeners.allSatisfy { $0.waiting.isEmpty }, "something was seen twice")
        #expect(appStore.misuses.isEmpty)
    }

    @Test("the mode of the last store made counts for all of them")
    func mode() async throws {
        let appStore = Self.appStore
        let store = Store()
        let observing = Store(mode: .observing)
        try await store.purchase(BehaviorWorld.coins) { _ in }
        let unfinished = appStore.allTransactions().filter { $0.state == .purchased && !$0.isFinished }
        #expect(unfinished.map(\.productIdentifier) == [BehaviorWorld.coins])
        withExtendedLifetime(observing) {}
    }

    @Test("when the last store is dropped nobody observes, and a new one takes up what was left")
    func lastDropped() async throws {
        let appStore = Self.appStore
        var store: Store? = Store()
        withExtendedLifetime(store) {}
        store = nil
        while !SKPaymentQueue.default().transactionObservers.isEmpty { await Task.yield() }
        try appStore.buyProduct(productIdentifier: BehaviorWorld.news)
        let next = Store()
        let updates = StreamListener(next.transactions)
        let update = try #require(await updates.next())
        await update.finish()
    }
}
