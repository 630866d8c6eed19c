import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A store whose app enters the background and returns.
@Suite(.bounded) struct AppLifecycleTests {
    private let appStore = SimulatedAppStore(products: [.consumable("coins", price: 1)])
    private let delivered = Recorder<DeliveryRequest>()
    private let folder = TemporaryFolder()

    private func store(_ decisions: DeliveryDecision...) -> (PurchaseStore, SimulatedClock) {
        let clock = SimulatedClock(appStore)
        let store = PurchaseStore(
            backend: SimulatedBackend(appStore, engine: .storeKit1), configuration: StoreConfiguration(clock: clock))
        store.setDelivery { [delivered] request in
            delivered.record(request)
            return decisions.indices.contains(request.attempt) ? decisions[request.attempt] : .accepted
        }
        return (store, clock)
    }

    private func comeBack(_ store: PurchaseStore) {
        store.core.lifecycle.receive(.enteredBackground)
        store.core.lifecycle.receive(.becameActive)
    }

    @Test(arguments: [
        [AppLifecycleStateMachine.Event.enteredBackground, .becameActive],
        [.networkLost, .enteredBackground, .becameActive], [.woke, .woke],
    ])
    func `a delivery that waits for a timer is tried when the app returns or the device wakes, without a network, too`(
        events: [AppLifecycleStateMachine.Event]
    ) async throws {
        let (store, clock) = store(.retryLater)
        try appStore.buyProduct(productID: "coins")
        try await clock.waitForSleepers(1)
        for event in events { store.core.lifecycle.receive(event) }
        expectEqual(try await delivered.first(2).map(\.attempt), [0, 1])
        let diagnostics = try await store.core.diagnostics() { $0.held.isEmpty }
        expectEqual(diagnostics.pendingRetries, 0)
        expectEqual(clock.now, appStore.now, "the clock wasn't advanced")
    }

    @Test func `a delivery that waits for a timer is tried when the network is back, at most once a minute`()
        async throws
    {
        let (store, clock) = store(.retryLater, .retryLater(after: 50), .retryLater(after: 7_200))
        try appStore.buyProduct(productID: "coins")
        try await clock.waitForSleepers(1)
        func flap() {
            store.core.lifecycle.receive(.networkLost)
            store.core.lifecycle.receive(.networkFound)
        }
        flap()
        expectEqual(try await delivered.first(2).map(\.attempt), [0, 1])
        _ = try await store.core.diagnostics() { $0.pendingRetries == 1 }
        flap()
        // An input after the refresh. When it's answered, the refresh has been processed.
        expectEqual(try await store.diagnostics().pendingRetries, 1)
        expectEqual(delivered.elements.count, 2)
        clock.advance(by: 100)
        expectEqual(try await delivered.first(3).map(\.attempt), [0, 1, 2])
        _ = try await store.core.diagnostics() { $0.pendingRetries == 1 }
        clock.advance(by: 3_500)
        flap()
        expectEqual(try await store.diagnostics().pendingRetries, 1, "a requested pause is kept for an hour")
        expectEqual(delivered.elements.count, 3)
        clock.advance(by: 200)
        flap()
        expectEqual(try await delivered.first(4).map(\.attempt), [0, 1, 2, 3])
    }

    @Test func `a pause that the server has requested is kept`() async throws {
        let (store, clock) = store(.retryLater(after: 600))
        try appStore.buyProduct(productID: "coins")
        try await clock.waitForSleepers(1)
        comeBack(store)
        // An input after the refresh. When it's answered, the refresh has been processed.
        expectEqual(try await store.diagnostics().pendingRetries, 1)
        expectEqual(delivered.elements.count, 1)
        clock.advance(by: 1_200)
        expectEqual(try await delivered.first(2).count, 2)
    }

    @Test func `a purchase that a loop has returned is offered again`() async throws {
        let clock = SimulatedClock(appStore)
        let store = PurchaseStore(
            backend: SimulatedBackend(appStore, engine: .storeKit1), configuration: StoreConfiguration(clock: clock))
        var purchases = store.transactions.makeAsyncIterator()
        try appStore.buyProduct(productID: "coins")
        let purchase = try #require(await purchases.next())
        await purchase.retryDelivery()
        comeBack(store)
        expectEqual(await purchases.next()?.deliveryKey, purchase.deliveryKey)
        await purchase.retryDelivery(after: 600)
        comeBack(store)
        expectEqual(try await store.diagnostics().pendingRetries, 1, "a pause that the app has requested is kept")
    }

    private final class Time: BackgroundTime {
        let calls: Recorder<String>

        init(_ calls: Recorder<String> = Recorder()) { self.calls = calls }

        func requestTime(_ isUp: @escaping @Sendable () -> Void) { calls.record("taken") }
        func giveBack() { calls.record("given back") }
    }

    @Test func `background time is returned once, and a delivery that needs more time continues`() {
        let time = Time()
        let lifecycle = AppLifecycle(clock: SimulatedClock(appStore), time: time)
        lifecycle.deliveryBegan()
        lifecycle.receive(.enteredBackground)
        lifecycle.receive(.timeIsUp)
        lifecycle.deliveryEnded()
        expectEqual(time.calls.elements, ["taken", "given back"])
    }

