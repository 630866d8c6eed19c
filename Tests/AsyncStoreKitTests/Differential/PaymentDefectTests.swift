import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Support
import TestHarness
import Testing

/// Defects of SwiftyStoreKit 0.16.4 with payments and transactions, which this library doesn't have.
@Suite(.bounded) struct PaymentDefectTests {
    private let world = BehaviorWorld(behavior: SimulatorBehavior()) {
        SimulatedBackend(launch: $0, engine: .storeKit1)
    }

    @Test func `P1: an answer from inside the call is received`() async throws {
        world.appStore.behavior.deliveryThread = .caller
        let store = world.launch()
        expectEqual(try world.success(try await store.purchase(BehaviorWorld.coins)).productID, BehaviorWorld.coins)
    }

    @Test func `P2: an old unfinished transaction goes to the stream, and the new one answers the purchase`()
        async throws
    {
        let first = world.launch()
        let old = try world.success(try await first.purchase(BehaviorWorld.coins))
        let store = world.launch()
        let updates = StreamListener(store.transactions)
        let product = try await store.products(for: [BehaviorWorld.coins]).products[0]
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let buying = Task { try await store.purchase(product) }
        try await world.untilInFlight(store)
        // Reported again while the payment is being processed.
        let entry = try #require(world.appStore.allTransactions().first { $0.state == .purchased }?.id)
        world.appStore.redeliver(entry)
        try await world.settle(store)
        expectEqual(try await world.next(of: updates).transaction.id, old.transaction.id)
        #expect(try await store.diagnostics().inFlight != nil, "the old one has answered the new payment")
        buying.cancel()
        _ = try? await buying.value
        let new = try world.success(try await store.purchase(product))
        #expect(new.transaction.id != old.transaction.id)
    }

    @Test func `P3: two payments for one product are answered by their own transactions, whichever comes first`()
        async throws
    {
        let store = world.launch()
        let one = Task {
            try await store.purchase(BehaviorWorld.coins, options: .init(quantity: 1, account: .username("a")))
        }
        let five = Task {
            try await store.purchase(BehaviorWorld.coins, options: .init(quantity: 5, account: .username("b"))) { _ in }
        }
        let first = try world.success(try await one.value)
        let second = try world.success(try await five.value)
        expectEqual(first.quantity, 1)
        expectEqual(first.account, .username("a"))
        expectEqual(second.quantity, 5)
        expectEqual(second.account, .username("b"))
        try await world.settle(store)
        expectEqual(await store.unfinishedTransactions, [first.transaction], "the wrong one was finished")
    }

    @Test func `P5: an approval belongs to the purchase that was deferred`() async throws {
        let store = world.launch()
        let updates = StreamListener(store.transactions)
        world.appStore.setNextPurchaseOutcome(.deferred)
        guard case .pending(let pending) = try await store.purchase(BehaviorWorld.pro) else {
            Issue.record("not pending")
            return
        }
        let entry = try #require(world.appStore.allTransactions().first { $0.state == .deferred }?.id)
        try world.appStore.approveAskToBuyTransaction(id: entry)
        let update = try await world.next(of: updates)
        expectEqual(update.pendingPurchase, pending)
    }

    @Test func `P6: a deferred transaction is never finished`() async throws {
        let store = world.launch()
        store.setDelivery { _ in .accepted }
        world.appStore.setNextPurchaseOutcome(.deferred)
        _ = try await store.purchase(BehaviorWorld.pro)
        try await world.settle(store)
        expectEqual(world.appStore.allTransactions().map(\.state), [.deferred])
        #expect(world.appStore.misuses.isEmpty)
    }

    @Test func `P7: an interrupted purchase fails, then arrives on the stream`() async throws {
        let store = world.launch()
        let updates = StreamListener(store.transactions)
        world.appStore.setNextPurchaseOutcome(.interrupted)
        try await world.expectError(.purchaseInterrupted) { _ = try await store.purchase(BehaviorWorld.pro) }
        let entry = try #require(world.appStore.allTransactions().first { $0.state == .interrupted }?.id)
        try world.appStore.resolveIssueForTransaction(id: entry)
        expectEqual(try await world.next(of: updates).transaction.productID, BehaviorWorld.pro)
    }

    @Test func `P9: transactions from before the first listener are held, whatever is called first`() async throws {
        let first = world.launch()
        _ = try await first.purchase(BehaviorWorld.pro)
        let store = world.launch()
        _ = try await store.products(for: [BehaviorWorld.coins])
        try await store.purchase(BehaviorWorld.coins) { _ in }
        _ = try await store.restore()
        let update = try await world.next(of: StreamListener(store.transactions))
        expectEqual(update.transaction.productID, BehaviorWorld.pro)
    }

