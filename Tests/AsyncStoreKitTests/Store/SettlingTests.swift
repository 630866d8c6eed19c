import AppStoreSimulator
import AsyncStoreKit
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKitTesting

/// The events that an app has received in its loops.
@MainActor private final class Model {
    private(set) var delivered: [String] = []
    private(set) var owned: Set<String> = []
    private var tasks: [Task<Void, Never>] = []
    /// Waits before a loop records an element.
    private let work: @Sendable () async -> Void = { for _ in 0..<20 { await Task.yield() } }

    init(_ store: PurchaseStore) {
        tasks = [
            Task { [unowned self] in
                for await purchase in store.transactions {
                    await work()
                    delivered.append(purchase.productID)
                    await purchase.finish()
                }
            },
            Task { [unowned self] in
                for await entitlements in store.entitlements {
                    await work()
                    owned = entitlements.productIDs
                }
            },
        ]
    }

    deinit {
        tasks.forEach { $0.cancel() }
    }
}

@Suite(.bounded) struct SettlingTests {
    private let appStore = SimulatedAppStore(products: [
        .consumable("coins", price: 1), .nonConsumable("pro", price: 10),
        .autoRenewable("monthly", price: 5, period: .month(1), group: "club"),
    ])

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `a loop has processed every event when a store has settled`(engine: StoreEngine) async throws {
        let store = PurchaseStore(simulating: appStore, engine: engine)
        let model = await Model(store)
        for count in 1...20 {
            try appStore.buyProduct(productID: "coins")
            try await store.settled()
            expectEqual(await model.delivered.count, count)
        }
        try appStore.buyProduct(productID: "pro")
        try await store.settled()
        expectEqual(await model.owned, ["pro"])
        expectEqual(await store.unfinishedTransactions, [])
    }

    @Test func `an installed delivery and its retries have ended when a store has settled`() async throws {
        let store = PurchaseStore(simulating: appStore)
        let attempts = Recorder<TimeInterval>()
        let start = appStore.now
        store.setDelivery { [appStore] _ in
            for _ in 0..<20 { await Task.yield() }
            attempts.record(appStore.now.timeIntervalSince(start))
            return attempts.elements.count == 4 ? .accepted : .retryLater(after: 60)
        }
        try appStore.buyProduct(productID: "coins")
        try await store.settled()
        expectEqual(attempts.elements, [0])
        try await store.advance(by: .days(1))
        expectEqual(attempts.elements.count, 4)
        let pauses = zip(attempts.elements, attempts.elements.dropFirst()).map { $1 - $0 }
        #expect(pauses.allSatisfy { (60...120).contains($0) }, "every retry has its own date: \(pauses)")
        expectEqual(await store.unfinishedTransactions, [])
    }

    @Test func `entitlements follow a whole year of renewals`() async throws {
        let store = PurchaseStore(simulating: appStore)
        store.setDelivery { _ in .accepted }
        try await store.purchase("monthly") { _ in }
        for month in 1...12 {
            try await store.advance(by: .months(1))
            #expect(store.entitlements.latest.contains("monthly"), "month \(month)")
        }
        try appStore.disableAutoRenew(of: "monthly")
        try await store.advance(by: .months(2))
        #expect(!store.entitlements.latest.contains("monthly"))
        expectEqual(appStore.allTransactions().count, 13)
    }

    @Test func `elements of the caller's own iterators don't keep it waiting`() async throws {
        let store = PurchaseStore(simulating: appStore)
        var purchases = store.transactions.makeAsyncIterator()
        try appStore.buyProduct(productID: "coins")
        try await store.settled()
        #expect(await purchases.next()?.productID == "coins")
        try appStore.buyProduct(productID: "pro")
        try await store.settled()
        #expect(await purchases.next()?.productID == "pro")
        try await store.settled()
    }

