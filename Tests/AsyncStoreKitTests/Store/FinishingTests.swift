import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A call that finishes a transaction returns when the App Store has been told, however long that takes.
@Suite(.bounded) struct FinishingTests {
    private let world = StoreWorld(selling: .shop, engine: .storeKit1)

    private var unfinished: Int {
        world.appStore.allTransactions().count { !$0.isFinished }
    }

    /// A queue that reports a finished transaction only when the test opens a gate.
    private struct SlowBackend: RelayBackend {
        let backend: SimulatedBackend
        let gate = Gate()

        func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
            Task {
                await gate.pass()
                backend.finish(token, completion: completion)
            }
        }

        var next: any StoreBackend { backend }
    }

    @Test func `a purchase with a closure, and finish, return when the App Store has been told`() async throws {
        let backend = SlowBackend(backend: SimulatedBackend(world.appStore, engine: .storeKit1))
        let store = PurchaseStore(over: backend)
        let ended = Recorder<String>()
        let buying = Task {
            try await store.purchase(StoreWorld.pro) { _ in }
            ended.record("the purchase")
        }
        try await backend.gate.arrivals(1)
        _ = try await store.diagnostics()
        #expect(ended.elements.isEmpty)
        expectEqual(unfinished, 1)
        backend.gate.open()
        try await buying.value
        expectEqual(unfinished, 0)
        let purchase = try world.success(try await store.purchase(StoreWorld.coins))
        await purchase.finish()
        expectEqual(unfinished, 0)
    }

    @Test func `finishing a transaction twice waits for the first call, and throws afterwards`() async throws {
        let backend = SlowBackend(backend: SimulatedBackend(world.appStore, engine: .storeKit1))
        let store = PurchaseStore(over: backend)
        let purchase = try world.success(try await store.purchase(StoreWorld.coins))
        let ended = Recorder<Bool>()
        for _ in 1...2 {
            store.callbacks.finish(purchase.transaction) { result in
                if case .success = result { ended.record(true) } else { ended.record(false) }
            }
        }
        try await backend.gate.arrivals(1)
        _ = try await store.diagnostics()
        await MainActor.run {}
        #expect(ended.elements.isEmpty && unfinished == 1)
        backend.gate.open()
        expectEqual(try await ended.first(2), [true, true])
        expectEqual(unfinished, 0)
        await expectError(\StoreError.code, .transactionFinished) { try await store.finish(purchase.transaction) }
    }

    @Test func `a call that waits while the store is closed is answered`() async throws {
        let backend = SlowBackend(backend: SimulatedBackend(world.appStore, engine: .storeKit1))
        let buying = Task { [store = PurchaseStore(over: backend)] in
            try await store.purchase(StoreWorld.pro) { _ in }
        }
        try await backend.gate.arrivals(1)
        backend.backend.terminate()
        guard case .success = try await buying.value else { throw StoreWorld.Unexpected(result: "no success") }
        backend.gate.open()
    }

    @Test func `finishing in an observing store returns immediately`() async throws {
        let backend = SlowBackend(backend: SimulatedBackend(world.appStore, engine: .storeKit1))
        let store = PurchaseStore(over: backend, configuration: StoreConfiguration(mode: .observing))
        try await store.purchase(StoreWorld.pro) { _ in }
        expectEqual(unfinished, 1)
    }

    /// A queue that has no object for any entry.
    private final class EmptyBackend: RelayBackend {
        let next: any StoreBackend
        private let receive = Locked<(@Sendable (QueueEvent) -> Void)?>(nil)

        init(_ next: any StoreBackend) { self.next = next }

        func activate(_ receive: @escaping @Sendable (QueueEvent) -> Void) {
            self.receive.withLock { $0 = receive }
            next.activate(receive)
        }

        func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
            receive.withLock { $0 }?(.nothingToFinish(token))
            completion()
        }
    }

    @Test func `a finish without an effect is logged`() async throws {
        let log = Recorder<StoreLogEvent>()
        let backend = EmptyBackend(SimulatedBackend(world.appStore, engine: .storeKit1))
        let store = PurchaseStore(over: backend, configuration: StoreConfiguration(log: log.record))
        try await store.purchase(StoreWorld.coins) { _ in }
        let event = try await log.first { $0.message.contains("can't be finished") }
        #expect(event.level == .warning && event.message.contains(StoreWorld.coins))
    }

    @Test func `a transaction that is purchasing or deferred can't be finished, and stays`() async throws {
        let spy = SpyBackend(SimulatedBackend(world.appStore, engine: .storeKit1))
        let store = PurchaseStore(over: spy, configuration: StoreConfiguration(clock: SimulatedClock()))
        for outcome in [SimulatedOutcome.neverAnswered(afterPurchasing: true), .deferred] {
            world.appStore.setNextPurchaseOutcome(outcome)
            let buying = Task { try await store.purchase(StoreWorld.pro) }
            let transaction = try await spy.firstReport(in: outcome == .deferred ? .deferred : .purchasing)
            try await world.expectError(.transactionNotFinishable) { try await store.finish(transaction) }
            buying.cancel()
            _ = try? await buying.value
        }
        #expect(spy.finished.isEmpty)
        #expect(world.appStore.misuses.isEmpty)
    }

    @Test func `the simulated queue says that it has nothing to finish`() {
        let events = Recorder<QueueEvent>()
        let backend = SimulatedBackend(world.appStore, engine: .storeKit1)
        backend.activate(events.record)
        let token = TransactionToken.ofNewQueue().next
        backend.finish(token) {}
        let isReported = events.elements.contains { if case .nothingToFinish(token) = $0 { true } else { false } }
        #expect(isReported, "\(events.elements)")
    }

    @Test(arguments: ["gold", "silver"])
    func `every change within a group that was delivered over StoreKit 1 is finished`(renewed: String) async throws {
        let appStore = SimulatedAppStore(products: [
            .autoRenewable("gold", price: 9, period: .month(1), group: "club", level: 1),
            .autoRenewable("silver", price: 5, period: .month(1), group: "club", level: 2),
        ])
        (appStore.behavior.signsReceipts, appStore.behavior.returnsExpiredTransaction) = (false, true)
        let store = PurchaseStore(
            simulating: appStore, engine: .storeKit1,
            configuration: StoreConfiguration(preexistingTransactionDelay: 0))
        store.setDelivery { _ in .accepted }
        try await store.purchase("silver") { _ in }
        for _ in 0..<12 {
            let gold = Task { try? await store.purchase("gold") { _ in await Task.yield() } }
            try? appStore.forceRenewalOfSubscription(productID: "gold")
            _ = try? await store.purchase("silver") { _ in }
            _ = await gold.value
            try? appStore.forceRenewalOfSubscription(productID: renewed)
        }
        try await store.settled()
        #expect(appStore.allTransactions().count > 12)
        expectEqual(appStore.allTransactions().filter { $0.state == .purchased && !$0.isFinished }.map(\.productID), [])
    }
}
