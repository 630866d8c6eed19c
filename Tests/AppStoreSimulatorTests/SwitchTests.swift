import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SwitchTests {
    @Test func `an entry keeps its object for a launch, unless every report has a new object`() {
        let (_, _, usual) = SimulatedAppStore.observed(buying: ["coins"]) { $0.reportsTwice = true }
        expectEqual(usual.updates.count, 3)
        expectEqual(Set(usual.updates.map(\.object)).count, 1)
        expectEqual(Set(usual.updates.map(\.id)).count, 1)
        let (_, launch, fresh) = SimulatedAppStore.observed(buying: ["coins"]) { behavior in
            behavior.reportsTwice = true
            behavior.bringsFreshObjects = true
        }
        expectEqual(Set(fresh.updates.map(\.object)).count, 3)
        expectEqual(Set(fresh.updates.map(\.id)).count, 1)
        expectEqual(launch.transactions.map(\.object), fresh.updates.suffix(1).map(\.object))
    }

    @Test func `terminal states can be reported twice, other states never are`() {
        let (_, _, observer) = SimulatedAppStore.observed(buying: ["coins", "nothing"]) { $0.reportsTwice = true }
        expectEqual(observer.states, [.purchasing, .purchased, .purchased, .purchasing, .failed, .failed])
        let store = SimulatedAppStore.stepped { $0.reportsTwice = true }
        store.behavior.askToBuyEnabled = true
        let child = RecordingObserver()
        let launch = store.launch(child)
        launch.buy("coins")
        expectEqual(child.states, [.purchasing, .deferred])
    }

    @Test func `another library's payment for the same product can come first`() throws {
        let (_, _, observer) = SimulatedAppStore.observed(buying: ["coins"]) { $0.insertsCompetingPayment = true }
        expectEqual(observer.states, [.purchasing, .purchased, .purchasing, .purchased])
        let foreign = try #require(observer.updates.first)
        let own = try #require(observer.updates.last)
        #expect(foreign.id < own.id)
        expectEqual(foreign.payment.productID, own.payment.productID)
        #expect(foreign.payment.applicationUsername != own.payment.applicationUsername)
    }

    @Test func `an owned non-consumable is answered as purchased again`() throws {
        let (store, _, observer) = SimulatedAppStore.observed(buying: ["pro", "pro"]) {
            $0.repeatedPurchaseResult = .purchased
        }
        let purchased = observer.updates.filter { $0.state == .purchased }
        expectEqual(Set(purchased.compactMap(\.transactionID)).count, 2)
        expectEqual(Set(store.allTransactions().compactMap(\.originalTransactionID)).count, 1)
    }

    @Test func `an owned non-consumable is answered as restored`() throws {
        let (store, _, observer) = SimulatedAppStore.observed(buying: ["pro", "pro"]) {
            $0.repeatedPurchaseResult = .restored
        }
        expectEqual(observer.states, [.purchasing, .purchased, .purchasing, .restored])
        expectEqual(observer.updates.last?.original?.transactionID, store.allTransactions().first?.transactionID)
        expectEqual(store.allTransactions().count, 1)
    }

    @Test func `a consumable is charged every time`() {
        let (store, _, observer) = SimulatedAppStore.observed(buying: ["coins", "coins"]) {
            $0.repeatedPurchaseResult = .restored
        }
        expectEqual(observer.states, [.purchasing, .purchased, .purchasing, .purchased])
        expectEqual(Set(store.allTransactions().compactMap(\.originalTransactionID)).count, 2)
    }

    @Test func `unanswered payments are removed at the next launch`() {
        let (store, launch, observer) = SimulatedAppStore.observed(buying: ["coins", "gems"]) {
            $0.paymentsAreNeverAnswered = true
        }
        #expect(observer.events.isEmpty)
        #expect(launch.transactions.isEmpty)
        expectEqual(store.pendingEventCount, 0)
        store.behavior.paymentsAreNeverAnswered = false
        launch.buy("pro")
        expectEqual(observer.log, ["updated pro:purchasing", "updated pro:purchased"])
        let next = store.relaunched()
        expectEqual(next.log, ["updated pro:purchased"])
    }

    @Test func `a payment can stay purchasing while other payments continue`() {
        let (store, launch, observer) = SimulatedAppStore.observed { $0.reportsPurchasing = false }
        store.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        launch.buy("coins", "gems")
        expectEqual(observer.log, ["updated coins:purchasing", "updated gems:purchased"])
        let next = store.relaunched()
        expectEqual(next.log, ["updated gems:purchased"])
    }
}
