import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct PaymentTests {
    static let scripts = [
        Script(
            "payments are processed one after another, in the order of their addition",
            """
            pay coins, pay gems, pay pro
            run → coins purchasing + coins purchased + gems purchasing + gems purchased + pro purchasing + pro purchased
            """),
        Script(
            "the quantity is 1 by default, and 10 at most",
            """
            pay coins, pay coins quantity 10
            run → coins purchasing + coins purchased + coins purchasing + coins purchased
            quantities → 1 + 10, misuses → none
            """),
        Script(
            "a payment without a product is a misuse, and a payment for an unknown product fails",
            """
            pay nothing, pay another, run → another purchasing + another failed storeProductNotAvailable
            misuses → emptyProductID, products → none
            """),
        Script(
            "payments fail if the device isn't allowed to make payments",
            "forbid, canMakePayments → no, pay coins, run → coins purchasing + coins failed purchaseNotAllowed"),
        Script(
            "payments fail with the chosen error while failing is enabled",
            """
            fail, pay coins, run → coins purchasing + coins failed unknown
            fail paymentCancelled, pay coins, run → coins purchasing + coins failed paymentCancelled
            succeed, pay coins, run → coins purchasing + coins purchased, products → coins
            """),
        Script(
            "outcomes apply in order, those for a product before those for any product",
            """
            own pro, outcome failed, outcome deferred for coins, outcome restored for pro, outcome purchased
            pay coins, pay gems, pay pro, pay coins, pay gems
            run → coins purchasing + coins deferred + gems purchasing + gems failed unknown + pro purchasing + \
            pro restored + coins purchasing + coins purchased + gems purchasing + gems purchased
            """),
        Script(
            "a removed payment leaves the queue without a terminal state",
            """
            hidePurchasing, outcome removed, pay coins, pay gems
            run → coins purchasing + removed coins purchasing + gems purchased, queue → gems, products → gems
            """),
        Script(
            "without an older transaction, the payment is paid",
            "outcome older, pay pro, run → pro purchasing + pro purchased"),
    ]

    @Test(arguments: scripts) func `a payment has its outcome`(script: Script) throws {
        var simulator = SimulatorScript(finishes: false)
        try script.play { try simulator.perform($0) }
    }

    @Test func `a payment is purchasing, then purchased, and is removed when it is finished`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed()
        launch.add(SimulatedPayment(productID: "coins", quantity: 3, applicationUsername: "anna"))
        #expect(observer.events.isEmpty)
        #expect(store.step())
        expectEqual(observer.states, [.purchasing])
        #expect(store.step())
        expectEqual(observer.states, [.purchasing, .purchased])
        #expect(!store.step())
        let transaction = try #require(observer.updates.last)
        expectEqual(transaction.payment.quantity, 3)
        expectEqual(transaction.payment.applicationUsername, "anna")
        expectEqual(launch.transactions, [transaction])
        launch.finishTransaction(transaction.id)
        expectEqual(launch.transactions, [transaction])
        store.runUntilIdle()
        expectEqual(observer.log, ["updated coins:purchasing", "updated coins:purchased", "removed coins:purchased"])
        #expect(launch.transactions.isEmpty)
        #expect(store.misuses.isEmpty)
    }

    @Test func `adding the same payment twice creates two transactions`() {
        let (store, launch, observer) = SimulatedAppStore.observed()
        let payment = SimulatedPayment(productID: "coins")
        launch.add(payment)
        launch.add(payment)
        store.runUntilIdle()
        let purchased = observer.updates.filter { $0.state == .purchased }
        expectEqual(Set(purchased.map(\.id)).count, 2)
        expectEqual(Set(purchased.compactMap(\.transactionID)).count, 2)
    }

    @Test func `error, identifier, date and original are set only in the states that have them`() {
        let (store, launch, observer) = SimulatedAppStore.observed(owning: ["pro"])
        store.setNextPurchaseOutcome(.userCancelled, for: "coins")
        launch.pay(for: "coins", "gems")
        launch.add(SimulatedPayment(productID: "themes", simulatesAskToBuyInSandbox: true))
        launch.restore()
        expectEqual(Set(observer.states), [.purchasing, .purchased, .failed, .restored, .deferred])
        for transaction in observer.updates {
            let isPaid = transaction.state == .purchased || transaction.state == .restored
            expectEqual((transaction.error != nil), transaction.state == .failed)
            expectEqual((transaction.transactionID != nil), isPaid)
            expectEqual((transaction.transactionDate != nil), isPaid)
            expectEqual((transaction.original != nil), transaction.state == .restored)
        }
    }

    @Test(arguments: [0, -3, 11, 99, .min, .max])
    func `a quantity outside 1 to 10 is a misuse and creates no transaction`(quantity: Int) {
        let (store, launch, observer) = SimulatedAppStore.observed()
        launch.add(SimulatedPayment(productID: "coins", quantity: quantity))
        store.runUntilIdle()
        #expect(observer.events.isEmpty)
        expectEqual(store.misuses, [.quantityOutOfRange(productID: "coins", quantity: quantity)])
    }

    @Test func `an interrupted purchase fails first, and is purchased later as a second transaction`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed(.finishing()) {
            $0.interruptedPurchasesEnabled = true
        }
        launch.add(SimulatedPayment(productID: "coins", quantity: 2))
        store.runUntilIdle()
        let failed = try #require(observer.updates.last)
        expectEqual(failed.state, .failed)
        expectEqual(store.allTransactions().map(\.state), [.interrupted])
        let second = RecordingObserver()
        store.launch(second)
        try store.resolveIssueForTransaction(id: failed.id)
        store.runUntilIdle()
        expectEqual(second.states, [.purchased])
        #expect(second.updates.first?.id != failed.id)
        expectEqual(second.updates.first?.payment.quantity, 2)
        #expect(
            throws: SimulatorError(.noIssue, "Transaction \(failed.id) was not interrupted and has no billing problem.")
        ) {
            try store.resolveIssueForTransaction(id: failed.id)
        }
    }

    @Test func `a payment answered by an older transaction creates no new transaction`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed(buying: ["pro"])
        let older = try #require(observer.updates.last)
        observer.forget()
        store.setNextPurchaseOutcome(.returnsUnfinishedTransaction)
        launch.add(SimulatedPayment(productID: "pro", applicationUsername: "anna"))
        store.runUntilIdle()
        expectEqual(observer.events, [.updatedTransactions([older])])
        expectEqual(store.allTransactions().count, 1)
    }

    @Test func `a promotional offer must belong to the product and be signed`() {
        let (store, launch, observer) = SimulatedAppStore.observed()
        func discount(_ identifier: String, signature: String) -> SimulatedPayment.Discount {
            SimulatedPayment.Discount(
                offerID: identifier, keyID: "key",
                nonce: UUID(uuidString: "00000000-0000-0000-0000-000000000001") ?? UUID(),
                signature: signature, timestamp: 0)
        }
        launch.add(SimulatedPayment(productID: "trial", discount: discount("forward", signature: "c2ln")))
        launch.add(SimulatedPayment(productID: "trial", discount: discount("back", signature: "")))
        launch.add(SimulatedPayment(productID: "trial", discount: discount("back", signature: "c2ln")))
        store.runUntilIdle()
        expectEqual(observer.updates.map(\.error?.code), [nil, 11, nil, 12, nil, nil])
        expectEqual(store.allTransactions().map(\.promotionalOfferID), ["back"])
    }
}
