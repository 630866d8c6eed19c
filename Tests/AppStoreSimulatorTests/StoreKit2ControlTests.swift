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

    @Test func `a history says what was paid, and where`() throws {
        store.storefront = try #require(SimulatedStorefront(countryCode: "DEU"))
        store.own("pro", "trial")
        let records = store.allTransactions()
        expectEqual(records.map(\.price), [10, 0])
        expectEqual(records.map(\.storefront.countryCode), ["DEU", "DEU"])
        expectEqual(records.map(\.currencyCode), ["USD", "USD"])
        expectEqual(records.last?.offer?.kind, .introductory)
        expectEqual(records.first?.offer, nil)
        store.advance(by: .weeks(1))
        expectEqual(store.allTransactions().last?.isRenewal, true)
        expectEqual(store.allTransactions().last?.price, 3)
    }

    @Test func `a transaction that was never made has no signature`() throws {
        #expect(throws: SimulatorError(.unknownTransaction, "The account has paid no transaction 5.")) {
            try store.setVerifies(false, transactionID: "5")
        }
    }

    @Test func `a price is raised from the next renewal on`() throws {
        store.own("monthly")
        try store.raisePrice(of: "monthly", to: 4.5, needsConsent: false)
        expectEqual(store.allRenewals().first?.priceIncrease, .agreed)
        expectEqual(store.allRenewals().first?.renewalPrice, 4.5)
        store.advance(by: .months(1))
        expectEqual(store.allTransactions().map(\.price), [3, 4.5])
        #expect(throws: SimulatorError.self) { try store.raisePrice(of: "nothing", to: 1) }
        #expect(throws: SimulatorError.self) { try store.agreeToPrice(of: "premium") }
    }

    @Test func `a plain behavior differs only in what StoreKit 2 shows`() {
        var plain = SimulatorBehavior.plain
        let usual = SimulatorBehavior()
        #expect(plain != usual)
        plain.cancelledTasksReadNothing = usual.cancelledTasksReadNothing
        plain.listingLag = usual.listingLag
        plain.flickerAtPeriodEnd = usual.flickerAtPeriodEnd
        plain.entitlementsListUpgraded = usual.entitlementsListUpgraded
        plain.entitlementsListBillingRetry = usual.entitlementsListBillingRetry
        plain.remembersIntroductoryEligibility = usual.remembersIntroductoryEligibility
        plain.appTransactionAsksToSignIn = usual.appTransactionAsksToSignIn
        plain.cancelledPurchase = usual.cancelledPurchase
        plain.interruptedPurchase = usual.interruptedPurchase
        plain.ownPurchaseUpdate = usual.ownPurchaseUpdate
        plain.repeatsRenewalsAtLaunch = usual.repeatsRenewalsAtLaunch
        plain.tellsAutoRenewChanges = usual.tellsAutoRenewChanges
        plain.tellsStorefrontTwice = usual.tellsStorefrontTwice
        plain.syncRepeatsFinishedRenewals = usual.syncRepeatsFinishedRenewals
        plain.canceledCommitmentAutoRenewsInLastPeriod = usual.canceledCommitmentAutoRenewsInLastPeriod
        expectEqual(plain, usual)
    }
}
