import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SubscriptionTests {
    private func notSubscribed(_ productID: String) -> SimulatorError {
        SimulatorError(.notSubscribed, "The account has no active subscription to \"\(productID)\".")
    }

    private let day: TimeInterval = 86_400

    private func subscribed(_ product: String = "monthly") -> (SimulatedAppStore, SimulatedLaunch, RecordingObserver) {
        let store = SimulatedAppStore.stepped()
        let launch = store.launch()
        let observer = RecordingObserver.finishing()
        launch.add(observer)
        launch.add(SimulatedPayment(productID: product))
        store.runUntilIdle()
        observer.forget()
        return (store, launch, observer)
    }

    private func date(_ text: String) throws -> Date {
        try #require(ISO8601DateFormatter().date(from: text))
    }

    @Test func `a subscription renews at the end of its calendar month with an unsolicited transaction`() throws {
        let (store, _, observer) = subscribed()
        expectEqual(store.allTransactions().last?.expirationDate, try date("2026-02-01T00:00:00Z"))
        store.advance(by: 31 * day - 1)
        #expect(!store.step())
        store.advance(by: 1)
        store.runUntilIdle()
        expectEqual(observer.log, ["updated monthly:purchased", "removed monthly:purchased"])
        let history = store.allTransactions()
        expectEqual(
            history.map(\.expirationDate), [try date("2026-02-01T00:00:00Z"), try date("2026-03-01T00:00:00Z")])
        expectEqual(
            Set(history.compactMap(\.originalTransactionID)), Set(history.prefix(1).compactMap(\.transactionID)))
        expectEqual(observer.updates.first?.transactionID, history.last?.transactionID)
        expectEqual(history.map(\.willAutoRenew), [false, true])
    }

    @Test func `a month from the 31st ends on the last day of a shorter month, and later renewals return to the 31st`()
        throws
    {
        let store = SimulatedAppStore.stepped()
        store.advance(by: 30 * day)
        store.own("monthly")
        store.advance(by: 70 * day)
        expectEqual(
            store.allTransactions().compactMap(\.expirationDate),
            [
                try date("2026-02-28T00:00:00Z"), try date("2026-03-31T00:00:00Z"), try date("2026-04-30T00:00:00Z"),
            ])
    }

    @Test func `all due events occur in order, each at its own time`() {
        let (store, _, _) = subscribed()
        store.advance(by: 365 * day)
        let history = store.allTransactions()
        expectEqual(history.count, 13)
        for (former, next) in zip(history, history.dropFirst()) {
            expectEqual(next.purchaseDate, former.expirationDate)
        }
    }

    @Test(
        arguments: [
            (.oneSecondIsOneDay, 30), (.monthlyRenewalEveryThirtySeconds, 30), (.monthlyRenewalEveryMinute, 60),
            (.monthlyRenewalEveryFiveMinutes, 300), (.monthlyRenewalEveryHour, 3600), (.oneRenewalEveryTwoSeconds, 2),
            (.oneRenewalEveryMinute, 60),
        ] as [(SimulatedTimeRate, TimeInterval)])
    func `the time rate sets the length of a month`(rate: SimulatedTimeRate, seconds: TimeInterval) {
        let store = SimulatedAppStore.stepped()
        store.behavior.timeRate = rate
        store.own("monthly")
        store.advance(by: seconds * 2)
        expectEqual(store.allTransactions().count, 3)
        expectEqual(store.allTransactions().first?.expirationDate, store.now.addingTimeInterval(-seconds))
    }

    @Test func `a subscription with renewal turned off expires`() throws {
        let (store, launch, observer) = subscribed()
        let identifier = try #require(store.allTransactions().first?.transactionID)
        try store.disableAutoRenew(of: "monthly")
        expectEqual(store.allTransactions().map(\.willAutoRenew), [false])
        try store.enableAutoRenew(of: "monthly")
        try store.disableAutoRenew(of: "monthly")
        store.advance(by: 100 * day)
        #expect(!store.step())
        #expect(throws: notSubscribed("monthly")) { try store.enableAutoRenew(of: "monthly") }
        expectEqual(store.allRenewals().map(\.expirationReason), [.autoRenewDisabled])
        launch.add(SimulatedPayment(productID: "monthly"))
        store.runUntilIdle()
        expectEqual(observer.states, [.purchasing, .purchased])
        expectEqual(store.allTransactions().map(\.originalTransactionID), [identifier, identifier])
    }

    @Test func `a renewal can be forced, and later periods count from it`() throws {
        let (store, _, observer) = subscribed()
        store.advance(by: 10 * day)
        try store.forceRenewalOfSubscription(productID: "monthly")
        store.runUntilIdle()
        expectEqual(observer.states, [.purchased])
        expectEqual(store.allTransactions().map(\.expirationDate), [store.now, try date("2026-02-11T00:00:00Z")])
        store.advance(by: 25 * day)
        expectEqual(store.allTransactions().count, 2)
    }

    @Test func `a subscription can be ended`() throws {
        let (store, _, _) = subscribed()
        store.advance(by: day)
        try store.expireSubscription(productID: "monthly")
        expectEqual(store.allTransactions().map(\.expirationDate), [store.now])
        store.advance(by: 100 * day)
        expectEqual(store.allTransactions().count, 1)
        #expect(throws: notSubscribed("monthly")) { try store.expireSubscription(productID: "monthly") }
        #expect(throws: notSubscribed("premium")) { try store.forceRenewalOfSubscription(productID: "premium") }
    }

    @Test func `a higher level of the group begins immediately`() throws {
        let (store, launch, _) = subscribed("monthly")
        store.advance(by: 10 * day)
        launch.add(SimulatedPayment(productID: "premium"))
        store.runUntilIdle()
        let history = store.allTransactions()
        expectEqual(history.map(\.productID), ["monthly", "premium"])
        expectEqual(history.map(\.isUpgraded), [true, false])
        expectEqual(history.map(\.revocationDate), [store.now, nil])
        expectEqual(history.last?.originalTransactionID, history.first?.transactionID)
        store.advance(by: 35 * day)
        expectEqual(store.allTransactions().map(\.productID), ["monthly", "premium", "premium"])
    }

    @Test func `a lower level of the group begins at the next renewal`() {
        let (store, launch, observer) = subscribed("premium")
        launch.add(SimulatedPayment(productID: "monthly"))
        store.runUntilIdle()
        expectEqual(observer.states, [.purchasing, .purchased])
        expectEqual(store.allTransactions().map(\.productID), ["premium"])
        store.advance(by: 31 * day)
        expectEqual(store.allTransactions().map(\.productID), ["premium", "monthly"])
    }

    @Test func `an active subscription isn't charged again`() {
        let (store, launch, observer) = subscribed()
        store.advance(by: day)
        launch.add(SimulatedPayment(productID: "monthly"))
        store.runUntilIdle()
        expectEqual(observer.states, [.purchasing, .purchased])
        let history = store.allTransactions()
        expectEqual(Set(history.compactMap(\.expirationDate)).count, 1)
        store.behavior.repeatedPurchaseResult = .restored
        launch.add(SimulatedPayment(productID: "monthly"))
        store.runUntilIdle()
        expectEqual(observer.states.last, .restored)
        store.advance(by: 30 * day)
        expectEqual(store.allTransactions().count, 3)
    }

    @Test func `a free trial comes first, and only once`() throws {
        let (store, launch, _) = subscribed("trial")
        store.advance(by: 7 * day)
        expectEqual(store.allTransactions().map(\.isTrialPeriod), [true, false])
        expectEqual(
            store.allTransactions().compactMap(\.expirationDate),
            [
                try date("2026-01-08T00:00:00Z"), try date("2026-02-08T00:00:00Z"),
            ])
        try store.expireSubscription(productID: "trial")
        launch.add(SimulatedPayment(productID: "trial"))
        store.runUntilIdle()
        expectEqual(store.allTransactions().map(\.isTrialPeriod), [true, false, false])
    }

    @Test func `a promotional offer lasts for its periods`() {
        let store = SimulatedAppStore.stepped()
        let launch = store.launch()
        let observer = RecordingObserver.finishing()
        launch.add(observer)
        let discount = SimulatedPayment.Discount(
            offerID: "back", keyID: "key", nonce: UUID(), signature: "c2ln", timestamp: 0)
        launch.add(SimulatedPayment(productID: "trial", discount: discount))
        store.runUntilIdle()
        store.advance(by: 95 * day)
        expectEqual(store.allTransactions().map(\.promotionalOfferID), ["back", "back", nil, nil])
        withExtendedLifetime(observer) {}
    }

    @Test func `an unpaid renewal is retried for sixty days, and can be resolved in that time`() throws {
        let (store, _, observer) = subscribed()
        let entry = try #require(store.allTransactions().first?.id)
        #expect(
            throws: SimulatorError(.noIssue, "Transaction \(entry) was not interrupted and has no billing problem.")
        ) {
            try store.resolveIssueForTransaction(id: entry)
        }
        store.behavior.shouldEnterBillingRetryOnRenewal = true
        store.advance(by: 40 * day)
        #expect(!store.step())
        expectEqual(store.allTransactions().count, 1)
        store.behavior.shouldEnterBillingRetryOnRenewal = false
        try store.resolveIssueForTransaction(id: entry)
        store.runUntilIdle()
        expectEqual(observer.states, [.purchased])
        expectEqual(store.allTransactions().last?.purchaseDate, store.now)
    }

    @Test func `a renewal that is never paid ends the subscription`() throws {
        let (store, _, _) = subscribed()
        let entry = try #require(store.allTransactions().first?.id)
        store.behavior.shouldEnterBillingRetryOnRenewal = true
        store.advance(by: (31 + 60) * day)
        #expect(
            throws: SimulatorError(.noIssue, "Transaction \(entry) was not interrupted and has no billing problem.")
        ) {
            try store.resolveIssueForTransaction(id: entry)
        }
        #expect(throws: notSubscribed("monthly")) {
            try store.forceRenewalOfSubscription(productID: "monthly")
        }
    }

    @Test func `a refund revokes one period, and the next period is paid`() throws {
        let (store, _, observer) = subscribed()
        try store.refund("monthly")
        store.advance(by: 31 * day)
        store.runUntilIdle()
        expectEqual(observer.log, ["revoked monthly", "updated monthly:purchased", "removed monthly:purchased"])
    }

    @Test func `a refund that ends the subscription leaves nothing to renew`() throws {
        let (store, _, observer) = subscribed()
        store.behavior.refundEndsSubscription = true
        try store.refund("monthly")
        store.advance(by: 100 * day)
        store.runUntilIdle()
        expectEqual(observer.log, ["revoked monthly"])
    }

    @Test func `a subscription whose product is no longer sold expires`() {
        let (store, _, _) = subscribed()
        store.catalog.products.removeAll { $0.productID == "monthly" }
        store.advance(by: 100 * day)
        expectEqual(store.allTransactions().count, 1)
    }

    @Test(arguments: [0, -7, .max, .min]) func `invalid periods don't trap`(units: Int) {
        let store = SimulatedAppStore.stepped()
        store.catalog = SimulatedCatalog(products: [
            SimulatedProduct(
                productID: "odd", kind: .autoRenewableSubscription, price: 1,
                subscription: SimulatedSubscription(groupID: "odd", period: .init(units, .day)))
        ])
        store.own("odd")
        store.advance(by: 2.5 * day)
        let history = store.allTransactions()
        expectEqual(history.count, units == .max ? 1 : 3)
        #expect(history.allSatisfy { ($0.expirationDate ?? .distantPast) > ($0.purchaseDate ?? .distantFuture) })
    }
}
