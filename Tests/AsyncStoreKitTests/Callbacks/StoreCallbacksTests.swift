import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Dispatch
import Support
import TestHarness
import Testing

extension Answers {
    fileprivate func take(_ value: Value) {
        dispatchPrecondition(condition: .onQueue(.main))
        completion()(value)
    }

    /// All values, after the main queue has run.
    fileprivate func settled() async throws -> [Value] {
        try await MainQueue.drain()
        return all
    }
}

@Suite(.bounded) struct StoreCallbacksTests {
    private typealias Outcome = Result<PurchaseOutcome, StoreError>
    private let world = StoreWorld(selling: .shop, engine: .storeKit1)

    @Test func `a purchase is answered once, on the main queue, and finished by a call`() async throws {
        let store = world.launch()
        let answers = Answers<Outcome>()
        let finished = Answers<Result<Void, StoreError>>()
        store.callbacks.purchase(StoreWorld.coins, options: .init(quantity: 3)) { result in
            answers.take(result)
            guard case .success(.success(let purchase)) = result else { return }
            store.callbacks.finish(purchase.transaction) { finished.take($0) }
        }
        let purchase = try world.success(try await answers.next().get())
        expectEqual(purchase.quantity, 3)
        try await finished.next().get()
        try await world.expectFinished(store)
        expectEqual(try await answers.settled().count, 1)
        store.callbacks.finish(purchase.transaction) { finished.take($0) }
        expectEqual(try await finished.first(2).last.flatMap(Self.code), .transactionFinished)
    }

    @Test func `calls for loaded products start in the order in which they are made`() async throws {
        let store = world.launch()
        let products = [StoreWorld.coins, StoreWorld.pro, StoreWorld.news]
        let coins = try #require(await store.products(for: products).products.first)
        let answers = Answers<Outcome>()
        store.callbacks.purchase(StoreWorld.pro) { answers.take($0) }
        store.callbacks.purchase(coins) { answers.take($0) }
        store.callbacks.purchase(StoreWorld.news) { answers.take($0) }
        let outcomes = try await answers.first(3)
        expectEqual(
            try outcomes.map { try world.success($0.get()).productID },
            [StoreWorld.pro, StoreWorld.coins, StoreWorld.news])
    }

    @Test func `pending purchases are sent immediately and after every change`() async throws {
        let store = world.launch()
        let lists = Answers<[String]>()
        let listening = store.callbacks.onPendingPurchases { lists.take($0.map(\.productID)) }
        _ = try await lists.next()
        world.appStore.setNextPurchaseOutcome(.deferred)
        _ = try await store.purchase(StoreWorld.pro)
        expectEqual(try await lists.first(2), [[], [StoreWorld.pro]])
        listening.cancel()
        try world.appStore.approvePurchase(of: StoreWorld.pro)
        try await world.settle(store)
        expectEqual(try await lists.settled().count, 2)
    }

    @Test func `a canceled purchase is removed from the queue, and the next one starts`() async throws {
        let store = world.launch()
        _ = try await store.products(for: [StoreWorld.coins, StoreWorld.pro, StoreWorld.news])
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let answers = Answers<String>()
        let first = store.callbacks.purchase(StoreWorld.coins) { _ in answers.take("first") }
        let second = store.callbacks.purchase(StoreWorld.pro) {
            answers.take("second \(Self.code($0).map(\.description) ?? "bought")")
        }
        store.callbacks.purchase(StoreWorld.news) {
            answers.take("third \(Self.code($0).map(\.description) ?? "bought")")
        }
        second.cancel()
        second.cancel()
        first.cancel()
        expectEqual(try await answers.first(3), ["second taskCancelled", "first", "third bought"])
        second.cancel()
        try await world.settle(store)
        expectEqual(try await answers.settled().count, 3)
        expectEqual(world.appStore.allTransactions().map(\.productID).contains(StoreWorld.pro), false)
    }

    @Test func `a purchase that is canceled while its product is loaded is answered at once, and never made`()
        async throws
    {
        let backend = SpyBackend(
            SimulatedBackend(launch: world.appStore.launch(), engine: .storeKit1), holdsProducts: true)
        let store = PurchaseStore(over: backend, configuration: StoreConfiguration(clock: SimulatedClock()))
        let answers = Answers<Outcome>()
        let call = store.callbacks.purchase(StoreWorld.coins) { answers.take($0) }
        try await backend.untilAsked(1)
        call.cancel()
        expectEqual(Self.code(try await answers.next()), .taskCancelled)
        backend.releaseProducts()
        try await world.settle(store)
        #expect(world.appStore.allTransactions().isEmpty)
        expectEqual(try await answers.settled().count, 1)
    }

