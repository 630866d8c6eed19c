import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct RelaunchTests {
    /// Adds payments, delivers a number of events, and relaunches the app, which then finishes every reported
    /// transaction.
    private func relaunch(after steps: Int, _ change: (inout SimulatorBehavior) -> Void = { _ in }) -> (
        SimulatedAppStore, delivered: [String]
    ) {
        let store = SimulatedAppStore.stepped(change)
        let finisher = RecordingObserver.finishing()
        let first = store.launch(finisher)
        for product in ["coins", "pro", "gems", "nothing", "themes"] { first.pay(for: product) }
        for _ in 0..<steps {
            store.step()
        }
        let observer = RecordingObserver.finishing()
        let second = store.launch(observer)
        store.runUntilIdle()
        let delivered = (finisher.updates + observer.updates).filter { $0.state == .purchased }.map(\.payment.productID)
        #expect(second.transactions.isEmpty)
        return (store, delivered)
    }

    @Test(arguments: 0...16) func `no transaction is lost when the app is relaunched at any point`(steps: Int) {
        let (store, delivered) = relaunch(after: steps)
        expectEqual(Set(delivered), ["coins", "pro", "gems", "themes"])
        let history = store.allTransactions()
        expectEqual(history.map(\.productID), ["coins", "pro", "gems", "themes"])
        expectEqual(history.map(\.isFinished), [true, true, true, true])
        let last = store.relaunched()
        #expect(last.events.isEmpty)
    }

    @Test(arguments: 0...16) func `no transaction is lost with duplicate reports, new objects or competing payments`(
        steps: Int
    ) {
        let (store, delivered) = relaunch(after: steps) { behavior in
            behavior.reportsTwice = true
            behavior.bringsFreshObjects = true
            behavior.insertsCompetingPayment = true
            behavior.reportsPurchasing = false
            behavior.redeliversFinishedTransactions = true
        }
        expectEqual(Set(delivered), ["coins", "pro", "gems", "themes"])
        let history = store.allTransactions()
        expectEqual(history.count, 8)
        expectEqual(history.filter(\.isFinished).count, 8)
    }

    @Test(arguments: 0...8) func `a restore ends with its launch, and its transactions stay`(steps: Int) {
        let store = SimulatedAppStore.stepped { $0.restoreBatchSize = 1 }
        store.own("pro", "themes", "level")
        let former = RecordingObserver()
        let first = store.launch(former)
        first.restoreCompletedTransactions()
        for _ in 0..<steps {
            store.step()
        }
        let observer = RecordingObserver.finishing()
        let second = store.launch(observer)
        store.runUntilIdle()
        #expect(!observer.log.contains("restore finished"))
        expectEqual(observer.updates.map(\.id), former.updates.map(\.id))
        second.restore()
        expectEqual(observer.log.filter { $0 == "restore finished" }.count, 1)
        expectEqual(observer.updates.count, former.updates.count + 3)
        #expect(second.transactions.isEmpty)
    }

    @Test func `waiting payments continue in the next launch, even without an observer`() {
        let store = SimulatedAppStore.stepped()
        let observer = RecordingObserver()
        let first = store.launch(observer)
        for _ in 1...3 {
            first.pay(for: "coins")
        }
        store.step()
        let second = store.launch()
        store.runUntilIdle()
        expectEqual(store.allTransactions().count, 3)
        let late = RecordingObserver()
        second.add(late)
        store.runUntilIdle()
        expectEqual(late.log, ["updated coins:purchased,coins:purchased,coins:purchased"])
    }
}
