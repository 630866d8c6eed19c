import AppStoreSimulator
import Foundation
import Testing

@Suite struct PaymentTests {
    @Test func `a payment is purchasing, then purchased, and is removed when it is finished`() throws {
        let store = SimulatedAppStore.stepped()
        let launch = store.launch()
        let observer = RecordingObserver()
        launch.add(observer)
        launch.add(SimulatedPayment(productIdentifier: "coins", quantity: 3, applicationUsername: "anna"))
        #expect(observer.events.isEmpty)
        #expect(store.step())
        #expect(observer.states == [.purchasing])
        #expect(store.step())
        #expect(observer.states == [.purchasing, .purchased])
        #expect(!store.step())
        let transaction = try #require(observer.updates.last)
        #expect(transaction.payment.quantity == 3)
        #expect(transaction.payment.applicationUsername == "anna")
        #expect(launch.transactions == [transaction])
        launch.finishTransaction(transaction.id)
        #expect(launch.transactions == [transaction])
        store.runUntilIdle()
        #expect(observer.log == ["updated coins:purchasing", "updated coins:purchased", "removed coins:purchased"])
        #expect(launch.transactions.isEmpty)
        #expect(store.misuses.isEmpty)
    }

    @Test func `adding the same payment twice makes two transactions`() {
        let store = SimulatedAppStore.stepped()
        let launch = store.launch()
        let observer = RecordingObserver()
        launch.add(observer)
        let payment = SimulatedPayment(productIdentifier: "coins")
        launch.add(payment)
        launch.add(payment)
        store.runUntilIdle()
        let purchased = observer.updates.filter { $0.state == .purchased }
        #expect(Set(purchased.map(\.id)).count == 2)
        #expect(Set(purchased.compactMap(\.transactionIdentifier)).count == 2)
    }

    @Test func `error, identifier, date and original are there only in the states that have them`() {
        let store = SimulatedAppStore.stepped()
        store.own("pro")
        let launch = store.launch()
        let observer = RecordingObserver()
        launch.add(observer)
        store.enqueue(.failed(.paymentCancelled), for: "coins")
        launch.add(SimulatedPayment(productIdentifier: "coins"))
        launch.add(SimulatedPayment(productIdentifier: "gems"))
        launch.add(SimulatedPayment(productIdentifier: "themes", simulatesAskToBuyInSandbox: true))
        launch.restoreCompletedTransactions()
        store.runUntilIdle()
        #expect(Set(observer.states) == [.purchasing, .purchased, .failed, .restored, .deferred])
        for transaction in observer.updates {
            let isPaid = transaction.state == .purchased || transaction.state == .restored
            #expect((transaction.error != nil) == (transaction.state == .failed))
            #expect((transaction.transactionIdentifier != nil) == isPaid)
            #expect((transaction.transactionDate != nil) == isPaid)
            #expect((transaction.original != nil) == (transaction.state == .restored))
        }
    }
}