    @Test func `purchases that wait for a person or the clock don't keep it waiting`() async throws {
        let store = PurchaseStore(simulating: appStore)
        appStore.behavior.askToBuyEnabled = true
        guard case .pending = try await store.purchase("coins") else { Issue.record("it waits"); return }
        try await store.settled()
        appStore.behavior.askToBuyEnabled = false
        appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true), for: "pro")
        let silent = Task { @MainActor in try await store.purchase("pro") }
        try await store.settled()
        appStore.setNextListingFault(.late(events: 1_000), for: .currentEntitlements)
        _ = store.entitlements.latest
        try await store.settled()
        silent.cancel()
        await #expect(throws: (any Error).self) { try await silent.value }
        try await store.settled()
    }

    @Test func `a delivery that doesn't end is named`() async throws {
        let store = PurchaseStore(simulating: appStore)
        let gate = Monitor(false)
        store.setDelivery { _ in
            try? await gate.wait(for: "the gate") { $0 ? () : nil }
            return .accepted
        }
        try appStore.buyProduct(productID: "coins")
        let clock = try #require(store.core.clock as? SimulatedClock)
        let state = try await clock.count.wait(for: "the delivery") { "\($0)".hasPrefix("1 deliver") ? "\($0)" : nil }
        expectEqual(state, "1 delivery that hasn't ended")
        gate.update { $0 = true }
        try await store.settled()
    }

    /// An environment without events, whose lists take a while.
    private struct SlowLists: RelayEnvironment {
        let next: any StoreKit2Environment

        func unfinished() async -> [StoreKit2SignedTransaction] {
            for _ in 0..<200 { await Task.yield() }
            return await next.unfinished()
        }

        func listen(_ receive: @escaping @Sendable (StoreKit2Event) -> Void) -> StoreKit2Listening {
            {}
        }
    }

    @Test func `a store with a clock of its own waits for what its backend reads`() async throws {
        try appStore.buyProduct(productID: "coins")
        let environment = SlowLists(next: SimulatedStoreKit2(appStore.launch()))
        let store = PurchaseStore(
            over: StoreKit2Backend(environment: environment),
            configuration: StoreConfiguration(clock: SimulatedClock(appStore)))
        let purchases = StreamListener(store.transactions)
        try await store.settled()
        expectEqual(purchases.waiting.map(\.productID), ["coins"])
    }

    @Test func `the description of a store's work counts each kind`() {
        var work = StoreWorkCount()
        for (kind, count) in [(StoreWorkKind.task, 1), (.delivery, 2), (.input, 3)] {
            for _ in 0..<count { work.add(1, kind, of: nil) }
        }
        expectEqual(
            "\(work)",
            "3 inputs that haven't ended, 1 task that hasn't ended, 2 deliveries that haven't ended")
        work.add(-1, .delivery, of: nil)
        work.add(-1, .task, of: nil)
        expectEqual("\(work)", "3 inputs that haven't ended, 1 delivery that hasn't ended")
    }

    @Test func `with manual pacing it delivers pending events`() async throws {
        appStore.pacing = .manual
        let store = PurchaseStore(simulating: appStore)
        let purchases = StreamListener(store.transactions)
        try appStore.buyProduct(productID: "coins")
        try await store.settled()
        expectEqual(purchases.waiting.map(\.productID), ["coins"])
    }

    @Test func `a store that doesn't use a test's clock can't settle`() async throws {
        let store = PurchaseStore(
            simulating: appStore, configuration: StoreConfiguration(clock: SystemStoreClock()))
        await #expect { try await store.settled() } throws: { ($0 as? StoreError)?.code == .unsupported }
        await #expect { try await store.advance(by: 1) } throws: { ($0 as? StoreError)?.code == .unsupported }
    }

    @Test func `a task that is canceled before it sleeps is never among the sleepers`() async throws {
        let clock = SimulatedClock(appStore)
        let waiting = Task { try await clock.waitForSleepers(1) }
        for _ in 0..<500 {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await clock.sleep(for: 30)
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `the clock of the device can be set apart from the App Store's`() async throws {
        let store = PurchaseStore(simulating: appStore)
        try await store.purchase("monthly") { _ in }
        appStore.deviceClockOffset = -86_400
        expectEqual(store.now, appStore.now - 86_400)
        try await store.advance(by: 60)
        #expect(await store.entitlements.refresh().contains("monthly"))
        try appStore.disableAutoRenew(of: "monthly")
        try await store.advance(by: .months(2))
        appStore.deviceClockOffset = -100 * 86_400
        #expect(await !store.entitlements.refresh().contains("monthly"))
        appStore.deviceClockOffset = .nan
        expectEqual(appStore.deviceClockOffset, 0)
    }
}
