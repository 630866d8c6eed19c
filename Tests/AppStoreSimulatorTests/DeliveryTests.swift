import AppStoreSimulator
import Dispatch
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct DeliveryTests {
    private func automatic(_ thread: SimulatorBehavior.DeliveryThread) -> SimulatedAppStore {
        let store = SimulatedAppStore(catalog: .example)
        store.behavior.deliveryThread = thread
        return store
    }

    @Test(arguments: SimulatorBehavior.DeliveryThread.allCases)
    func `every delivery thread has the same events in the same order`(thread: SimulatorBehavior.DeliveryThread) async {
        let store = automatic(thread)
        let launch = store.launch()
        let observer = RecordingObserver.finishing()
        launch.add(observer)
        for index in 0..<50 {
            launch.add(SimulatedPayment(productID: "coins", quantity: index % 10 + 1))
        }
        await store.waitUntilIdle()
        let purchased = observer.updates.filter { $0.state == .purchased }
        expectEqual(purchased.map(\.payment.quantity), (0..<50).map { $0 % 10 + 1 })
        expectEqual(purchased.map(\.id), purchased.map(\.id).sorted())
        expectEqual(observer.removals.count, 50)
        #expect(launch.transactions.isEmpty)
    }

    @Test func `events on the caller's thread are delivered before the call returns`() {
        let store = automatic(.caller)
        let launch = store.launch()
        let threads = OrderLog<ObjectIdentifier>()
        let observer = RecordingObserver { _, _ in threads.append(ObjectIdentifier(Thread.current)) }
        launch.add(observer)
        launch.add(SimulatedPayment(productID: "coins"))
        expectEqual(observer.states, [.purchasing, .purchased])
        let own = ObjectIdentifier(Thread.current)
        expectEqual(threads.values, [own, own])
    }

    @Test func `events on the main thread are delivered on the main queue`() async {
        let store = automatic(.main)
        let launch = store.launch()
        // On Linux without a run loop, another thread serves the main queue, so checking the thread proves nothing.
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let isMain = OrderLog<Bool>()
        let observer = RecordingObserver { _, _ in isMain.append(DispatchQueue.getSpecific(key: key) ?? false) }
        launch.add(observer)
        launch.add(SimulatedPayment(productID: "coins"))
        await store.waitUntilIdle()
        expectEqual(isMain.values, [true, true])
    }

    @Test func `events on changing threads are still serial`() async {
        let store = automatic(.any)
        let launch = store.launch()
        let depth = OrderLog<Int>()
        let observer = RecordingObserver { _, _ in
            depth.append(1)
            depth.append(-1)
        }
        launch.add(observer)
        for _ in 0..<200 {
            launch.add(SimulatedPayment(productID: "coins"))
        }
        await store.waitUntilIdle()
        expectEqual(depth.values, (0..<400).flatMap { _ in [1, -1] })
    }

    @Test func `an event that a callback causes is delivered after the callback has returned`() {
        let store = automatic(.caller)
        let launch = store.launch()
        let log = OrderLog<String>()
        let observer = RecordingObserver { launch, event in
            guard case .updatedTransactions(let transactions) = event, let transaction = transactions.first else {
                return
            }
            let name = "\(transaction.payment.productID) \(transaction.state)"
            log.append("begin " + name)
            if transaction.payment.productID == "coins", transaction.state == .purchased {
                launch.add(SimulatedPayment(productID: "gems"))
                launch.finishTransaction(transaction.id)
                launch.restoreCompletedTransactions()
                _ = launch.transactions
            }
            log.append("end " + name)
        }
        launch.add(observer)
        launch.add(SimulatedPayment(productID: "coins"))
        expectEqual(
            log.values,
            [
                "begin coins purchasing", "end coins purchasing", "begin coins purchased", "end coins purchased",
                "begin gems purchasing", "end gems purchasing", "begin gems purchased", "end gems purchased",
            ])
        expectEqual(observer.log.suffix(2), ["removed coins:purchased", "restore finished"])
    }

    @Test func `a long chain of calls from callbacks doesn't nest`() {
        let store = automatic(.caller)
        let launch = store.launch()
        let observer = RecordingObserver { launch, event in
            guard case .updatedTransactions(let transactions) = event, let transaction = transactions.first,
                transaction.state == .purchased
            else { return }
            launch.finishTransaction(transaction.id)
            if transaction.id.rawValue < 5_000 {
                launch.add(SimulatedPayment(productID: "coins"))
            }
        }
        launch.add(observer)
        launch.add(SimulatedPayment(productID: "coins"))
        expectEqual(observer.removals.count, 5_000)
    }

    @Test func `a launch inside a callback ends the former launch immediately`() {
        let store = automatic(.caller)
        let first = store.launch()
        let observer = RecordingObserver { launch, _ in
            _ = launch.store.launch()
        }
        let neighbor = RecordingObserver { launch, _ in
            _ = launch.store.launch()
        }
        first.add(observer)
        first.add(neighbor)
        first.add(SimulatedPayment(productID: "coins"))
        expectEqual(observer.events.count + neighbor.events.count, 1)
        let last = RecordingObserver()
        store.launch().add(last)
        expectEqual(last.log, ["updated coins:purchased"])
    }

    @Test func `a step inside a callback allows one more event after the callback`() {
        let store = SimulatedAppStore.stepped()
        let launch = store.launch()
        let observer = RecordingObserver { launch, event in
            if case .updatedTransactions(let transactions) = event, transactions.first?.state == .purchasing {
                #expect(launch.store.step())
                expectEqual(launch.transactions.map(\.state), [.purchasing])
            }
        }
        launch.add(observer)
        launch.add(SimulatedPayment(productID: "coins"))
        launch.enterForeground()
        #expect(store.step())
        expectEqual(observer.states, [.purchasing, .purchased])
        #expect(!store.step())
    }

    @Test func `running until idle inside a callback is done by the delivering thread`() {
        let store = SimulatedAppStore.stepped()
        let launch = store.launch()
        let observer = RecordingObserver { launch, _ in launch.store.runUntilIdle() }
        launch.add(observer)
        launch.add(SimulatedPayment(productID: "coins"))
        launch.add(SimulatedPayment(productID: "gems"))
        store.step()
        expectEqual(observer.states, [.purchasing, .purchased, .purchasing, .purchased])
    }

    @Test func `automatic pacing has no steps`() {
        let store = automatic(.caller)
        #expect(!store.step())
        store.runUntilIdle()
        let launch = store.launch()
        let observer = RecordingObserver()
        launch.add(observer)
        launch.add(SimulatedPayment(productID: "coins"))
        expectEqual(observer.states, [.purchasing, .purchased])
    }

    @Test func `the pending count is zero exactly when nothing is left to deliver`() {
        let store = SimulatedAppStore.stepped { $0.restoreBatchSize = 1 }
        store.own("pro", "themes")
        let launch = store.launch()
        let observer = RecordingObserver()
        launch.add(observer)
        expectEqual(store.pendingEventCount, 0)
        launch.add(SimulatedPayment(productID: "coins"))
        launch.add(SimulatedPayment(productID: "gems"))
        launch.restoreCompletedTransactions()
        while store.pendingEventCount > 0 {
            #expect(store.step())
        }
        #expect(!store.step())
        expectEqual(observer.events.count, 7)
    }

    @Test func `waiting until idle returns immediately without pending events, and otherwise after the last step`()
        async
    {
        let store = SimulatedAppStore.stepped()
        await store.waitUntilIdle()
        let launch = store.launch()
        let observer = RecordingObserver()
        launch.add(observer)
        launch.add(SimulatedPayment(productID: "coins"))
        async let waiting: Void = store.waitUntilIdle()
        store.runUntilIdle()
        await waiting
        expectEqual(observer.states, [.purchasing, .purchased])
    }

    @Test func `a canceled task doesn't wait until idle`() async {
        let store = SimulatedAppStore.stepped()
        let launch = store.launch()
        launch.add(SimulatedPayment(productID: "coins"))
        let task = Task { await store.waitUntilIdle() }
        task.cancel()
        await task.value
        expectEqual(store.pendingEventCount, 1)
    }

    @Test func `a launch that the app has released still delivers`() throws {
        let store = automatic(.caller)
        let observer = RecordingObserver()
        store.launch().add(observer)
        try store.buyProduct(productID: "coins")
        expectEqual(observer.states, [.purchased])
    }

    @Test func `automatic pacing can begin at any time and delivers pending events`() async {
        let store = SimulatedAppStore.stepped { $0.deliveryThread = .background }
        let launch = store.launch()
        let observer = RecordingObserver()
        launch.add(observer)
        launch.add(SimulatedPayment(productID: "coins"))
        #expect(store.step())
        expectEqual(observer.states, [.purchasing])
        store.pacing = .automatic
        await store.waitUntilIdle()
        expectEqual(observer.states, [.purchasing, .purchased])
        store.pacing = .manual
        launch.add(SimulatedPayment(productID: "gems"))
        expectEqual(store.pendingEventCount, 1)
        expectEqual(store.pacing, .manual)
    }
}
