import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct AskToBuyTests {
    private func deferred(_ product: String = "pro") throws -> (
        SimulatedAppStore, SimulatedLaunch, RecordingObserver, SimulatedTransaction
    ) {
        let (store, launch, observer) = SimulatedAppStore.observed { $0.askToBuyEnabled = true }
        launch.add(SimulatedPayment(productID: product, applicationUsername: "kid"))
        store.runUntilIdle()
        let transaction = try #require(observer.updates.last)
        expectEqual(observer.states, [.purchasing, .deferred])
        observer.forget()
        return (store, launch, observer, transaction)
    }

    @Test func `an approved payment becomes purchased, as the same transaction`() throws {
        let (store, launch, observer, transaction) = try deferred()
        expectEqual(store.allTransactions().map(\.state), [.deferred])
        try store.approveAskToBuyTransaction(id: transaction.id)
        store.runUntilIdle()
        expectEqual(observer.log, ["updated pro:purchased"])
        expectEqual(observer.updates.first?.id, transaction.id)
        expectEqual(launch.transactions, observer.updates)
        expectEqual(store.allTransactions().map(\.state), [.purchased])
    }

    @Test func `a declined payment fails`() throws {
        let (store, _, observer, transaction) = try deferred()
        try store.declineAskToBuyTransaction(id: transaction.id)
        store.runUntilIdle()
        expectEqual(observer.log, ["updated pro:failed"])
        expectEqual(observer.updates.first?.error, .paymentCancelled)
        #expect(store.allTransactions().isEmpty)
    }

    @Test func `a deferred payment can be approved in another launch`() throws {
        let (store, _, observer, transaction) = try deferred()
        let second = store.relaunched(.finishing())
        expectEqual(second.log, ["updated pro:deferred"])
        try store.approveAskToBuyTransaction(id: transaction.id)
        store.runUntilIdle()
        expectEqual(second.log, ["updated pro:deferred", "updated pro:purchased", "removed pro:purchased"])
        #expect(observer.events.isEmpty)
    }

    @Test func `an answer without a running app is reported at the next launch`() throws {
        let (store, launch, observer, transaction) = try deferred()
        launch.remove(observer)
        try store.approveAskToBuyTransaction(id: transaction.id)
        let second = store.relaunched()
        expectEqual(second.log, ["updated pro:purchased"])
    }

    @Test func `only waiting payments can be approved, and only once`() throws {
        let (store, _, _, transaction) = try deferred()
        try store.approveAskToBuyTransaction(id: transaction.id)
        let refusal = SimulatorError(
            .notAwaitingApproval, "Transaction \(transaction.id) does not wait for an approval.")
        #expect(throws: refusal) { try store.approveAskToBuyTransaction(id: transaction.id) }
        #expect(throws: refusal) { try store.declineAskToBuyTransaction(id: transaction.id) }
        store.runUntilIdle()
        expectEqual(store.allTransactions().count, 1)
    }

    @Test func `a payment can request Ask to Buy itself`() {
        let (_, launch, observer) = SimulatedAppStore.observed()
        launch.add(SimulatedPayment(productID: "coins", simulatesAskToBuyInSandbox: true))
        launch.buy("gems")
        expectEqual(observer.states, [.purchasing, .deferred, .purchasing, .purchased])
    }
}
