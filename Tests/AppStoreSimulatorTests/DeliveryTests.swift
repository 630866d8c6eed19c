import AppStoreSimulator
import Dispatch
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct DeliveryTests {
    private let store = SimulatedAppStore.stepped()

    private func automatic(_ thread: SimulatorBehavior.DeliveryThread) -> SimulatedAppStore {
        let store = SimulatedAppStore(catalog: .example)
        store.behavior.deliveryThread = thread
        return store
    }

    @Test func `events on the caller's thread are delivered before the call returns`() {
        let store = automatic(.caller)
        let launch = store.launch()
        let threads = OrderLog<ObjectIdentifier>()
        let observer = RecordingObserver { _, _ in threads.append(ObjectIdentifier(Thread.current)) }
        launch.add(observer)
        launch.pay(for: "coins")
        expectEqual(observer.states, [.purchasing, .purchased])
        let own = ObjectIdentifier(Thread.current)
        expectEqual(threads.values, [own, own])
        #expect(!store.step(), "automatic pacing has no steps")
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
        launch.pay(for: "coins")
        await store.waitUntilIdle()
        expectEqual(isMain.values, [true, true])
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
                launch.pay(for: "gems")
                launch.finishTransaction(transaction.id)
                launch.restoreCompletedTransactions()
                _ = launch.transactions
            }
            log.append("end " + name)
        }
        launch.add(observer)
        launch.pay(for: "coins")
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
                launch.pay(for: "coins")
            }
        }
        launch.add(observer)
        launch.pay(for: "coins")
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
        first.pay(for: "coins")
        expectEqual(observer.events.count + neighbor.events.count, 1)
        let last = RecordingObserver()
        store.launch().add(last)
        expectEqual(last.log, ["updated coins:purchased"])
    }

    @Test func `a step inside a callback allows one more event after the callback`() {
        let launch = store.launch()
        let observer = RecordingObserver { launch, event in
            if case .updatedTransactions(let transactions) = event, transactions.first?.state == .purchasing {
                #expect(launch.store.step())
                expectEqual(launch.transactions.map(\.state), [.purchasing])
            }
        }
        launch.add(observer)
        launch.pay(for: "coins")
        launch.enterForeground()
        #expect(store.step())
        expectEqual(observer.states, [.purchasing, .purchased])
        #expect(!store.step())
    }

    @Test func `running until idle inside a callback is done by the delivering thread`() {
        let launch = store.launch()
        let observer = RecordingObserver { launch, _ in launch.store.runUntilIdle() }
        launch.add(observer)
        launch.pay(for: "coins", "gems")
        store.step()
        expectEqual(observer.states, [.purchasing, .purchased, .purchasing, .purchased])
    }

    @Test func `the pending count is zero exactly when nothing is left to deliver`() {
        let (store, launch, observer) = SimulatedAppStore.observed(owning: ["pro", "themes"]) {
            $0.restoreBatchSize = 1
        }
        expectEqual(store.pendingEventCount, 0)
        launch.pay(for: "coins", "gems")
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
        await store.waitUntilIdle()
        let observer = RecordingObserver()
        let launch = store.launch(observer)
        launch.pay(for: "coins")
        async let waiting: Void = store.waitUntilIdle()
        store.runUntilIdle()
        await waiting
        expectEqual(observer.states, [.purchasing, .purchased])
    }

    @Test func `a canceled task doesn't wait until idle`() async {
        let launch = store.launch()
        launch.pay(for: "coins")
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
        let (store, launch, observer) = SimulatedAppStore.observed { $0.deliveryThread = .background }
        launch.pay(for: "coins")
        #expect(store.step())
        expectEqual(observer.states, [.purchasing])
        store.pacing = .automatic
        await store.waitUntilIdle()
        expectEqual(observer.states, [.purchasing, .purchased])
        store.pacing = .manual
        launch.pay(for: "gems")
        expectEqual(store.pendingEventCount, 1)
        expectEqual(store.pacing, .manual)
    }
}
