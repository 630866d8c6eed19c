import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@Suite(.bounded) struct StoreConfigurationTests {
    private let world = BehaviorWorld { SimulatedBackend(launch: $0, engine: .storeKit1) }

    private struct Notebook: PurchaseDelivery {
        let delivered = Recorder<String>()

        func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
            for purchase in request.purchases { delivered.record(purchase.productID) }
            return .accepted
        }
    }

    @Test func `a delivery in the configuration is installed before the first transaction`() async throws {
        _ = try await world.launch().purchase(BehaviorWorld.pro)
        let notebook = Notebook()
        let store = world.appStore.relaunch(StoreConfiguration(delivery: notebook))
        expectEqual(try await notebook.delivered.first(1), [BehaviorWorld.pro])
        try await world.expectFinished(store)
    }

    @Test func `a store over a simulated App Store uses its clock`() async throws {
        let store = PurchaseStore(backend: SimulatedBackend(world.appStore, engine: .storeKit1))
        expectEqual(store.now, world.appStore.now)
        world.appStore.advance(by: .months(2))
        expectEqual(store.now, world.appStore.now)
        let attempts = Recorder<Date>()
        store.setDelivery { [world] _ in
            attempts.record(world.appStore.now)
            return attempts.elements.count == 1 ? .retryLater(after: 60) : .accepted
        }
        try world.appStore.buyProduct(productID: BehaviorWorld.coins)
        _ = try await attempts.first(1)
        try await world.until("the retry to be due", store) { $0.pendingRetries == 1 }
        world.appStore.advance(by: 60)
        let times = try await attempts.first(2)
        expectEqual(times[1].timeIntervalSince(times[0]), 60)
    }

    @Test func `a clock in the configuration takes precedence over the backend's`() {
        let clock = SimulatedClock()
        let store = PurchaseStore(
            backend: SimulatedBackend(world.appStore, engine: .storeKit1),
            configuration: StoreConfiguration(clock: clock))
        clock.advance(by: 5)
        #expect(store.now == clock.now && store.now != world.appStore.now)
    }

    @Test func `the log says that the queue has ended, and why`() async throws {
        let log = Recorder<StoreLogEvent>()
        let backend = SimulatedBackend(world.appStore, engine: .storeKit1)
        let store = PurchaseStore(backend: backend, configuration: StoreConfiguration(log: { log.record($0) }))
        backend.terminate()
        _ = try await log.first { $0.level == .warning && $0.message.contains("queue has ended: ") }
        try await world.expectError(.backendUnavailable) { _ = try await store.restore() }
    }

    /// Records whether payments were submitted, and transactions finished, on the main queue.
    private struct Listener: RelayBackend {
        let backend: SimulatedBackend
        let submitsOnMain = Recorder<Bool>()
        let finishesOnMain = Recorder<Bool>()

        func submit(_ payment: PaymentRequest, as id: CallID) throws(StoreError) {
            submitsOnMain.record(MainQueue.isCurrent)
            try backend.submit(payment, as: id)
        }

        func finish(_ token: TransactionToken, completion: @escaping @Sendable () -> Void) {
            finishesOnMain.record(MainQueue.isCurrent)
            backend.finish(token, completion: completion)
        }

        var next: any StoreBackend { backend }
    }

    @Test(arguments: [true, false]) func `a store can work on its callers' threads`(isOnCallers: Bool) async throws {
        let listener = Listener(backend: SimulatedBackend(world.appStore, engine: .storeKit1))
        let configuration = StoreConfiguration()
        let store = PurchaseStore(
            over: listener, configuration: isOnCallers ? configuration.workingOnCallersThread() : configuration)
        _ = try await store.purchase(BehaviorWorld.coins) { _ in }
        expectEqual(listener.submitsOnMain.elements, [false])
        expectEqual(listener.finishesOnMain.elements, [false])
        var calls = 0
        // If another thread is taking inputs, it also takes the input of this call, so the call is repeated.
        repeat {
            calls += 1
            let answers = Recorder<Bool>()
            try await MainQueue.run {
                _ = store.callbacks.purchase(BehaviorWorld.coins) { result in
                    guard case .success(.success(let purchase)) = result else { return answers.record(false) }
                    store.callbacks.finish(purchase.transaction) { _ in answers.record(true) }
                }
            }
            expectEqual(try await answers.first(1), [true])
        } while isOnCallers && calls < 100 && listener.submitsOnMain.elements.last == false
        expectEqual(listener.submitsOnMain.elements.last, isOnCallers)
    }

    @Test func `a store on its callers' threads ends its loops when it is released`() async throws {
        try world.appStore.buyProduct(productID: BehaviorWorld.pro)
        let backend = SimulatedBackend(world.appStore, engine: .storeKit1)
        let updates = PurchaseStore(over: backend, configuration: StoreConfiguration().workingOnCallersThread())
            .transactions
        let told = try await withDeadline("the end of the loop") {
            await updates.reduce(into: 0) { count, _ in count += 1 }
        }
        #expect(told <= 1)
    }
}
