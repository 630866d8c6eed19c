import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// Unexpected behavior of StoreKit 2 and of a backend. Each case ends in a typed error or a failure, no purchase is
/// lost, and no transaction is finished without a request.
@Suite(.bounded) struct StoreKit2BadInputTests {
    private let appStore = SimulatedAppStore(catalog: .shop)

    /// Launches the app.
    private func launched() -> PurchaseStore {
        PurchaseStore(over: backend(), configuration: StoreConfiguration(clock: SimulatedClock(appStore)))
    }

    private func backend() -> StoreKit2Backend {
        StoreKit2Backend(environment: SimulatedStoreKit2(appStore.launch()))
    }

    private func success(_ outcome: PurchaseOutcome) throws -> StorePurchase {
        guard case .success(let purchase) = outcome else { throw StoreError(.unknown, "\(outcome)") }
        return purchase
    }

    private var unfinished: [String] { appStore.allTransactions().filter { !$0.isFinished }.map(\.productID) }

    @Test func `an unverified transaction fails at every launch, is never finished, and is delivered once it verifies`()
        async throws
    {
        appStore.setNextPurchaseOutcome(.unverified)
        let delivered = Recorder<String>()
        let error = await #expect(throws: StoreError.self) {
            try await launched().purchase(StoreWorld.pro) { delivered.record($0.productID) }
        }
        expectEqual(error?.code, .unverified)
        for _ in 0..<2 {
            let store = launched()
            let failure = try await StreamListener(store.purchaseFailures).next()
            expectEqual(failure?.productID, StoreWorld.pro)
            expectEqual(failure?.error.code, .unverified)
        }
        #expect(delivered.elements.isEmpty && unfinished == [StoreWorld.pro])
        let id = try #require(appStore.allTransactions().first?.transactionID)
        try appStore.setSignatureIsValid(true, forTransactionID: id)
        let store = launched()
        let offered = try #require(try await StreamListener(store.transactions).next())
        expectEqual(offered.productID, StoreWorld.pro)
        await offered.finish()
        #expect(unfinished.isEmpty)
    }

    @Test func `a product that changes its type is evaluated with its type in the signed transaction`() async throws {
        let before = launched()
        expectEqual(try await before.products(for: [StoreWorld.coins]).products.first?.kind, .consumable)
        let bought = try success(try await before.purchase(StoreWorld.coins))
        expectEqual(bought.transaction.signedInfo?.productKind, .consumable)
        appStore.catalog.products[0] = SimulatedProduct(
            productID: StoreWorld.coins, kind: .nonConsumable, price: 4.99)
        let store = launched()
        expectEqual(try await store.products(for: [StoreWorld.coins]).products.first?.kind, .nonConsumable)
        let offered = try #require(try await StreamListener(store.transactions).next())
        expectEqual(offered.deliveryKey, bought.deliveryKey)
        expectEqual(offered.transaction.signedInfo?.productKind, .consumable)
        await offered.finish()
        expectEqual(await store.entitlements.current.contains(StoreWorld.coins), false)
        let owned = try success(try await store.purchase(StoreWorld.coins))
        expectEqual(owned.transaction.signedInfo?.productKind, .nonConsumable)
        await owned.finish()
        #expect(await store.entitlements.current.contains(StoreWorld.coins))
        #expect(unfinished.isEmpty)
    }

    @Test func `a transaction of a product that is no longer sold is delivered, and gives access`() async throws {
        let key = try success(try await launched().purchase(StoreWorld.pro)).deliveryKey
        appStore.catalog.products.removeAll { $0.productID == StoreWorld.pro }
        let store = launched()
        let offered = try #require(try await StreamListener(store.transactions).next())
        expectEqual(offered.productID, StoreWorld.pro)
        expectEqual(offered.deliveryKey, key)
        await expectError(\StoreError.code, .productUnavailable) { try await store.purchase(StoreWorld.pro) }
        expectEqual(unfinished, [StoreWorld.pro], "reading the transactions has finished none")
        await offered.finish()
        #expect(await store.entitlements.current.contains(StoreWorld.pro))
        // The listing doesn't have the new purchase yet.
        appStore.advance(by: 10)
        expectEqual(try await store.restore().purchases.map(\.productID), [StoreWorld.pro])
    }

    @Test func `a payment that is answered twice is delivered once, and a second answer is offered`() async throws {
        let backend = RepeatingBackend(next: backend())
        let store = PurchaseStore(over: backend, configuration: StoreConfiguration(clock: SimulatedClock(appStore)))
        let delivered = Recorder<String>()
        try await store.purchase(StoreWorld.coins) { delivered.record($0.deliveryKey) }
        let listener = StreamListener(store.transactions)
        try appStore.buyProduct(productID: StoreWorld.news)
        let offered = try #require(try await listener.next())
        expectEqual(offered.productID, StoreWorld.news, "its payment has been answered, so it goes to the stream")
        expectEqual(unfinished, [StoreWorld.news])
        await offered.finish()
        _ = try await store.diagnostics()
        #expect(delivered.elements.count == 1 && listener.waiting.isEmpty)
        #expect(
            backend.repeated.elements.contains(StoreWorld.coins)
                && backend.repeated.elements.contains(StoreWorld.news))
    }

    @Test(arguments: [(StoreEngine.storeKit1, 30), (.storeKit2, 300)], [nil, 20.0])
    func `a silent payment blocks another one for as long as the engine or the configuration says`(
        engine: (engine: StoreEngine, seconds: TimeInterval), configured: TimeInterval?
    ) async throws {
        let clock = SimulatedClock(appStore)
        let launch = appStore.launch()
        let backend: any StoreBackend =
            engine.engine == .storeKit1
            ? SimulatedBackend(launch: launch, engine: .storeKit1)
            : StoreKit2Backend(environment: SimulatedStoreKit2(launch))
        // No other timer takes 20, 30 or 300 seconds. A relay passes the default of the engine on.
        let configuration = StoreConfiguration(productsTimeout: 7, paymentResponseTimeout: configured, clock: clock)
        let store = PurchaseStore(over: SpyBackend(backend), configuration: configuration)
        _ = try await store.products(for: [StoreWorld.coins, StoreWorld.news])
        appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: false))
        let silent = Task { try await store.purchase(StoreWorld.coins) }
        _ = try await store.core.diagnostics() { $0.inFlight != nil }
        async let other = store.purchase(StoreWorld.news) { _ in }
        let seconds = configured ?? engine.seconds
        try await clock.waitForSleepers(1, duration: seconds)
        expectEqual(try await store.diagnostics().unresponsivePayments.count, 0)
        clock.advance(by: seconds)
        _ = try await other
        silent.cancel()
        await #expect(throws: StoreError.self) { _ = try await silent.value }
    }

    @Test func `a purchase that never returns doesn't block others, and is found at the next launch`() async throws {
        let clock = SimulatedClock(appStore)
        let backend = SilentBackend(next: backend())
        let store = PurchaseStore(
            over: backend, configuration: StoreConfiguration(paymentResponseTimeout: 20, clock: clock))
        let silent = Task { try await store.purchase(StoreWorld.coins) }
        _ = try await backend.silenced.first(1)
        async let other = store.purchase(StoreWorld.news) { _ in }
        try await clock.waitForSleepers(1, duration: 20)
        clock.advance(by: 20)
        _ = try await other
        expectEqual(try await store.diagnostics().unresponsivePayments.map(\.productID), [StoreWorld.coins])
        silent.cancel()
        await #expect(throws: StoreError.self) { _ = try await silent.value }
        expectEqual(unfinished, [StoreWorld.coins], "paid, and the answer never came")
        let next = launched()
        let offered = try #require(try await StreamListener(next.transactions).next())
        expectEqual(offered.productID, StoreWorld.coins)
    }
}

