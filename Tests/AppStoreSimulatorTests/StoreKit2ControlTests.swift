import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct StoreKit2ControlTests {
    private let store = SimulatedAppStore.stepped()

    @Test func `the statuses of all subscriptions, by group`() throws {
        #expect(store.allSubscriptionStatuses().isEmpty)
        store.own("trial", "monthly")
        try store.shareInFamily("premium")
        let statuses = store.allSubscriptionStatuses()
        expectEqual(statuses.map(\.renewal.groupID), ["club", "club", "magazine"])
        expectEqual(statuses.map(\.transaction.ownership), [.purchased, .familyShared, .purchased])
        expectEqual(statuses.map(\.transaction.productID), ["monthly", "premium", "trial"])
        #expect(statuses.allSatisfy { $0.state == .subscribed })
    }

    @Test func `the history contains prices and storefronts`() throws {
        store.storefront = try #require(SimulatedStorefront(countryCode: "DEU"))
        store.own("pro", "trial")
        let records = store.allTransactions()
        expectEqual(records.map(\.price), [10, 0])
        expectEqual(records.map(\.storefront.countryCode), ["DEU", "DEU"])
        expectEqual(records.map(\.currencyCode), ["EUR", "EUR"])
        expectEqual(records.last?.offer?.kind, .introductory)
        expectEqual(records.first?.offer, nil)
        store.advance(by: .weeks(1))
        expectEqual(store.allTransactions().last?.isRenewal, true)
        expectEqual(store.allTransactions().last?.price, 3)
    }

    @Test func `an unknown transaction has no signature`() throws {
        #expect(throws: SimulatorError(.unknownTransaction, "The account has paid no transaction 5.")) {
            try store.setSignatureIsValid(false, forTransactionID: "5")
        }
    }

    @Test func `a price increase applies from the next renewal`() throws {
        store.own("monthly")
        try store.raisePrice(of: "monthly", to: 4.5, needsConsent: false)
        expectEqual(store.allRenewals().first?.priceIncrease, .agreed)
        expectEqual(store.allRenewals().first?.renewalPrice, 4.5)
        store.advance(by: .months(1))
        expectEqual(store.allTransactions().map(\.price), [3, 4.5])
        #expect(throws: SimulatorError.self) { try store.raisePrice(of: "nothing", to: 1) }
        #expect(throws: SimulatorError.self) { try store.consentToPriceIncrease(of: "premium") }
    }

    @Test func `a reversed refund returns the product`() throws {
        store.own("monthly")
        #expect(throws: SimulatorError.self) { try store.reverseRefund(of: "monthly") }
        try store.refund("monthly")
        #expect(store.allTransactions().first?.revocationDate != nil)
        try store.reverseRefund(of: "monthly")
        #expect(store.allTransactions().first?.revocationDate == nil)
        #expect(throws: SimulatorError.self) { try store.reverseRefund(of: "monthly") }
    }

    @Test func `a new device has its own identifier, and no receipt until a refresh`() throws {
        store.own("monthly")
        let old = store.launch()
        let id = old.deviceVerificationID
        #expect(old.receipt != nil)
        store.moveToNewDevice()
        let new = store.launch()
        #expect(new.deviceVerificationID != id && new.receipt == nil)
        #expect(new.transactions(.all).allSatisfy { $0.text.seal.deviceID == new.deviceVerificationID })
        store.pacing = .manual
        new.receiptRefreshRequest { _ in }.start()
        store.runUntilIdle()
        #expect(try #require(new.receipt).isEmpty == false)
    }

    @Test func `prices have the currency of the storefront`() throws {
        store.storefront = try #require(SimulatedStorefront(countryCode: "DEU"))
        expectEqual(store.localeIdentifier, "en_US@currency=EUR")
        store.storefront = SimulatedStorefront(countryCode: "XXX", id: "1")
        expectEqual(store.localeIdentifier, "en_US@currency=EUR")
    }

    @Test func `the demanding behavior differs from the default only in its difficult switches`() {
        var behavior = SimulatorBehavior.demanding
        let goodDay = SimulatorBehavior()
        behavior.reportsTwice = goodDay.reportsTwice
        behavior.listingLag = goodDay.listingLag
        behavior.renewalVisibilityDelay = goodDay.renewalVisibilityDelay
        behavior.entitlementsListUpgraded = goodDay.entitlementsListUpgraded
        behavior.entitlementsListBillingRetry = goodDay.entitlementsListBillingRetry
        behavior.remembersIntroductoryEligibility = goodDay.remembersIntroductoryEligibility
        behavior.historyListsAnotherAccount = goodDay.historyListsAnotherAccount
        behavior.appTransactionAsksToSignIn = goodDay.appTransactionAsksToSignIn
        behavior.duplicateUpdateTiming = goodDay.duplicateUpdateTiming
        behavior.redeliversRenewalsAtLaunch = goodDay.redeliversRenewalsAtLaunch
        behavior.sendsAutoRenewChanges = goodDay.sendsAutoRenewChanges
        behavior.redeliversFinishedTransactions = goodDay.redeliversFinishedTransactions
        behavior.syncRepeatsFinishedRenewals = goodDay.syncRepeatsFinishedRenewals
        expectEqual(behavior, goodDay)
    }
}
