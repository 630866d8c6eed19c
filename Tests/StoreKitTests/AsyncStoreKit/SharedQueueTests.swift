import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import StoreKit
import Support
import TestHarness
import Testing

/// The stores share a separate payment queue, as `PurchaseStore()`s share that of the process.
@Suite(.bounded) struct SharedQueueTests {
    private let appStore = SimulatedAppStore(catalog: .shop)
    private let environment: StoreKit1Environment
    private let sharing: SharedStoreCore
    private let configuration = StoreConfiguration(clock: SimulatedClock())

    init() {
        let environment = StoreKit1Environment(launch: appStore.launch())
        self.environment = environment
        sharing = SharedStoreCore { _ in StoreKit1Backend(environment: environment) }
    }

    @Test func `the queue has a delegate while the policies need one`() {
        let store = PurchaseStore(sharing: sharing, configuration: configuration)
        #expect(environment.queue.delegate == nil)
        for policies in [
            PaymentQueuePolicies(shouldContinueTransaction: { _, _ in true }),
            PaymentQueuePolicies(shouldShowPriceConsent: { true }),
        ] {
            store.setPolicies(policies)
            #expect(environment.queue.delegate != nil)
            store.setPolicies(PaymentQueuePolicies())
            #expect(environment.queue.delegate == nil)
        }
    }

    @Test
    func `stores share one observer, even if one is released during a purchase, and receive each transaction once`()
        async throws
    {
        let one = PurchaseStore(sharing: sharing, configuration: configuration)
        let other = PurchaseStore(sharing: sharing, configuration: configuration)
        let listeners = [StreamListener(one.transactions), StreamListener(other.transactions)]
        expectEqual(environment.queue.transactionObservers.count, 1)

        appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        var third: PurchaseStore? = PurchaseStore(sharing: sharing, configuration: configuration)
        let dropped = Task { [third] in try await third?.purchase(StoreWorld.coins) }
        third = nil
        _ = try await withDeadline("a payment to be in flight") {
            try await one.core.diagnostics() { $0.inFlight != nil }
        }
        dropped.cancel()
        await #expect(throws: StoreError.self) { _ = try await dropped.value }

        var delivered = 0
        try await other.purchase(StoreWorld.pro) { _ in delivered += 1 }
        expectEqual(delivered, 1)
        try appStore.buyProduct(productID: StoreWorld.news)
        for listener in listeners {
            let update = try #require(await listener.next())
            expectEqual(update.transaction.productID, StoreWorld.news)
            await update.finish()
        }
        try await appStore.idle()
        #expect(listeners.allSatisfy { $0.waiting.isEmpty }, "a transaction was received twice")
        #expect(appStore.misuses.isEmpty)
    }

    @Test func `the newest token counts a transaction that hasn't been reported yet`() async throws {
        let backend = StoreKit1Backend(environment: environment)
        let other = RecordingObserver()
        environment.queue.add(other)
        var newest = try #require(backend.newestToken())
        for _ in 0..<2 {
            try appStore.buyProduct(productID: StoreWorld.coins)
            try await appStore.idle()
            let token = try #require(backend.newestToken())
            #expect(token > newest)
            newest = token
            expectEqual(backend.newestToken(), newest)
        }
        environment.queue.remove(other)
    }

    @Test func `the mode of the newest store applies to all stores`() async throws {
        let store = PurchaseStore(sharing: sharing, configuration: configuration)
        let observing = PurchaseStore(
            sharing: sharing, configuration: StoreConfiguration(mode: .observing, clock: configuration.clock))
        try await store.purchase(StoreWorld.coins) { _ in }
        let unfinished = appStore.allTransactions().filter { $0.state == .purchased && !$0.isFinished }
        expectEqual(unfinished.map(\.productID), [StoreWorld.coins])
        withExtendedLifetime(observing) {}
    }

    @Test func `after the last store is released the queue has no observer, and a new store continues`() async throws {
        var store: PurchaseStore? = PurchaseStore(sharing: sharing, configuration: configuration)
        withExtendedLifetime(store) {}
        store = nil
        #expect(environment.queue.transactionObservers.isEmpty)
        try appStore.buyProduct(productID: StoreWorld.news)
        let next = PurchaseStore(sharing: sharing, configuration: configuration)
        let updates = StreamListener(next.transactions)
        let update = try #require(await updates.next())
        await update.finish()
    }
}
