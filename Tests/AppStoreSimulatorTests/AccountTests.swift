import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct AccountTests {
    private func launched(_ observer: RecordingObserver = RecordingObserver()) -> (SimulatedAppStore, SimulatedLaunch, RecordingObserver) {
        let store = SimulatedAppStore.stepped()
        let launch = store.launch()
        launch.add(observer)
        return (store, launch, observer)
    }

    @Test func `a refund takes the product away, and observers are told once`() throws {
        let (store, launch, observer) = launched(.finishing())
        launch.add(SimulatedPayment(productIdentifier: "pro"))
        store.runUntilIdle()
        observer.forget()
        let identifier = try #require(store.allTransactions().first?.transactionIdentifier)
        store.advance(by: 60)
        try store.refundTransaction(identifier: identifier)
        try store.refundTransaction(identifier: identifier)
        store.runUntilIdle()
        #expect(observer.log == ["revoked pro"])
        #expect(store.allTransactions().map(\.cancellationDate) == [store.now])
        launch.add(SimulatedPayment(productIdentifier: "pro"))
        store.runUntilIdle()
        #expect(Set(store.allTransactions().compactMap(\.originalTransactionIdentifier)).count == 2)
    }

    @Test(arguments: ["", "x", "0", "-1", "99999999999999999999999", "200000000000000"])
    func `a transaction that was never made cannot be refunded`(identifier: String) {
        let store = SimulatedAppStore.stepped()
        store.own("coins")
        #expect(throws: SimulatorError(.unknownTransaction, identifier)) { try store.refundTransaction(identifier: identifier) }
        #expect(throws: SimulatorError(.unknownTransaction, identifier)) {
            try store.enableAutoRenewForTransaction(identifier: identifier)
        }
    }

    @Test func `a revocation that nobody heard is told to the first observer of a later launch`() throws {
        let store = SimulatedAppStore.stepped()
        store.own("pro", "themes")
        let identifiers = store.allTransactions().compactMap(\.transactionIdentifier)
        try store.refundTransaction(identifier: try #require(identifiers.first))
        let unlucky = RecordingObserver()
        store.launch().add(unlucky)
        try store.refundTransaction(identifier: try #require(identifiers.last))
        let observer = RecordingObserver()
        let launch = store.launch()
        launch.add(observer)
        store.runUntilIdle()
        #expect(unlucky.events.isEmpty)
        #expect(observer.log == ["revoked pro,themes"])
    }

    @Test func `a change of the family's sharing takes the product away`() throws {
        let (store, launch, observer) = launched(.finishing())
        launch.add(SimulatedPayment(productIdentifier: "pro"))
        store.runUntilIdle()
        observer.forget()
        try store.revokeFamilySharing(productIdentifier: "pro")
        store.runUntilIdle()
        #expect(observer.log == ["revoked pro"])
        #expect(throws: SimulatorError(.notOwned, "pro")) { try store.revokeFamilySharing(productIdentifier: "pro") }
    }

    @Test func `what is bought on another device comes unasked`() throws {
        let (store, _, observer) = launched()
        try store.buyProduct(productIdentifier: "coins", quantity: 4, applicationUsername: "anna")
        store.runUntilIdle()
        #expect(observer.log == ["updated coins:purchased"])
        #expect(observer.updates.first?.payment.quantity == 4)
        #expect(throws: SimulatorError(.unknownProduct, "nothing")) { try store.buyProduct(productIdentifier: "nothing") }
    }

    @Test func `a promoted purchase goes on when any observer says so`() throws {
        for answers in [(true, false), (false, true), (true, true), (false, false)] {
            let store = SimulatedAppStore.stepped()
            let launch = store.launch()
            let first = RecordingObserver(addsStorePayments: answers.0)
            let second = RecordingObserver(addsStorePayments: answers.1)
            launch.add(first)
            launch.add(second)
            try store.promotePurchase(productIdentifier: "pro")
            store.runUntilIdle()
            #expect(first.storePayments == [SimulatedPayment(productIdentifier: "pro")])
            #expect(second.storePayments == first.storePayments)
            #expect(first.states == (answers.0 || answers.1 ? [.purchasing, .purchased] : []))
        }
    }

    @Test func `a promoted purchase that was put off may be added later`() throws {
        let (store, launch, observer) = launched()
        try store.promotePurchase(productIdentifier: "pro")
        store.runUntilIdle()
        #expect(observer.events.isEmpty)
        launch.add(try #require(observer.storePayments.first))
        store.runUntilIdle()
        #expect(observer.states == [.purchasing, .purchased])
    }

    @Test func `a promoted purchase waits for the first observer, in a later launch if need be`() throws {
        let store = SimulatedAppStore.stepped()
        #expect(throws: SimulatorError(.unknownProduct, "nothing")) { try store.promotePurchase(productIdentifier: "nothing") }
        try store.promotePurchase(productIdentifier: "pro")
        store.runUntilIdle()
        let unlucky = RecordingObserver(addsStorePayments: true)
        store.launch().add(unlucky)
        let observer = RecordingObserver(addsStorePayments: true)
        let launch = store.launch()
        launch.add(observer)
        store.runUntilIdle()
        #expect(unlucky.storePayments.isEmpty)
        #expect(observer.storePayments.count == 1)
        #expect(observer.states == [.purchasing, .purchased])
    }

    @Test func `a change of storefront is told, and payments that go on are answered`() {
        let (store, launch, observer) = launched()
        launch.add(SimulatedPayment(productIdentifier: "coins"))
        store.step()
        store.storefront = .unitedStates
        store.storefront = SimulatedStorefront(countryCode: "DEU", identifier: "143443")
        #expect(launch.storefront?.countryCode == "DEU")
        store.runUntilIdle()
        #expect(observer.log == ["updated coins:purchasing", "storefront", "updated coins:purchased"])
        #expect(observer.movedTransactions.map(\.state) == [.purchasing])
        #expect(store.catalog.storefront == store.storefront)
    }

    @Test func `a payment that must not go on in another storefront fails`() {
        let (store, launch, observer) = launched(RecordingObserver(continues: false))
        launch.add(SimulatedPayment(productIdentifier: "coins"))
        store.enqueue(.neverAnswered(afterPurchasing: true), for: "gems")
        launch.add(SimulatedPayment(productIdentifier: "gems"))
        store.step()
        var catalog = store.catalog
        catalog.storefront = SimulatedStorefront(countryCode: "DEU", identifier: "143443")
        store.catalog = catalog
        store.runUntilIdle()
        #expect(observer.log == ["updated coins:purchasing", "storefront", "updated coins:failed", "updated gems:purchasing"])
        #expect(observer.updates[1].error == .storeProductNotAvailable)
        store.storefront = .unitedStates
        store.runUntilIdle()
        #expect(observer.log.suffix(2) == ["storefront", "updated gems:failed"])
    }

    @Test func `clearing forgets everything, and identifiers are not used again`() throws {
        let (store, launch, observer) = launched()
        launch.add(SimulatedPayment(productIdentifier: "pro"))
        launch.add(SimulatedPayment(productIdentifier: "monthly"))
        launch.add(SimulatedPayment(productIdentifier: "coins"))
        for _ in 1...5 {
            store.step()
        }
        let former = Set(observer.updates.map(\.id))
        store.clearTransactions()
        store.runUntilIdle()
        #expect(observer.removals.count == 3)
        #expect(store.allTransactions().isEmpty)
        #expect(launch.transactions.isEmpty)
        #expect(launch.receipt == nil)
        store.advance(by: 100 * 86_400)
        for id in former {
            launch.finishTransaction(id)
            store.reportAgain(id)
            store.finishElsewhere(id)
        }
        store.runUntilIdle()
        observer.forget()
        launch.add(SimulatedPayment(productIdentifier: "pro"))
        store.runUntilIdle()
        #expect(observer.log == ["updated pro:purchasing", "updated pro:purchased"])
        #expect(former.isDisjoint(with: observer.updates.map(\.id)))
        #expect(store.misuses.isEmpty)
    }

    @Test func `resetting brings the settings back, and keeps what was bought`() {
        let (store, launch, _) = launched()
        launch.add(SimulatedPayment(productIdentifier: "pro"))
        store.runUntilIdle()
        store.askToBuyEnabled = true
        store.interruptedPurchasesEnabled = true
        store.failTransactionsEnabled = true
        store.failureError = .paymentCancelled
        store.canMakePayments = false
        store.timeRate = .oneSecondIsOneDay
        store.behavior.paymentsAreNeverAnswered = true
        store.localeIdentifier = "de_DE"
        store.storefront = SimulatedStorefront(countryCode: "DEU", identifier: "143443")
        store.enqueue(.removed)
        store.resetToDefaultState()
        #expect(!store.askToBuyEnabled && !store.interruptedPurchasesEnabled && !store.failTransactionsEnabled)
        #expect(store.failureError == .unknown)
        #expect(store.canMakePayments)
        #expect(store.timeRate == .realTime)
        #expect(store.behavior == SimulatorBehavior())
        #expect(store.catalog == .example)
        #expect(store.localeIdentifier == "en_US")
        store.own("coins")
        #expect(store.allTransactions().map(\.productIdentifier) == ["pro", "coins"])
    }

    @Test func `sheets are recorded`() {
        let (store, launch, _) = launched()
        launch.presentCodeRedemptionSheet()
        launch.showPriceConsentIfNeeded()
        #expect(launch.presentedSheets == [.codeRedemption, .priceConsent])
        #expect(store.launch().presentedSheets.isEmpty)
        launch.presentCodeRedemptionSheet()
        #expect(launch.presentedSheets.isEmpty)
    }

    @Test(arguments: [0, -1, .nan, -.infinity] as [TimeInterval]) func `the clock never goes back`(seconds: TimeInterval) {
        let store = SimulatedAppStore.stepped()
        let before = store.now
        store.advance(by: seconds)
        #expect(store.now == before)
        store.advance(by: .infinity)
        #expect(store.now > before)
    }
}