    @Test func `invalid purchases are refused with the same errors as calls with await`() async throws {
        let store = world.launch()
        let answers = Answers<Outcome>()
        store.callbacks.purchase(StoreWorld.coins, options: .init(quantity: 11)) { answers.take($0) }
        store.callbacks.purchase("nothing") { answers.take($0) }
        let codes = try await answers.first(2).compactMap(Self.code)
        expectEqual(codes, [.invalidQuantity, .productUnavailable])
        // The position in the queue is free again.
        expectEqual(try world.success(try await store.purchase(StoreWorld.coins)).productID, StoreWorld.coins)
        world.appStore.behavior.canMakePayments = false
        store.callbacks.purchase(StoreWorld.coins) { answers.take($0) }
        expectEqual(try await answers.first(3).last.flatMap(Self.code), .purchaseNotAllowed)
    }

    @Test func `a second restore is refused at once, and a restore can begin in the completion of another`()
        async throws
    {
        let store = world.launch()
        try await store.purchase(StoreWorld.pro) { _ in }
        let answers = Answers<Result<RestoreOutcome, StoreError>>()
        // Answered after both calls, however fast the App Store is.
        world.appStore.pacing = .manual
        store.callbacks.restore { result in
            answers.take(result)
            store.callbacks.restore { answers.take($0) }
        }
        store.callbacks.restore { answers.take($0) }
        world.appStore.pacing = .automatic
        let results = try await answers.first(3)
        expectEqual(results.compactMap(Self.code), [.restoreInProgress])
        expectEqual(results.compactMap { try? $0.get().productIDs }, [[StoreWorld.pro], [StoreWorld.pro]])
    }

    @Test func `products and the receipt arrive by completion, and both waits can be canceled`() async throws {
        let backend = SpyBackend(
            SimulatedBackend(launch: world.appStore.launch(), engine: .storeKit1), holdsProducts: true)
        let store = PurchaseStore(over: backend, configuration: StoreConfiguration(clock: SimulatedClock()))
        let answers = Answers<Result<ProductsResponse, StoreError>>()
        store.callbacks.products(for: [StoreWorld.pro, "nothing"]) { answers.take($0) }
        let cancelled = Answers<Result<ProductsResponse, StoreError>>()
        store.callbacks.products(for: [StoreWorld.pro]) { cancelled.take($0) }.cancel()
        expectEqual(Self.code(try await cancelled.next()), .taskCancelled)
        backend.releaseProducts()
        let response = try await answers.next().get()
        expectEqual(response.products.map(\.id), [StoreWorld.pro])
        expectEqual(response.invalidProductIDs, ["nothing"])
        store.callbacks.products(for: []) { cancelled.take($0) }
        expectEqual(try await cancelled.first(2).last.flatMap(Self.code), .invalidProductIDs)

        world.appStore.behavior.receiptRefreshesAreNeverAnswered = true
        let receipts = Answers<Result<Void, StoreError>>()
        store.callbacks.refreshReceipt { receipts.take($0) }.cancel()
        expectEqual(Self.code(try await receipts.next()), .taskCancelled)
        world.appStore.behavior.receiptRefreshesAreNeverAnswered = false
        store.callbacks.refreshReceipt { receipts.take($0) }
        try await receipts.first(2).last?.get()
        #expect(throws: Never.self) { try store.receipt.data() }
    }

    @Test func `a pending completion keeps its store alive; a call that has ended and an event handler don't`()
        async throws
    {
        let answers = Answers<String>()
        let (calls, updates) = Self.calls(of: world.launch(), answers)
        expectEqual(try await answers.next(), StoreWorld.coins)
        expectEqual(try await updates.next(), nil, "the store is closed")
        calls.forEach { $0.cancel() }
        expectEqual(try await answers.settled().count, 1)
    }

    private static func calls(of store: PurchaseStore, _ answers: Answers<String>) -> (
        [StoreCall], StreamListener<StorePurchase>
    ) {
        // First, because a later subscriber would also receive the unfinished purchase.
        let events = store.callbacks.onTransaction { answers.take($0.transaction.productID) }
        let updates = StreamListener(store.transactions)
        let purchase = store.callbacks.purchase(StoreWorld.coins) { result in
            answers.take((try? result.get()).flatMap(productID) ?? "nothing")
        }
        return ([purchase, events], updates)
    }

    private static func productID(_ outcome: PurchaseOutcome) -> String? {
        if case .success(let purchase) = outcome { purchase.productID } else { nil }
    }

    private static func code<Value>(_ result: Result<Value, StoreError>) -> StoreError.Code? {
        if case .failure(let error) = result { error.code } else { nil }
    }
}
