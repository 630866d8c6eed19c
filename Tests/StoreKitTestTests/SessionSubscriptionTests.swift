import AppStoreSimulator
import Foundation
import StoreKitTest
import TestHarness
import Testing

@Suite(.bounded, .ownAppStore) struct SessionSubscriptionTests {
    private let session: SKTestSession

    init() throws {
        session = try SKTestSession(contentsOf: TestedSession.file)
    }

    @Test func `an expired subscription isn't owned`() async throws {
        _ = try await TestedSession.bought("club.monthly")
        try session.expireSubscription(productIdentifier: "club.monthly")
        expectEqual(await TestedSession.owned(), [])
        expectEqual(try await TestedSession.status().state, .expired)
        expectError(\SKTestError.code, .noSubscriptionFound) {
            try session.expireSubscription(productIdentifier: "club.monthly")
        }
    }

    @Test func `turning off the renewal keeps the access, and turning it on brings it back`() async throws {
        let identifier = UInt(try await TestedSession.bought("club.monthly").id)
        #expect(try session.transaction(of: "club.monthly").autoRenewingEnabled)
        var statuses = Product.SubscriptionInfo.Status.updates.makeAsyncIterator()
        try session.disableAutoRenewForTransaction(identifier: identifier)
        #expect(try await statuses.next()?.renewalInfo.payloadValue.willAutoRenew == false)
        expectEqual(await TestedSession.owned(), ["club.monthly"])
        #expect(try await !TestedSession.renewal().willAutoRenew)
        #expect(try !session.transaction(of: "club.monthly").autoRenewingEnabled)
        try session.enableAutoRenewForTransaction(identifier: identifier)
        #expect(try await TestedSession.renewal().willAutoRenew)
    }

    @Test func `a forced renewal is one more transaction of the subscription`() async throws {
        let first = try await TestedSession.bought("club.monthly")
        expectEqual(first.offer?.type, .introductory)
        var updates = Transaction.updates.makeAsyncIterator()
        try session.forceRenewalOfSubscription(productIdentifier: "club.monthly")
        let renewal = try #require(try await updates.next()?.payloadValue)
        expectEqual(renewal.originalID, first.id)
        #expect(renewal.id != first.id && renewal.offer == nil && renewal.reason == .renewal)
        #expect(try #require(renewal.expirationDate) > (try #require(first.expirationDate)))
        expectEqual(await TestedSession.owned(), ["club.monthly"])
        expectEqual(session.allTransactions().count, 2)
    }

    @Test(arguments: [false, true])
    func `a forced renewal whose payment fails begins billing retry`(hasGracePeriod: Bool) async throws {
        _ = try await TestedSession.bought("club.monthly")
        session.billingGracePeriodIsEnabled = hasGracePeriod
        session.shouldEnterBillingRetryOnRenewal = true
        try session.forceRenewalOfSubscription(productIdentifier: "club.monthly")
        let transaction = try session.transaction(of: "club.monthly")
        #expect(transaction.hasPurchaseIssue && transaction.cancelDate == nil)
        expectEqual(
            try await TestedSession.status().state, hasGracePeriod ? .inGracePeriod : .inBillingRetryPeriod)
        let end = try await TestedSession.renewal().gracePeriodExpirationDate
        #expect(hasGracePeriod ? end.map { $0 > session.appStore.now } == true : end == nil)
        expectEqual(await TestedSession.owned(), hasGracePeriod ? ["club.monthly"] : [])
        // The simulator of iOS 27 lists it.
        session.appStore.behavior.entitlementsListBillingRetry = true
        expectEqual(await TestedSession.owned(), ["club.monthly"])
        try session.resolveIssueForTransaction(identifier: transaction.identifier)
        expectEqual(try await TestedSession.status().state, .subscribed)
        #expect(!session.allTransactions().contains { $0.hasPurchaseIssue })
    }

