import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct ConcurrencyTests {
    @Test(arguments: SimulatorBehavior.DeliveryThread.allCases)
    func `many threads that buy at once get every transaction once, one event at a time`(
        thread: SimulatorBehavior.DeliveryThread
    ) async {
        let store = SimulatedAppStore(catalog: .example)
        store.behavior.deliveryThread = thread
        let launch = store.launch()
        let depth = OrderLog<Int>()
        let observer = RecordingObserver { launch, event in
            depth.append(1)
            if case .updatedTransactions(let transactions) = event {
                for transaction in transactions where transaction.state == .purchased {
                    launch.finishTransaction(transaction.id)
                }
            }
            depth.append(-1)
        }
        launch.add(observer)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for index in 0..<50 {
                        launch.add(
                            SimulatedPayment(productID: "coins", quantity: 1, applicationUsername: "\(task)-\(index)"))
                    }
                }
            }
        }
        await store.waitUntilIdle()
        let purchased = observer.updates.filter { $0.state == .purchased }
        expectEqual(purchased.count, 800)
        expectEqual(Set(purchased.compactMap(\.payment.applicationUsername)).count, 800)
        expectEqual(Set(purchased.compactMap(\.transactionID)).count, 800)
        expectEqual(purchased.map(\.id), purchased.map(\.id).sorted())
        expectEqual(observer.removals.count, 800)
        for task in 0..<16 {
            let own = purchased.compactMap(\.payment.applicationUsername).filter { $0.hasPrefix("\(task)-") }
            expectEqual(own, (0..<50).map { "\(task)-\($0)" })
        }
        expectEqual(depth.values, (0..<depth.values.count / 2).flatMap { _ in [1, -1] })
        #expect(launch.transactions.isEmpty)
    }

    @Test func `all functions can be called concurrently`() async {
        let store = SimulatedAppStore(catalog: .example)
        store.behavior.deliveryThread = .any
        let keeper = OrderLog<RecordingObserver>()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for index in 0..<30 {
                        let launch = store.launch()
                        let observer = RecordingObserver.finishing()
                        keeper.append(observer)
                        launch.add(observer)
                        launch.add(
                            SimulatedPayment(productID: ["coins", "pro", "level", "monthly"][(task + index) % 4]))
                        launch.restoreCompletedTransactions()
                        let request = launch.productsRequest(["coins", "pro"]) { _ in }
                        request.start()
                        launch.receiptRefreshRequest { _ in }.start()
                        launch.enterForeground()
                        launch.start(launch.transactions.flatMap { $0.downloads.map(\.id) })
                        store.advance(by: 1000)
                        store.storefront = SimulatedStorefront(countryCode: "C\(index % 3)", id: "\(index % 3)")
                        if let record = store.allTransactions().last {
                            store.redeliver(record.id)
                            store.finishFromAnotherObserver(record.id)
                        }
                        request.cancel()
                        try? store.promotePurchase(of: "gems")
                        _ = (launch.receiptContent, store.pendingEventCount, store.misuses, launch.observers.count)
                        launch.remove(observer)
                    }
                }
            }
        }
        await store.waitUntilIdle()
        expectEqual(store.pendingEventCount, 0)
        let last = RecordingObserver.finishing()
        let launch = store.launch(last)
        await store.waitUntilIdle()
        #expect(launch.transactions.isEmpty)
        expectEqual(Set(store.allTransactions().compactMap(\.transactionID)).count, store.allTransactions().count)
    }

    @Test func `several threads can step concurrently, and each event is delivered once`() async {
        let (store, launch, observer) = SimulatedAppStore.observed()
        for _ in 0..<400 {
            launch.pay(for: "coins")
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    while store.step() {
                        await Task.yield()
                    }
                }
            }
        }
        store.runUntilIdle()
        expectEqual(observer.states, (0..<400).flatMap { _ in [SimulatedTransaction.State.purchasing, .purchased] })
    }

    @Test func `an observer or a handler can call the store during its deallocation`() async throws {
        let store = SimulatedAppStore(catalog: .example)
        store.behavior.productRequestsAreNeverAnswered = true
        let ended = OrderLog<Bool>()
        for round in 0..<3 {
            let launch = store.launch()
            let ending = Ending { ended.append(launch.store.pendingEventCount >= 0) }
            let request = launch.productsRequest(["coins"]) { [ending] _ in ending.touch() }
            request.start()
            if round == 1 {
                request.cancel()
            }
        }
        store.behavior.productRequestsAreNeverAnswered = false
        let launch = store.launch()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<100 {
                        var observer: RecordingObserver? = RecordingObserver {
                            [ending = Ending { launch.enterForeground() }] _, _ in
                            ending.touch()
                        }
                        if let observer {
                            launch.add(observer)
                        }
                        observer = nil
                        launch.pay(for: "coins")
                    }
                }
            }
        }
        await store.waitUntilIdle()
        expectEqual(ended.values, [true, true, true])
        expectEqual(store.allTransactions().count, 400)
    }
}

/// Calls a closure on deallocation.
private final class Ending: Sendable {
    private let atEnd: @Sendable () -> Void

    init(atEnd: @escaping @Sendable () -> Void) {
        self.atEnd = atEnd
    }

    deinit {
        atEnd()
    }

    func touch() {}
}
