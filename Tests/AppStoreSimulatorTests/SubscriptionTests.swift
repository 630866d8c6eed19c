import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SubscriptionTests {
    private let day: TimeInterval = 86_400

    @Test(arguments: [0, 1])
    func `a change that begins later and the paid period have one transaction, and are finished together`(
        finished: Int
    ) throws {
        let (store, launch, observer) = SimulatedAppStore.observed()
        for product in ["premium", "monthly"] {
            launch.buy(product)
        }
        let transactions = launch.transactions
        expectEqual(transactions.map(\.payment.productID), ["premium", "monthly"])
        expectEqual(Set(transactions.map(\.transactionID)).count, 1)
        launch.finishTransaction(transactions[finished].id)
        store.runUntilIdle()
        expectEqual(launch.transactions, [])
        expectEqual(store.allTransactions().map(\.isFinished), [true])
        withExtendedLifetime(observer) {}
    }

    /// The app starts on January 1, 2026, and finishes its transactions.
    static let scripts = [
        Script(
            "a subscription renews at the end of its calendar month with an unsolicited transaction",
            """
            buy monthly, ends → 2026-02-01, advance 30.5, isIdle → yes
            advance 0.5, run → monthly purchased + removed monthly purchased, begins → 2026-01-01 + 2026-02-01
            ends → 2026-02-01 + 2026-03-01, originals → first + first, renews → no + yes
            """),
        Script(
            "a subscription with renewal turned off expires",
            """
            buy monthly, renew monthly no → done, renews → no, renew monthly yes → done, renew monthly no → done
            advance 100, isIdle → yes, renew monthly yes → notSubscribed, reasons → autoRenewDisabled
            pay monthly, run → monthly purchasing + monthly purchased + removed monthly purchased
            products → monthly + monthly, originals → first + first
            """),
        Script(
            "a renewal can be forced, and later periods count from it",
            """
            buy monthly, advance 10, force monthly → done, run → monthly purchased + removed monthly purchased
            today → 2026-01-11, ends → 2026-01-11 + 2026-02-11, advance 25, products → monthly + monthly
            """),
        Script(
            "a subscription can be ended",
            """
            buy monthly, advance 1, expire monthly → done, ends → 2026-01-02, advance 100, products → monthly
            expire monthly → notSubscribed, force premium → notSubscribed
            """),
        Script(
            "an active subscription isn't charged again",
            """
            buy monthly, advance 1
            pay monthly, run → monthly purchasing + monthly purchased + removed monthly purchased
            ends → 2026-02-01 + 2026-02-01, restoreRepeated
            pay monthly, run → monthly purchasing + monthly restored + removed monthly restored
            advance 30, products → monthly + monthly + monthly
            """),
        Script(
            "a free trial comes first, and only once",
            """
            buy trial, advance 7, trials → yes + no, ends → 2026-01-08 + 2026-02-08
            expire trial → done, buy trial, trials → yes + no + no
            """),
        Script(
            "an unpaid renewal is retried for sixty days, and can be resolved in that time",
            """
            buy monthly, resolve → noIssue, declineRenewals, advance 40, isIdle → yes, products → monthly
            declineRenewals no, resolve → done, run → monthly purchased + removed monthly purchased
            today → 2026-02-10, begins → 2026-01-01 + 2026-02-10
            """),
        Script(
            "a renewal that is never paid ends the subscription",
            "buy monthly, declineRenewals, advance 91, resolve → noIssue, force monthly → notSubscribed"),
        Script(
            "a refund revokes one period, and the next period is paid",
            """
            buy monthly, refund monthly, advance 31
            run → revoked monthly + monthly purchased + removed monthly purchased
            revoked → 2026-01-01 + none, begins → 2026-01-01 + 2026-02-01, ends → 2026-02-01 + 2026-03-01
            """),
        Script(
            "a refund that ends the subscription leaves nothing to renew",
            "buy monthly, endWithRefund, refund monthly, advance 100, run → revoked monthly"),
        Script(
            "a subscription whose product is no longer sold expires",
            "buy monthly, withdraw monthly, advance 100, products → monthly"),
    ]

    @Test(arguments: scripts) func `a subscription renews until it ends`(script: Script) throws {
        var simulator = SimulatorScript(finishes: true)
        try script.play { try simulator.perform($0) }
    }

    @Test func `all due events occur in order, each at its own time`() {
        let store = SimulatedAppStore.stepped()
        store.own("monthly")
        store.advance(by: 365 * day)
        let history = store.allTransactions()
        expectEqual(history.count, 13)
        for (former, next) in zip(history, history.dropFirst()) {
            expectEqual(next.purchaseDate, former.expirationDate)
        }
    }

    @Test(
        arguments: [
            (.oneSecondIsOneDay, 30, 7), (.monthlyRenewalEveryThirtySeconds, 30, 10),
            (.monthlyRenewalEveryMinute, 60, 20), (.monthlyRenewalEveryFiveMinutes, 300, 180),
            (.monthlyRenewalEveryThirtyMinutes, 1800, 600), (.monthlyRenewalEveryHour, 3600, 900),
            (.oneRenewalEveryTwoSeconds, 2, 2), (.oneRenewalEveryMinute, 60, 60),
        ] as [(SimulatedTimeRate, TimeInterval, TimeInterval)])
    func `the time rate sets the length of a month and of a week`(
        rate: SimulatedTimeRate, seconds: TimeInterval, week: TimeInterval
    ) {
        let store = SimulatedAppStore.stepped()
        store.behavior.timeRate = rate
        store.own("monthly")
        store.advance(by: seconds * 2)
        expectEqual(store.allTransactions().count, 3)
        expectEqual(store.allTransactions().first?.expirationDate, store.now.addingTimeInterval(-seconds))
        // The offer of "trial" is a week.
        store.own("trial")
        expectEqual(store.allTransactions().last?.expirationDate, store.now.addingTimeInterval(week))
    }

    @Test func `a subscription keeps the time rate at which it was bought`() {
        let store = SimulatedAppStore.stepped { $0.timeRate = .monthlyRenewalEveryThirtySeconds }
        let start = store.now
        store.own("monthly")
        store.advance(by: 40)
        store.behavior.timeRate = .oneRenewalEveryTwoSeconds
        store.advance(by: 23)
        store.behavior.timeRate = .realTime
        store.advance(by: 1)
        let ends = store.allTransactions().map { $0.expirationDate?.timeIntervalSince(start) }
        expectEqual(ends, [30, 60, 90])
    }

    @Test func `at a fixed rate, a grace period takes one period, and billing retry takes two`() {
        let store = SimulatedAppStore.stepped { $0.timeRate = .oneRenewalEveryFifteenMinutes }
        store.behavior.billingGracePeriodIsEnabled = true
        store.behavior.shouldEnterBillingRetryOnRenewal = true
        store.own("monthly")
        let states = (1...3).map { _ in
            store.advance(by: 900)
            return store.allSubscriptionStatuses().first?.state
        }
        expectEqual(states, [.inGracePeriod, .inBillingRetry, .expired])
    }

    @Test(arguments: [0, -7, .max, .min]) func `invalid periods don't trap, and those below 1 can't be sold`(units: Int)
    {
        let store = SimulatedAppStore.stepped()
        store.catalog = SimulatedCatalog(products: [
            SimulatedProduct(
                productID: "odd", kind: .autoRenewableSubscription, price: 1,
                subscription: SimulatedSubscription(groupID: "odd", period: .init(units, .day)))
        ])
        store.own("odd")
        store.advance(by: 2.5 * day)
        let history = store.allTransactions()
        expectEqual(history.count, units == .max ? 1 : 0)
        #expect(history.allSatisfy { ($0.expirationDate ?? .distantPast) > ($0.purchaseDate ?? .distantFuture) })
    }
}