    @Test func `renewals occur by themselves at the time rate, until the renewal is turned off`() async throws {
        session.timeRate = .oneRenewalEveryTwoSeconds
        let first = try await TestedSession.bought("club.yearly")
        var updates = Transaction.updates.makeAsyncIterator()
        let renewal = try #require(try await updates.next()?.payloadValue)
        expectEqual(renewal.originalID, first.id)
        expectEqual(renewal.purchaseDate.timeIntervalSince(first.purchaseDate), 2, "2 seconds")
        try session.disableAutoRenewForTransaction(identifier: UInt(renewal.id))
        session.appStore.advance(by: 2)
        expectEqual(try await TestedSession.status().state, .expired)
        expectEqual(await TestedSession.owned(), [])
    }

    @Test func `after an advance of the clock, renewals still occur by themselves`() async throws {
        session.timeRate = .monthlyRenewalEveryHour
        _ = try await TestedSession.bought("club.prints")
        session.appStore.advance(by: 3_600)
        session.clearTransactions()
        session.timeRate = .oneRenewalEveryTwoSeconds
        let first = try await TestedSession.bought("club.prints")
        var updates = Transaction.updates.makeAsyncIterator()
        session.appStore.advance(by: 1.9)
        expectEqual(try await updates.next()?.payloadValue.originalID, first.id)
    }

    @Test func `an upgrade isn't a refund`() async throws {
        _ = try await TestedSession.bought("club.monthly")
        _ = try await TestedSession.bought("club.yearly")
        expectEqual(try session.transaction(of: "club.monthly").cancelDate, nil)
    }

    @Test func `renewal facts are on the latest payment, even if it was requested before a renewal`() async throws {
        try await session.buyProduct(identifier: "club.monthly")
        session.askToBuyEnabled = true
        let upgrade = UInt(try await session.buyProduct(identifier: "club.yearly").id)
        try session.forceRenewalOfSubscription(productIdentifier: "club.monthly")
        session.appStore.advance(by: 1)
        try session.approveAskToBuyTransaction(identifier: upgrade)
        try session.requestPriceIncreaseConsentForTransaction(identifier: upgrade)
        let pending = session.allTransactions().filter { $0.isPendingPriceIncreaseConsent }
        expectEqual(pending.map(\.identifier), [upgrade])
    }

    @Test(arguments: ["pro", "club.monthly"])
    func `a refund ends the ownership and is announced`(product: String) async throws {
        let bought = try await TestedSession.bought(product)
        var updates = Transaction.updates.makeAsyncIterator()
        try session.refundTransaction(identifier: UInt(bought.id))
        let refunded = try #require(try await updates.next()?.payloadValue)
        #expect(refunded.id == bought.id && refunded.revocationDate != nil)
        expectEqual(await TestedSession.owned(), [])
        #expect(try await Transaction.latest(for: product)?.payloadValue.revocationDate != nil)
        #expect(try session.transaction(of: product).cancelDate != nil)
        if product != "pro" { expectEqual(try await TestedSession.status().state, .revoked) }
        expectError(\SKTestError.code, .noTransactionFound) { try session.refundTransaction(identifier: 1) }
    }

    @Test func `the introductory offer is the group's, and is there again after a clearing`() async throws {
        #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "club"))
        try await session.buyProduct(identifier: "club.monthly")
        #expect(await !Product.SubscriptionInfo.isEligibleForIntroOffer(for: "club"))
        session.clearTransactions()
        #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "club"))
        #expect(await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "another group"))
    }

    @Test(arguments: [true, false])
    func `a price increase waits for the subscriber's answer`(consents: Bool) async throws {
        let identifier = UInt(try await TestedSession.bought("club.monthly").id)
        try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
        #expect(try session.transaction(of: "club.monthly").isPendingPriceIncreaseConsent)
        expectEqual(try await TestedSession.renewal().priceIncreaseStatus, .pending)
        if consents {
            try session.consentToPriceIncreaseForTransaction(identifier: identifier)
        } else {
            try session.declinePriceIncreaseForTransaction(identifier: identifier)
        }
        #expect(try !session.transaction(of: "club.monthly").isPendingPriceIncreaseConsent)
        expectEqual(try await TestedSession.renewal().willAutoRenew, consents)
    }
}