/// Reports every answer twice, and reports unsolicited transactions as answers to the last payment.
private final class RepeatingBackend: RelayBackend {
    let next: any StoreBackend
    private let last = Locked<CallID?>(nil)
    /// The transactions that were reported twice.
    let repeated = Recorder<String>()

    init(next: any StoreBackend) {
        self.next = next
    }

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        next.activate { [last, repeated] event in
            var answers: [QueueEvent] = []
            if case .answeredPayment(let id, let transaction, _) = event {
                last.withLock { $0 = id }
                answers = [event]
                repeated.record(transaction.productID)
            } else if case .unsolicitedTransactions(let batch) = event, let id = last.withLock({ $0 }) {
                answers = batch.map { .answeredPayment(id, $0, isPreexisting: false) }
                batch.forEach { repeated.record($0.productID) }
            }
            for answer in answers + answers { receive(answer) }
            if answers.isEmpty { receive(event) }
        }
    }
}

/// Drops the first answer.
private final class SilentBackend: RelayBackend {
    let next: any StoreBackend
    let silenced = Recorder<Void>()

    init(next: any StoreBackend) {
        self.next = next
    }

    func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
        next.activate { [silenced] event in
            if case .answeredPayment = event, silenced.elements.isEmpty { return silenced.record(()) }
            receive(event)
        }
    }
}
