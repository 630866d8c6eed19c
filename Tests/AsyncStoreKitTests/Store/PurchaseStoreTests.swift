import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@Suite(.bounded) struct PurchaseStoreTests {
    private let world = StoreWorld(selling: .shop, engine: .storeKit1)

    @Test func `ten thousand callers on one store all get their own purchases`() async throws {
        let store = world.launch()
        let products = try await store.products(for: [StoreWorld.coins]).products
        let updates = StreamListener(store.transactions)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<10_000 {
                group.addTask {
                    switch number % 5 {
                    case 0, 1:
                        try await store.purchase(products[0], options: .init(quantity: number % 10 + 1)) { purchase in
                            try world.expect(purchase.quantity, is: number % 10 + 1, "the quantity")
                        }
                    case 2: _ = try await store.products(for: [StoreWorld.pro, StoreWorld.news])
                    case 3: _ = try await store.diagnostics()
                    default:
                        do throws(StoreError) {
                            try await store.restore { _ in }
                        } catch {
                            try world.expect(error.code, is: .restoreInProgress, "the refusal")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try await world.expectFinished(store)
        expectEqual(world.appStore.allTransactions().count, 4_000)
        #expect(updates.waiting.isEmpty, "an answer to a call was on the stream")
    }

    @Test func `canceling half of a thousand calls ends every call`() async throws {
        let store = world.launch()
        let products = try await store.products(for: [StoreWorld.coins]).products
        let calls = (0..<1_000).map { _ in Task { try await store.purchase(products[0]) { _ in } } }
        for call in calls.enumerated() where call.offset % 2 == 0 { call.element.cancel() }
        for call in calls {
            do {
                _ = try await call.value
            } catch {
                expectEqual((error as? StoreError)?.code, .taskCancelled)
            }
        }
        // Payments that StoreKit had at the time of the cancellation are on the stream, unfinished.
        let bought = world.appStore.allTransactions()
        try await world.settle(store)
        let unfinished = await store.unfinishedTransactions
        expectEqual(bought.filter { !$0.isFinished }.count, unfinished.count)
    }

    @Test @MainActor func `a delivery closure runs in its caller's isolation, and may buy again`() async throws {
        let store = world.launch()
        let shop = Shop()
        try await store.purchase(StoreWorld.coins) { purchase in
            shop.unlock(purchase.productID)
            try await store.purchase(StoreWorld.pro) { shop.unlock($0.productID) }
        }
        expectEqual(shop.unlocked, [StoreWorld.coins, StoreWorld.pro])
        try await world.expectFinished(store)
    }

    @Test func `a restore delivers every purchase, and throws the first error of its closure`() async throws {
        struct NotDelivered: Error, Equatable { let productID: String }
        let store = try await world.owning([StoreWorld.news, StoreWorld.pro, StoreWorld.weekly])
        let updates = StreamListener(store.transactions)
        let tried = Recorder<String>()
        let error = await #expect(throws: StoreError.self) {
            try await store.restore { purchase in
                tried.record(purchase.productID)
                if purchase.productID != StoreWorld.pro { throw NotDelivered(productID: purchase.productID) }
            }
        }
        let failed = tried.elements.filter { $0 != StoreWorld.pro }
        expectEqual(Set(tried.elements), [StoreWorld.news, StoreWorld.pro, StoreWorld.weekly])
        expectEqual(error?.code, .deliveryFailed)
        expectEqual(error?.underlying as? NotDelivered, NotDelivered(productID: failed[0]))
        let names = failed.map { "\"\($0)\"" }.joined(separator: ", ")
        expectEqual(error?.message, "2 of 3 restored purchases were not delivered: \(names).")
        expectEqual(try await updates.next()?.productID, failed[0], "the purchase is offered again")
        expectEqual(try await updates.next()?.productID, failed[1], "the purchase is offered again")
    }

    @Test func `a purchase on the stream or of a restore isn't preexisting`() async throws {
        let store = world.launch()
        let updates = StreamListener(store.transactions)
        try world.appStore.buyProduct(productID: StoreWorld.pro)
        let offered = try #require(try await updates.next())
        expectEqual(offered.isPreexisting, false)
        await offered.finish()
        expectEqual(try await store.restore().purchases.map(\.isPreexisting), [false])
    }

    @Test func `only the first loop that receives a purchase receives it as new`() async throws {
        let store = world.launch()
        let first = StreamListener(store.transactions)
        try world.appStore.buyProduct(productID: StoreWorld.pro)
        expectEqual(try await first.next()?.isRedelivery, false)
        expectEqual(try await StreamListener(store.transactions).next()?.isRedelivery, true)
        let other = world.launch()
        try await world.until("the purchase to be held", other) { $0.held.map(\.reason) == [.offered] }
        expectEqual(try await StreamListener(other.transactions).next()?.isRedelivery, false)
        expectEqual(try await StreamListener(other.transactions).next()?.isRedelivery, true)
    }

    @Test func `a restore that can't start fails at once, and doesn't block the next one`() async throws {
        let store = PurchaseStore(over: UnreachableBackend())
        for _ in 0..<2 { try await world.expectError(.backendUnavailable) { _ = try await store.restore() } }
        expectEqual(try await store.diagnostics().isRestoring, false)
    }

    @MainActor private final class Shop {
        private(set) var unlocked: [String] = []

        func unlock(_ productID: String) { unlocked.append(productID) }
    }

    @Test func `releasing the store ends loops over its streams, and finishes nothing`() async throws {
        var store: PurchaseStore? = world.launch()
        let updates = try #require(store?.transactions)
        let received = Recorder<String>()
        let loop = Task {
            for await purchase in updates { received.record(purchase.productID) }
        }
        try world.appStore.buyProduct(productID: StoreWorld.pro)
        // A purchase that the loop hasn't received doesn't keep the store alive.
        _ = try await received.first(1)
        try await world.settle(try #require(store))
        store = nil
        await loop.value
        expectEqual(received.elements, [StoreWorld.pro])
        #expect(world.appStore.allTransactions().allSatisfy { !$0.isFinished })
    }

    @Test func `a purchase keeps its store alive until it has been finished`() async throws {
        let purchase = try world.success(try await world.launch().purchase(StoreWorld.pro))
        await purchase.finish()
        try await world.appStore.idle()
        #expect(world.appStore.allTransactions().allSatisfy { $0.isFinished })
    }

    @Test func `an unanswered payment times out, and the next one starts`() async throws {
        let store = world.launch()
        let updates = StreamListener(store.transactions)
        let product = try await store.products(for: [StoreWorld.coins]).products[0]
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let waiting = Task { try await store.purchase(product, options: .init(timeout: 20)) }
        try await world.clock.waitForSleepers(1, duration: 20)
        let next = Task { try await store.purchase(product, options: .init(quantity: 2)) }
        try await world.untilWaiting(store)
        world.clock.advance(by: 20)
        try await world.expectError(.timedOut) { _ = try await waiting.value }
        expectEqual(try world.success(try await next.value).quantity, 2)
        #expect(updates.waiting.isEmpty)
    }

    @Test func `the transaction of an abandoned payment arrives on the stream`() async throws {
        let appStore = SimulatedAppStore(catalog: .shop)
        appStore.behavior.signsReceipts = false
        let store = PurchaseStore(
            backend: SimulatedBackend(appStore, engine: .storeKit1),
            configuration: StoreConfiguration(clock: world.clock))
        let updates = StreamListener(store.transactions)
        let product = try await store.products(for: [StoreWorld.coins]).products[0]
        appStore.pacing = .manual
        let waiting = Task { try await store.purchase(product, options: .init(timeout: 45)) }
        try await world.clock.waitForSleepers(1, duration: 45)
        world.clock.advance(by: 45)
        try await world.expectError(.timedOut) { _ = try await waiting.value }
        appStore.runUntilIdle()
        let update = try await world.next(of: updates)
        expectEqual(update.transaction.productID, StoreWorld.coins)
        await update.finish()
    }

    @Test func `a subscriber that leaves receives nothing more, and doesn't block the others`() async throws {
        let store = world.launch()
        let stays = StreamListener(store.transactions)
        let left = Task {
            for await update in store.transactions { return update.transaction.productID }
            return ""
        }
        try world.appStore.buyProduct(productID: StoreWorld.pro)
        expectEqual(await left.value, StoreWorld.pro)
        expectEqual(try await world.next(of: stays).transaction.productID, StoreWorld.pro)
        try world.appStore.buyProduct(productID: StoreWorld.news)
        expectEqual(try await world.next(of: stays).transaction.productID, StoreWorld.news)
    }

    @Test func `a backend that has ended fails waiting and later calls with a typed error, and ends the streams`()
        async throws
    {
        let backend = SimulatedBackend(world.appStore, engine: .storeKit1)
        let store = PurchaseStore(over: backend, configuration: StoreConfiguration(clock: world.clock))
        let product = try await store.products(for: [StoreWorld.pro]).products[0]
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let updates = StreamListener(store.transactions)
        let buying = Task { try await store.purchase(product) }
        try await world.untilInFlight(store)
        backend.terminate()
        try await world.expectError(.backendUnavailable) { _ = try await buying.value }
        try await world.expectError(.backendUnavailable) { _ = try await store.purchase(product) }
        try await world.expectError(.backendUnavailable) { _ = try await store.restore() }
        expectEqual(try await updates.next(), nil)
        _ = world.appStore.launch()
        try await world.expectError(.backendUnavailable) { _ = try await store.products(for: [StoreWorld.news]) }
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `the end of a launch ends a request that waits, and a request that begins later`(engine: StoreEngine)
        async throws
    {
        let configuration = StoreConfiguration(clock: world.clock)
        let store = world.appStore.relaunch(configuration, engine: engine)
        world.appStore.behavior.productRequestsAreNeverAnswered = true
        world.appStore.behavior.receiptRefreshesAreNeverAnswered = true
        let buying = Task { try await store.purchase(StoreWorld.pro) }
        let refreshing = Task { try await store.receipt.data(refreshing: .always) }
        try await world.clock.waitForSleepers(2)
        _ = world.appStore.launch()
        try await world.expectError(.backendUnavailable) { _ = try await buying.value }
        try await world.expectError(.backendUnavailable) { _ = try await refreshing.value }
        try await world.expectError(.backendUnavailable) { _ = try await store.purchase(StoreWorld.news) }
    }

    @Test func `thousands of identifiers are one request, and a request without identifiers throws a typed error`()
        async throws
    {
        let store = world.launch()
        let many = Set((0..<5_000).map { "unknown-\($0)" }).union([StoreWorld.pro])
        let response = try await store.products(for: many)
        expectEqual(response.products.map(\.id), [StoreWorld.pro])
        expectEqual(response.invalidProductIDs.count, 5_000)
        try await world.expectError(.invalidProductIDs) { _ = try await store.products(for: []) }
        expectEqual(try await store.products(for: [""]).invalidProductIDs, [""])
        let error = await #expect(throws: StoreError.self) { try await store.purchase("no-such-thing") }
        expectEqual(error?.message.contains("no-such-thing"), true)
    }

    @Test func `nothing is answered after a cancellation, even if the App Store still responds`() async throws {
        let appStore = SimulatedAppStore(catalog: .shop, pacing: .manual)
        appStore.behavior.repliesAfterCancel = true
        let store = PurchaseStore(
            backend: SimulatedBackend(appStore, engine: .storeKit1),
            configuration: StoreConfiguration(clock: world.clock))
        let asking = Task { try await store.products(for: [StoreWorld.pro]) }
        try await world.clock.waitForSleepers(1)
        asking.cancel()
        try await world.expectError(.taskCancelled) { _ = try await asking.value }
        // A second answer would be a continuation resumed twice, which traps.
        appStore.runUntilIdle()
        expectEqual(appStore.pendingEventCount, 0)
    }

    @Test func `an unowned purchase is logged, and so is another delivery`() async throws {
        let log = Recorder<StoreLogEvent>()
        let configuration = StoreConfiguration(clock: world.clock, log: { log.record($0) })
        let store = PurchaseStore(
            backend: SimulatedBackend(world.appStore, engine: .storeKit1), configuration: configuration)
        try world.appStore.buyProduct(productID: StoreWorld.pro)
        try await store.advance(by: 61)
        expectEqual(try await log.first { $0.message.contains(StoreWorld.pro) }.level, .warning)
        store.setDelivery { _ in .accepted }
        store.setDelivery { _ in .accepted }
        _ = try await log.first { $0.message.contains("replaces") }
    }
}