    @Test func `P11: equal requests hash alike`() {
        let one = PaymentRequest(productID: "coins", quantity: 2)
        let same = PaymentRequest(productID: "coins", quantity: 2)
        expectEqual(one, same)
        expectEqual(one.hashValue, same.hashValue)
        expectEqual(Set([one, same, PaymentRequest(productID: "coins", quantity: 3)]).count, 2)
    }

    @Test(arguments: [0, -3, 11, 99, .max, .min])
    func `P12: the error for a quantity outside 1 to 10 names the quantity`(_ quantity: Int) async throws {
        let store = world.launch()
        await #expect {
            _ = try await store.purchase(BehaviorWorld.coins, options: .init(quantity: quantity))
        } throws: { error in
            (error as? StoreError)?.code == .invalidQuantity
                && (error as? StoreError)?.message.contains("\(quantity)") == true
        }
        #expect(world.appStore.allTransactions().isEmpty)
    }

    @Test func `P12: a missing user name is nil, not empty`() async throws {
        let store = world.launch()
        let purchase = try world.success(
            try await store.purchase(BehaviorWorld.coins, options: .init(account: .username(""))))
        expectEqual(purchase.account, nil)
    }

    @Test func `P13: a transaction removed without an outcome ends the wait, and the next payment gets its own answer`()
        async throws
    {
        let store = world.launch()
        world.appStore.setNextPurchaseOutcome(.removed)
        try await world.expectError(.transactionRemoved) { _ = try await store.purchase(BehaviorWorld.coins) }
        expectEqual(try world.success(try await store.purchase(BehaviorWorld.coins)).productID, BehaviorWorld.coins)
    }

    @Test func `P14: a failed or deferred transaction has no purchase date, and reading it doesn't trap`() async throws
    {
        let store = world.launch()
        let failures = StreamListener(store.purchaseFailures)
        world.appStore.setNextPurchaseOutcome(.deferred)
        _ = try await store.purchase(BehaviorWorld.pro)
        let entry = try #require(world.appStore.allTransactions().first?.id)
        try world.appStore.declineAskToBuyTransaction(id: entry)
        let failure = try await world.next(of: failures)
        expectEqual(failure.transaction.originalPurchaseDate, nil)
        expectEqual(failure.transaction.purchaseDate, nil)
    }

    @Test func `P15: every subscriber receives every event`() async throws {
        let store = world.launch()
        let listeners = (0..<5).map { _ in StreamListener(store.transactions) }
        try world.appStore.buyProduct(productID: BehaviorWorld.pro)
        for listener in listeners {
            expectEqual(try await world.next(of: listener).transaction.productID, BehaviorWorld.pro)
        }
    }

    @Test func `P16: finishing a transaction that can't be finished throws a typed error`() async throws {
        let store = world.launch()
        world.appStore.setNextPurchaseOutcome(.failed(.unknown))
        try await world.expectError(.purchaseInterrupted) { _ = try await store.purchase(BehaviorWorld.coins) }
        let purchase = try world.success(try await store.purchase(BehaviorWorld.coins))
        try await store.finish(purchase.transaction)
        try await world.expectError(.transactionFinished) { try await store.finish(purchase.transaction) }
        let foreign = BehaviorWorld(behavior: SimulatorBehavior()) { SimulatedBackend(launch: $0, engine: .storeKit1) }
        let other = foreign.launch()
        try await world.expectError(.unknownTransaction) { try await other.finish(purchase.transaction) }
    }

    @Test func `P16: a transaction that is purchasing or deferred can't be finished, and stays`() async throws {
        let spy = SpyBackend(SimulatedBackend(world.appStore, engine: .storeKit1))
        let store = PurchaseStore(over: spy, configuration: StoreConfiguration(clock: SimulatedClock()))
        for outcome in [SimulatedOutcome.neverAnswered(afterPurchasing: true), .deferred] {
            world.appStore.setNextPurchaseOutcome(outcome)
            let buying = Task { try await store.purchase(BehaviorWorld.pro) }
            let transaction = try await spy.firstReport(in: outcome == .deferred ? .deferred : .purchasing)
            try await world.expectError(.transactionNotFinishable) { try await store.finish(transaction) }
            buying.cancel()
            _ = try? await buying.value
        }
        #expect(spy.finished.isEmpty)
        #expect(world.appStore.misuses.isEmpty)
    }
}
