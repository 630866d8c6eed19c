import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct QueueTests {
    private let store = SimulatedAppStore.stepped()

    @Test func `the queue holds its observers weakly`() {
        let launch = store.launch()
        var observer: RecordingObserver? = RecordingObserver()
        weak let reference = observer
        if let observer {
            launch.add(observer)
        }
        expectEqual(launch.observers.count, 1)
        observer = nil
        #expect(reference == nil)
        #expect(launch.observers.isEmpty)
        launch.pay(for: "coins")
        #expect(!store.step())
        let late = RecordingObserver()
        launch.add(late)
        store.runUntilIdle()
        expectEqual(late.log, ["updated coins:purchased"])
    }

    @Test func `a removed observer receives no events`() {
        let launch = store.launch()
        let removed = RecordingObserver()
        let staying = RecordingObserver()
        launch.add(removed)
        launch.add(staying)
        launch.pay(for: "coins")
        store.step()
        launch.remove(removed)
        store.runUntilIdle()
        expectEqual(removed.states, [.purchasing])
        expectEqual(staying.states, [.purchasing, .purchased])
    }

    @Test func `adding an observer twice adds it once`() {
        let (_, launch, observer) = SimulatedAppStore.observed()
        launch.add(observer)
        expectEqual(launch.observers.count, 1)
        launch.buy("coins")
        expectEqual(observer.states, [.purchasing, .purchased])
    }

    @Test func `the list of transactions is current only while the queue has an observer`() {
        let launch = store.launch()
        launch.buy("coins")
        #expect(launch.transactions.isEmpty)
        let observer = RecordingObserver()
        launch.add(observer)
        store.runUntilIdle()
        expectEqual(launch.transactions.map(\.state), [.purchased])
        launch.remove(observer)
        for transaction in launch.transactions {
            launch.finishTransaction(transaction.id)
        }
        store.runUntilIdle()
        expectEqual(launch.transactions.map(\.state), [.purchased])
        launch.add(observer)
        store.runUntilIdle()
        #expect(launch.transactions.isEmpty)
    }

    @Test func `the order among several observers depends on the seed`() {
        func order(seed: UInt64) -> [Bool] {
            let store = SimulatedAppStore.stepped(seed: seed)
            let launch = store.launch()
            let log = OrderLog<Bool>()
            let first = RecordingObserver { _, _ in log.append(true) }
            let second = RecordingObserver { _, _ in log.append(false) }
            launch.add(first)
            launch.add(second)
            for _ in 0..<16 {
                launch.pay(for: "coins")
            }
            store.runUntilIdle()
            return withExtendedLifetime((first, second)) { log.values }
        }
        expectEqual(order(seed: 1), order(seed: 1))
        #expect(Set((1...4).map { order(seed: $0) }).count > 1)
    }

    @Test func `finishing twice has no effect`() {
        let launch = store.launch()
        let observer = RecordingObserver { launch, event in
            guard case .updatedTransactions(let transactions) = event else { return }
            for transaction in transactions where transaction.state == .purchased {
                launch.finishTransaction(transaction.id)
                launch.finishTransaction(transaction.id)
            }
        }
        launch.add(observer)
        launch.buy("coins")
        for transaction in observer.updates {
            launch.finishTransaction(transaction.id)
        }
        store.runUntilIdle()
        expectEqual(observer.removals.count, 1)
        #expect(store.misuses.isEmpty)
    }

    @Test func `finishing while purchasing or deferred is a misuse, and ignored`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed { $0.askToBuyEnabled = true }
        launch.pay(for: "coins")
        store.step()
        let id = try #require(observer.updates.first?.id)
        launch.finishTransaction(id)
        expectEqual(store.misuses, [.finishedWhilePurchasing(id)])
        store.step()
        launch.finishTransaction(id)
        expectEqual(store.misuses, [.finishedWhilePurchasing(id), .finishedWhileDeferred(id)])
        store.runUntilIdle()
        expectEqual(launch.transactions.map(\.state), [.deferred])
        #expect(observer.removals.isEmpty)
    }

    @Test func `unfinished transactions are reported at every launch, in one batch, with new objects`() throws {
        let observer = RecordingObserver()
        let first = store.launch(observer)
        first.buy("coins", "gems")
        let ids = first.transactions.map(\.id)
        var objects = Set(first.transactions.map(\.object))
        for _ in 1...3 {
            let observer = RecordingObserver()
            let launch = store.launch(observer)
            #expect(launch.transactions.isEmpty)
            store.runUntilIdle()
            expectEqual(observer.log, ["updated coins:purchased,gems:purchased"])
            expectEqual(launch.transactions.map(\.id), ids)
            for transaction in launch.transactions {
                #expect(objects.insert(transaction.object).inserted)
            }
        }
    }

    @Test func `unfinished transactions are reported again when the app comes to the foreground`() {
        let (store, launch, observer) = SimulatedAppStore.observed()
        launch.enterForeground()
        #expect(!store.step())
        launch.buy("coins", "gems")
        let before = launch.transactions
        observer.forget()
        launch.enterForeground()
        store.runUntilIdle()
        expectEqual(observer.events, [.updatedTransactions(before)])
    }

    @Test(arguments: [true, false]) func `a second observer receives a report, or none`(reports: Bool) {
        let (store, launch, first) = SimulatedAppStore.observed(buying: ["coins"]) {
            $0.reportsToSecondObserver = reports
        }
        first.forget()
        let second = RecordingObserver()
        launch.add(second)
        store.runUntilIdle()
        #expect(first.events.isEmpty)
        expectEqual(second.log, (reports ? ["updated coins:purchased"] : []))
    }

    @Test func `finishing may fail without an error, and the transaction is reported at the next launch`() {
        let (store, launch, observer) = SimulatedAppStore.observed(.finishing(), buying: ["coins"]) {
            $0.finishingFails = true
        }
        expectEqual(observer.removals.count, 1)
        #expect(launch.transactions.isEmpty)
        expectEqual(store.allTransactions().map(\.isFinished), [false])
        launch.enterForeground()
        #expect(!store.step())
        store.behavior.finishingFails = false
        let second = store.relaunched(.finishing())
        expectEqual(second.log, ["updated coins:purchased", "removed coins:purchased"])
        expectEqual(store.allTransactions().map(\.isFinished), [true])
        let last = store.relaunched()
        #expect(last.events.isEmpty)
    }

    @Test func `finished transactions can be reported again at the next launch`() {
        let store = SimulatedAppStore.stepped { $0.redeliversFinishedTransactions = true }
        store.own("coins")
        for log in [["updated coins:purchased", "removed coins:purchased"], []] {
            let observer = store.relaunched(.finishing())
            expectEqual(observer.log, log)
        }
    }

    @Test func `a transaction can be reported again, finished or not`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed(buying: ["coins"])
        let transaction = try #require(observer.updates.last)
        observer.forget()
        store.redeliver(transaction.id)
        store.runUntilIdle()
        expectEqual(observer.events, [.updatedTransactions([transaction])])
        launch.finishTransaction(transaction.id)
        store.runUntilIdle()
        observer.forget()
        store.redeliver(transaction.id)
        store.runUntilIdle()
        expectEqual(observer.events, [.updatedTransactions([transaction])])
        expectEqual(launch.transactions, [transaction])
        launch.finishTransaction(transaction.id)
        store.runUntilIdle()
        #expect(launch.transactions.isEmpty)
        expectEqual(store.allTransactions().count, 1)
    }

    @Test func `a finished transaction that was reported again is removed at the next launch`() throws {
        let (store, _, observer) = SimulatedAppStore.observed(owning: ["coins"])
        store.redeliver(try #require(store.allTransactions().first?.id))
        store.runUntilIdle()
        expectEqual(observer.states, [.purchased])
        let last = store.relaunched()
        #expect(last.events.isEmpty)
    }

    @Test func `a transaction that another library finishes is removed in any state`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed()
        launch.pay(for: "coins", "gems")
        store.step()
        let id = try #require(observer.updates.first?.id)
        store.finishFromAnotherObserver(id)
        store.finishFromAnotherObserver(id)
        store.runUntilIdle()
        expectEqual(
            observer.log,
            [
                "updated coins:purchasing", "removed coins:purchasing", "updated gems:purchasing",
                "updated gems:purchased",
            ])
        expectEqual(store.allTransactions().map(\.productID), ["gems"])
    }

    @Test func `a replaced launch receives no events, and its calls have no effect`() {
        let observer = RecordingObserver()
        let dead = store.launch(observer)
        dead.pay(for: "coins")
        store.step()
        let living = store.launch()
        #expect(!dead.isCurrent)
        #expect(living.isCurrent)
        dead.pay(for: "gems")
        dead.add(RecordingObserver())
        dead.restoreCompletedTransactions()
        dead.enterForeground()
        let request = dead.productsRequest(["coins"]) { _ in Issue.record("a dead launch was answered") }
        request.start()
        store.runUntilIdle()
        expectEqual(observer.states, [.purchasing])
        #expect(dead.transactions.isEmpty)
        #expect(dead.observers.isEmpty)
        expectEqual(store.allTransactions().map(\.productID), ["coins"])
    }
}