    @Test func `a delivery that ends while the app enters the background returns its time after the request`() {
        let time = Time()
        let lifecycle = AppLifecycle(clock: SimulatedClock(appStore), time: time)
        lifecycle.onMove { [weak lifecycle] _ in lifecycle?.deliveryEnded() }
        lifecycle.deliveryBegan()
        lifecycle.receive(.enteredBackground)
        expectEqual(time.calls.elements, ["taken", "given back"])
    }

    /// Finishes on a task of its own, as StoreKit 2 does, and records when the App Store has been told.
    private struct RecordingBackend: RelayBackend {
        let next: any StoreBackend
        let steps: Recorder<String>

        var finishesImmediately: Bool { false }

        func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
            Task {
                next.finish(token) { [steps] in
                    steps.record("finished")
                    completion()
                }
            }
        }
    }

    /// A way to deliver a purchase.
    enum Delivering: CaseIterable {
        case closure, restoreClosure, installedDelivery, loop, rejection
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2], Delivering.allCases)
    func `a delivered purchase is written, then finished, and then the background time is given back`(
        engine: StoreEngine, way: Delivering
    ) async throws {
        let steps = Recorder<String>()
        var ledger = DeliveryLedger(url: folder.file("Deliveries"))
        ledger.willPerform = { step in
            if step == .written { steps.record("written") }
            return .success(())
        }
        let appStore = SimulatedAppStore(products: [.nonConsumable("pro", price: 1)])
        if way == .restoreClosure { try await bought("pro", in: appStore) }
        let core = StoreCore(
            backend: RecordingBackend(next: SimulatedBackend(appStore, engine: engine), steps: steps),
            configuration: StoreConfiguration(deliveryLedger: ledger), time: Time(steps))
        core.activate()
        let store = PurchaseStore(core: core)
        switch way {
        case .closure: try await store.purchase("pro") { _ in steps.record("delivered") }
        case .restoreClosure: try await store.restore { _ in steps.record("delivered") }
        case .installedDelivery, .rejection:
            store.setDelivery { _ in
                steps.record("delivered")
                return way == .rejection ? .rejected(reason: "unknown") : .accepted
            }
            try appStore.buyProduct(productID: "pro")
        case .loop:
            var purchases = store.transactions.makeAsyncIterator()
            try appStore.buyProduct(productID: "pro")
            await purchases.next()?.finish()
        }
        // A loop has no end that the store knows of, so its time begins when it finishes the transaction.
        let expected =
            way == .loop
            ? ["written", "taken", "finished", "given back"]
            : ["taken", "delivered", "written", "finished", "given back"]
        // The backend's task isn't work that the store waits for.
        _ = try await steps.first(expected.count)
        try await store.settled()
        expectEqual(steps.elements, expected)
        expectEqual(core.lifecycle.state.withLock { $0.machine.deliveries }, 0)
    }

    /// Buys a product and finishes it, in a launch of its own.
    private func bought(_ productID: String, in appStore: SimulatedAppStore) async throws {
        let store = PurchaseStore(simulating: appStore)
        try await store.purchase(productID) { _ in }
        try await store.settled()
    }

    @Test func `a store that is closed while it delivers gives its time back`() async throws {
        let (steps, gate) = (Recorder<String>(), Gate())
        do {
            let core = StoreCore(
                backend: SimulatedBackend(appStore), configuration: StoreConfiguration(), time: Time(steps))
            core.activate()
            let store = PurchaseStore(core: core)
            store.setDelivery { _ in
                await gate.pass()
                return .accepted
            }
            try appStore.buyProduct(productID: "coins")
            try await gate.arrivals(1)
            expectEqual(steps.elements, ["taken"])
        }
        expectEqual(try await steps.first(2), ["taken", "given back"])
        gate.open()
    }

    @Test func `moves are reported in the order in which they happened`() {
        let moves = Recorder<Bool>()
        let lifecycle = AppLifecycle(clock: SimulatedClock(appStore), time: Time())
        lifecycle.onMove { [weak lifecycle] isInBackground in
            if isInBackground { lifecycle?.receive(.becameActive) }
            moves.record(isInBackground)
        }
        lifecycle.receive(.enteredBackground)
        expectEqual(moves.elements, [true, false])
    }

    @Test func `a lifecycle is released with its owner`() {
        weak let gone: AppLifecycle?
        do {
            let lifecycle = AppLifecycle(clock: SimulatedClock(appStore), time: Time())
            lifecycle.receive(.enteredBackground)
            gone = lifecycle
        }
        #expect(gone == nil)
    }

    @Test func `a running closure is treated as a delivery, and so is the installed delivery`() async throws {
        let gate = Gate()
        let (store, _) = store()
        let buying = Task { try await store.purchase("coins") { _ in await gate.pass() } }
        try await gate.arrivals(1)
        expectEqual(store.core.lifecycle.state.withLock { $0.machine.deliveries }, 1)
        gate.open()
        _ = try await buying.value
        expectEqual(store.core.lifecycle.state.withLock { $0.machine.deliveries }, 0)
        let other = Gate()
        store.setDelivery { _ in
            await other.pass()
            return .accepted
        }
        try appStore.buyProduct(productID: "coins")
        try await other.arrivals(1)
        expectEqual(store.core.lifecycle.state.withLock { $0.machine.deliveries }, 1)
        other.open()
        _ = try await store.core.diagnostics() { $0.held.isEmpty }
        expectEqual(store.core.lifecycle.state.withLock { $0.machine.deliveries }, 0)
    }
}
