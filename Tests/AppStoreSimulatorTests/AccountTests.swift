import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct AccountTests {
    private let store = SimulatedAppStore.stepped()

    @Test func `a refund revokes the product and is reported once`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed(.finishing(), buying: ["pro"])
        observer.forget()
        let id = try #require(store.allTransactions().first?.id)
        store.advance(by: 60)
        try store.refundTransaction(id: id)
        try store.refundTransaction(id: id)
        store.runUntilIdle()
        expectEqual(observer.log, ["revoked pro"])
        expectEqual(store.allTransactions().map(\.revocationDate), [store.now])
        launch.buy("pro")
        expectEqual(Set(store.allTransactions().compactMap(\.originalTransactionID)).count, 2)
    }

    @Test(arguments: ["", "x", "0", "-1", "99999999999999999999999", "200000000000000"])
    func `an unknown transaction isn't found`(transactionID: String) {
        store.own("coins")
        expectEqual(store.transaction(withID: transactionID), nil)
    }

    @Test func `transactions are found by the App Store's identifier and refunded by the entry's identifier`() throws {
        store.own("coins", "coins")
        let second = try #require(store.allTransactions().last)
        expectEqual(store.transaction(withID: try #require(second.transactionID)), second)
        try store.refundTransaction(id: second.id)
        expectEqual(store.allTransactions().map(\.revocationDate), [nil, store.now])
        #expect(store.misuses.isEmpty)
    }

    @Test func `only paid transactions can be refunded`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed()
        store.setNextPurchaseOutcome(.userCancelled)
        launch.buy("coins")
        let id = try #require(observer.updates.last?.id)
        #expect(throws: SimulatorError(.unknownTransaction, "The account has paid no transaction \(id).")) {
            try store.refundTransaction(id: id)
        }
        #expect(throws: SimulatorError(.notOwned, "The account has no purchase of \"coins\" to refund.")) {
            try store.refund("coins")
        }
    }

    @Test func `a refund by product refunds the latest purchase, then the previous purchase`() throws {
        store.own("coins", "coins")
        try store.refund("coins")
        expectEqual(store.allTransactions().map { $0.revocationDate == nil }, [true, false])
        try store.refund("coins")
        expectEqual(store.allTransactions().map { $0.revocationDate == nil }, [false, false])
        #expect(throws: SimulatorError.self) { try store.refund("coins") }
    }

    @Test func `a revocation without an observer is reported to the first observer of a later launch`() throws {
        store.own("pro", "themes")
        try store.refund("pro")
        let unlucky = RecordingObserver()
        store.launch().add(unlucky)
        try store.refund("themes")
        let observer = store.relaunched()
        #expect(unlucky.events.isEmpty)
        expectEqual(observer.log, ["revoked pro,themes"])
    }

    @Test func `the end of Family Sharing revokes the product`() throws {
        let (store, _, observer) = SimulatedAppStore.observed(.finishing(), buying: ["pro"])
        observer.forget()
        try store.revokeFamilySharing(of: "pro")
        store.runUntilIdle()
        expectEqual(observer.log, ["revoked pro"])
        #expect(throws: SimulatorError(.notOwned, "The account does not own \"pro\".")) {
            try store.revokeFamilySharing(of: "pro")
        }
    }

    @Test func `a purchase on another device arrives unsolicited`() throws {
        let (store, _, observer) = SimulatedAppStore.observed()
        try store.buyProduct(productID: "coins", quantity: 4, applicationUsername: "anna")
        store.runUntilIdle()
        expectEqual(observer.log, ["updated coins:purchased"])
        expectEqual(observer.updates.first?.payment.quantity, 4)
        let error = #expect(throws: SimulatorError.self) { try store.buyProduct(productID: "nothing") }
        expectEqual(error?.code, .unknownProduct)
        expectEqual(
            error?.message,
            "The catalog has no product \"nothing\"; "
                + "it has \"coins\", \"gems\", \"pro\", \"themes\", \"season\", \"monthly\" and 3 more.")
    }

    @Test func `a promoted purchase continues if any observer agrees`() throws {
        for answers in [(true, false), (false, true), (true, true), (false, false)] {
            let store = SimulatedAppStore.stepped()
            let launch = store.launch()
            let first = RecordingObserver(addsStorePayments: answers.0)
            let second = RecordingObserver(addsStorePayments: answers.1)
            launch.add(first)
            launch.add(second)
            try store.promotePurchase(of: "pro")
            store.runUntilIdle()
            expectEqual(first.storePayments, [SimulatedPayment(productID: "pro")])
            expectEqual(second.storePayments, first.storePayments)
            expectEqual(first.states, (answers.0 || answers.1 ? [.purchasing, .purchased] : []))
        }
    }

    @Test func `a promoted purchase that was not continued may be added later`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed()
        try store.promotePurchase(of: "pro")
        store.runUntilIdle()
        #expect(observer.events.isEmpty)
        launch.add(try #require(observer.storePayments.first))
        store.runUntilIdle()
        expectEqual(observer.states, [.purchasing, .purchased])
    }

    @Test func `a promoted purchase waits for the first observer, even in a later launch`() throws {
        #expect(throws: SimulatorError.self) { try store.promotePurchase(of: "nothing") }
        try store.promotePurchase(of: "pro")
        store.runUntilIdle()
        let unlucky = RecordingObserver(addsStorePayments: true)
        store.launch().add(unlucky)
        let observer = store.relaunched(RecordingObserver(addsStorePayments: true))
        #expect(unlucky.storePayments.isEmpty)
        expectEqual(observer.storePayments.count, 1)
        expectEqual(observer.states, [.purchasing, .purchased])
    }

    @Test func `a change of storefront is reported, and continued payments are answered`() {
        let (store, launch, observer) = SimulatedAppStore.observed()
        launch.pay(for: "coins")
        store.step()
        store.storefront = .unitedStates
        store.storefront = SimulatedStorefront(countryCode: "DEU", id: "143443")
        expectEqual(launch.storefront?.countryCode, "DEU")
        store.runUntilIdle()
        expectEqual(observer.log, ["updated coins:purchasing", "storefront", "updated coins:purchased"])
        expectEqual(observer.movedTransactions.map(\.state), [.purchasing])
        expectEqual(store.catalog.storefront, store.storefront)
    }

    @Test func `a payment that an observer refuses in another storefront fails`() {
        let (store, launch, observer) = SimulatedAppStore.observed(RecordingObserver(continues: false))
        launch.pay(for: "coins")
        store.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true), for: "gems")
        launch.pay(for: "gems")
        store.step()
        var catalog = store.catalog
        catalog.storefront = SimulatedStorefront(countryCode: "DEU", id: "143443")
        store.catalog = catalog
        store.runUntilIdle()
        expectEqual(
            observer.log, ["updated coins:purchasing", "storefront", "updated coins:failed", "updated gems:purchasing"])
        expectEqual(observer.updates[1].error, .storeProductNotAvailable)
        store.storefront = .unitedStates
        store.runUntilIdle()
        expectEqual(observer.log.suffix(2), ["storefront", "updated gems:failed"])
    }

    @Test func `clearing removes all transactions, and identifiers aren't reused`() throws {
        let (store, launch, observer) = SimulatedAppStore.observed()
        launch.pay(for: "pro", "monthly", "coins")
        for _ in 1...5 {
            store.step()
        }
        let former = Set(observer.updates.map(\.id))
        store.clearTransactions()
        store.runUntilIdle()
        expectEqual(observer.removals.count, 3)
        #expect(store.allTransactions().isEmpty)
        #expect(launch.transactions.isEmpty)
        expectEqual(launch.receipt, nil)
        store.advance(by: 100 * 86_400)
        for id in former {
            launch.finishTransaction(id)
            store.redeliver(id)
            store.finishFromAnotherObserver(id)
        }
        store.runUntilIdle()
        observer.forget()
        launch.buy("pro")
        expectEqual(observer.log, ["updated pro:purchasing", "updated pro:purchased"])
        #expect(former.isDisjoint(with: observer.updates.map(\.id)))
        #expect(store.misuses.isEmpty)
    }

    @Test func `resetting restores the settings and keeps purchases`() {
        let (store, _, _) = SimulatedAppStore.observed(buying: ["pro"])
        store.behavior.askToBuyEnabled = true
        store.behavior.interruptedPurchasesEnabled = true
        store.behavior.failTransactionsEnabled = true
        store.behavior.failureError = .paymentCancelled
        store.behavior.canMakePayments = false
        store.behavior.timeRate = .oneSecondIsOneDay
        store.behavior.paymentsAreNeverAnswered = true
        store.localeIdentifier = "de_DE"
        store.storefront = SimulatedStorefront(countryCode: "DEU", id: "143443")
        store.setNextPurchaseOutcome(.removed)
        store.resetToDefaultState()
        expectEqual(store.behavior, SimulatorBehavior())
        expectEqual(store.catalog, .example)
        expectEqual(store.localeIdentifier, "en_US")
        store.own("coins")
        expectEqual(store.allTransactions().map(\.productID), ["pro", "coins"])
    }

    @Test func `sheets are recorded`() {
        let (store, launch, _) = SimulatedAppStore.observed()
        launch.presentCodeRedemptionSheet()
        launch.showPriceConsentIfNeeded()
        expectEqual(launch.presentedSheets, [.codeRedemption, .priceConsent])
        #expect(store.launch().presentedSheets.isEmpty)
        launch.presentCodeRedemptionSheet()
        #expect(launch.presentedSheets.isEmpty)
    }
}
