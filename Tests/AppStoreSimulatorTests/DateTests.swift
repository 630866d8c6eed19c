import AppStoreSimulator
import Foundation
import TestHarness
import Testing

/// The dates that the App Store computes, as Apple's documentation defines them, and those that it doesn't define. The
/// article *Test dates, customers and faults* of `AsyncStoreKit` lists both.
@Suite(.bounded) struct DateTests {
    /// StoreKit's versions, which agree about dates.
    enum Engine: CaseIterable { case storeKit1, storeKit2 }

    private typealias Offer = SimulatedSubscription.Offer
    private let store: SimulatedAppStore
    private let launch: SimulatedLaunch
    private let observer = RecordingObserver.finishing()

    init() {
        func product(
            _ id: String, _ period: SimulatedPeriod, level: Int = 2, group: String = "club",
            introductory: Offer? = nil
        ) -> SimulatedProduct {
            .autoRenewable(
                id, price: 10, period: period, group: group, level: level, introductoryOffer: introductory,
                promotionalOffers: [
                    .payUpFront(5, for: .months(3), id: "up front"),
                    .payAsYouGo(4, each: .month(1), times: 2, id: "each"),
                    .freeTrial(.weeks(2), id: "free"),
                ],
                winBackOffers: [.payUpFront(1, for: .months(2), id: "back")],
                codeOffers: [.freeTrial(.month(1), id: "gift")],
                monthlyPlan: id == "yearly" ? .monthly(1) : nil)
        }
        store = SimulatedAppStore(
            catalog: SimulatedCatalog(
                products: [
                    product("weekly", .week(1)), product("monthly", .month(1)), product("other", .month(1)),
                    product("yearly", .year(1)), product("twelve", .months(12)), product("gold", .month(1), level: 1),
                    product("basic", .month(1), level: 3),
                    product("trial", .month(1), group: "trial", introductory: .freeTrial(.week(1))),
                ],
                storefront: SimulatedStorefront(countryCode: "DEU", id: "143443")), pacing: .manual)
        launch = store.launch()
        launch.add(observer)
    }

    private func buy(_ productID: String, _ engine: Engine = .storeKit2, offer: String? = nil) {
        var payment = SimulatedPayment(productID: productID)
        switch engine {
        case .storeKit1:
            payment.discount = offer.map {
                SimulatedPayment.Discount(offerID: $0, keyID: "key", nonce: UUID(), signature: "c2ln", timestamp: 0)
            }
            launch.add(payment)
        case .storeKit2:
            payment.promotionalOffer = offer.map {
                SimulatedPayment.PromotionalOffer(offerID: $0, compactJWS: "a.e30.c")
            }
            _ = launch.purchase(payment) { _ in }
        }
        store.runUntilIdle()
    }

    private func advance(to day: String) throws {
        store.advance(to: try Date("\(day)T00:00:00Z", strategy: .iso8601))
        store.runUntilIdle()
    }

    /// The product, start and end of every paid period, such as `monthly 2026-01-01 2026-02-01`.
    private var periods: [String] {
        store.allTransactions().map { "\($0.productID) \(Self.day($0.purchaseDate)) \(Self.day($0.expirationDate))" }
    }

    private static func day(_ date: Date?) -> String { String(date?.formatted(.iso8601).prefix(10) ?? "never") }
}

// Billing retry and the grace period.
extension DateTests {
    /// A payment so many days after the end of the paid period, and the end of the period that it pays.
    typealias Recovery = (
        product: String, grace: SimulatorBehavior.BillingGracePeriodDuration?, day: Int, end: String
    )

    static let recoveries: [Recovery] = [
        // Within the grace period, the cycle continues. Afterward, the day of the payment begins a new cycle.
        ("weekly", .threeDays, 1, "2026-01-15"), ("weekly", .threeDays, 2, "2026-01-15"),
        ("weekly", .threeDays, 3, "2026-01-18"), ("weekly", .sixteenDays, 5, "2026-01-15"),
        ("weekly", .sixteenDays, 6, "2026-01-21"), ("weekly", .twentyEightDays, 5, "2026-01-15"),
        ("weekly", .twentyEightDays, 6, "2026-01-21"), ("weekly", nil, 1, "2026-01-16"),
        ("monthly", .threeDays, 2, "2026-03-01"), ("monthly", .threeDays, 3, "2026-03-04"),
        ("monthly", .sixteenDays, 2, "2026-03-01"), ("monthly", .sixteenDays, 15, "2026-03-01"),
        ("monthly", .sixteenDays, 16, "2026-03-17"), ("monthly", .twentyEightDays, 27, "2026-03-01"),
        ("monthly", .twentyEightDays, 28, "2026-04-01"), ("monthly", nil, 2, "2026-03-03"),
        ("monthly", .sixteenDays, 59, "2026-05-01"), ("monthly", nil, 59, "2026-05-01"),
        ("yearly", .threeDays, 2, "2028-01-01"), ("yearly", .sixteenDays, 15, "2028-01-01"),
        ("yearly", .sixteenDays, 16, "2028-01-17"), ("yearly", .twentyEightDays, 27, "2028-01-01"),
        ("yearly", .twentyEightDays, 28, "2028-01-29"), ("yearly", nil, 10, "2028-01-11"),
    ]

    private func failToRenew(_ product: String, _ grace: SimulatorBehavior.BillingGracePeriodDuration?) throws -> Date {
        store.behavior.shouldEnterBillingRetryOnRenewal = true
        store.behavior.billingGracePeriodIsEnabled = grace != nil
        store.behavior.billingGracePeriodDuration = grace ?? .sixteenDays
        buy(product)
        let end = try #require(store.allTransactions().last?.expirationDate)
        store.advance(to: end)
        return end
    }

    @Test(arguments: recoveries) func `a recovered payment continues the cycle in the grace period only`(
        recovery: Recovery
    ) throws {
        let end = try failToRenew(recovery.product, recovery.grace)
        let payment = end.addingTimeInterval(Double(recovery.day) * 86_400)
        store.advance(to: payment)
        let grace = recovery.grace.map { recovery.product == "weekly" ? min($0.rawValue, 6) : $0.rawValue } ?? 0
        expectEqual(
            store.allSubscriptionStatuses().first?.state, recovery.day < grace ? .inGracePeriod : .inBillingRetry)
        store.behavior.shouldEnterBillingRetryOnRenewal = false
        try store.resolveBillingIssue(of: recovery.product)
        expectEqual(
            periods.last, "\(recovery.product) \(Self.day(payment)) \(recovery.end)",
            "the purchase date is the day of the payment")
        expectEqual(store.allSubscriptionStatuses().first?.state, .subscribed)
        // The next period begins where this one ends.
        store.advance(to: try Date("\(recovery.end)T00:00:00Z", strategy: .iso8601))
        expectEqual(Self.day(store.allTransactions().last?.purchaseDate), recovery.end)
        expectEqual(store.allTransactions().count, 3)
    }

    @Test func `the retry of a day recovers in the grace period, too, and the day of the month stays`() throws {
        try advance(to: "2026-01-31")
        _ = try failToRenew("monthly", .sixteenDays)
        try advance(to: "2026-03-02")
        store.behavior.shouldEnterBillingRetryOnRenewal = false
        try advance(to: "2026-04-01")
        expectEqual(
            periods,
            ["monthly 2026-01-31 2026-02-28", "monthly 2026-03-03 2026-03-31", "monthly 2026-03-31 2026-04-30"])
    }

    @Test(arguments: SimulatorBehavior.BillingGracePeriodDuration.allCases)
    func `access ends with the grace period, and the retries after sixty days`(
        duration: SimulatorBehavior.BillingGracePeriodDuration
    ) throws {
        let end = try failToRenew("monthly", duration)
        let grace = end.addingTimeInterval(Double(duration.rawValue) * 86_400)
        expectEqual(store.allRenewals().first?.gracePeriodExpirationDate, grace)
        store.advance(to: grace.addingTimeInterval(-1))
        expectEqual(store.allSubscriptionStatuses().first?.state, .inGracePeriod)
        store.advance(to: grace)
        expectEqual(store.allSubscriptionStatuses().first?.state, .inBillingRetry)
        try advance(to: "2026-04-01")
        expectEqual(store.allSubscriptionStatuses().first?.state, .inBillingRetry)
        try advance(to: "2026-04-02")
        expectEqual(store.allSubscriptionStatuses().first?.state, .expired)
        expectEqual(store.allRenewals().first?.expirationReason, .billingError)
        expectEqual(periods.count, 1)
    }

    @Test func `a month of a commitment has no grace period, and a late payment moves the end of the commitment`()
        throws
    {
        store.behavior.billingGracePeriodIsEnabled = true
        try store.buyProduct(productID: "yearly", plan: .monthly)
        expectEqual(Self.day(store.allTransactions().last?.commitment?.expirationDate), "2027-01-01")
        store.behavior.shouldEnterBillingRetryOnRenewal = true
        try advance(to: "2026-02-11")
        expectEqual(store.allSubscriptionStatuses().first?.state, .inBillingRetry)
        try store.resolveBillingIssue(of: "yearly")
        expectEqual(periods.last, "yearly 2026-02-11 2026-03-11")
        expectEqual(Self.day(store.allTransactions().last?.commitment?.expirationDate), "2027-01-11")
    }

    @Test(arguments: [true, false]) func `a customer who cancels after a failed payment isn't charged again`(
        hasGracePeriod: Bool
    ) throws {
        _ = try failToRenew("monthly", hasGracePeriod ? .sixteenDays : nil)
        try store.disableAutoRenew(of: "monthly")
        store.behavior.shouldEnterBillingRetryOnRenewal = false
        try advance(to: "2026-02-03")
        expectEqual(store.allSubscriptionStatuses().first?.state, hasGracePeriod ? .inGracePeriod : .expired)
        try advance(to: "2026-02-17")
        expectEqual(store.allSubscriptionStatuses().first?.state, .expired)
        expectEqual(store.allRenewals().first?.expirationReason, .autoRenewDisabled)
        expectEqual(periods.count, 1)
    }
}

// Changes of the subscription, offers, refunds and the calendar.
extension DateTests {
    @Test(arguments: Engine.allCases) func `an upgrade begins immediately, and its period is whole`(engine: Engine)
        throws
    {
        buy("monthly", engine)
        try advance(to: "2026-01-11")
        buy("gold", engine)
        try advance(to: "2026-02-11")
        expectEqual(
            periods,
            ["monthly 2026-01-01 2026-02-01", "gold 2026-01-11 2026-02-11", "gold 2026-02-11 2026-03-11"])
        expectEqual(store.allTransactions().map(\.isUpgraded), [true, false, false])
        expectEqual(store.allTransactions().map { Self.day($0.revocationDate) }, ["2026-01-11", "never", "never"])
        expectEqual(Set(store.allTransactions().map(\.originalTransactionID)).count, 1)
    }

    @Test(arguments: Engine.allCases, ["basic", "yearly"])
    func `a downgrade, and an equal level with another period, begin at the next renewal`(
        engine: Engine, product: String
    ) throws {
        buy("monthly", engine)
        try advance(to: "2026-01-11")
        buy(product, engine)
        expectEqual(periods, ["monthly 2026-01-01 2026-02-01"])
        expectEqual(store.allRenewals().first?.autoRenewPreference, product)
        try advance(to: "2026-02-01")
        let end = product == "basic" ? "2026-03-01" : "2027-02-01"
        expectEqual(periods, ["monthly 2026-01-01 2026-02-01", "\(product) 2026-02-01 \(end)"])
    }

    @Test(arguments: Engine.allCases, [("monthly", "other", "2026-02-11"), ("yearly", "twelve", "2027-01-11")])
    func `an equal level with a period of the same length begins immediately`(
        engine: Engine, change: (from: String, to: String, end: String)
    ) throws {
        buy(change.from, engine)
        try advance(to: "2026-01-11")
        buy(change.to, engine)
        expectEqual(periods.last, "\(change.to) 2026-01-11 \(change.end)")
    }

    @Test(arguments: [false, true]) func `StoreKit 1 answers a later change with the transaction of the paid period`(
        reportsNew: Bool
    ) throws {
        store.behavior.laterChangesReportNewTransaction = reportsNew
        buy("gold", .storeKit1)
        let paid = try #require(store.allTransactions().first?.transactionID)
        try advance(to: "2026-01-11")
        observer.forget()
        buy("basic", .storeKit1)
        let answer = try #require(observer.updates.last { $0.state == .purchased })
        expectEqual(answer.payment.productID, "basic")
        expectEqual(answer.transactionID == paid, !reportsNew)
        expectEqual(Self.day(answer.transactionDate), reportsNew ? "2026-01-11" : "2026-01-01")
        observer.forget()
        try advance(to: "2026-02-01")
        expectEqual(observer.updates.last?.payment.productID, "basic")
        #expect(observer.updates.last?.transactionID != paid)
    }

    @Test(arguments: [
        ("free", ["trial 2026-01-01 2026-01-15", "trial 2026-01-15 2026-02-15"]),
        ("up front", ["trial 2026-01-01 2026-04-01", "trial 2026-04-01 2026-05-01"]),
        ("each", ["trial 2026-01-01 2026-02-01", "trial 2026-02-01 2026-03-01", "trial 2026-03-01 2026-04-01"]),
    ])
    func `an offer of a former subscriber begins immediately, and the full price follows`(
        offer: String, expected: [String]
    ) throws {
        buy("trial")
        try store.expireSubscription(productID: "trial")
        buy("trial", offer: offer)
        try advance(to: "2026-04-01")
        expectEqual(Array(periods.dropFirst().prefix(expected.count)), expected)
        let prices: [Decimal] =
            switch offer {
            case "free": [0, 10]
            case "up front": [5, 10]
            default: [4, 4, 10]
            }
        expectEqual(Array(store.allTransactions().map(\.price).dropFirst().prefix(expected.count)), prices)
    }

    @Test(
        arguments: Engine.allCases,
        [("up front", "2026-05-01", 5), ("each", "2026-03-01", 4), ("free", "2026-02-15", 0)])
    func `an offer of a current subscriber begins at the next renewal`(
        engine: Engine, offer: (id: String, end: String, price: Decimal)
    ) throws {
        buy("monthly", engine)
        try advance(to: "2026-01-11")
        buy("monthly", engine, offer: offer.id)
        expectEqual(store.allRenewals().first?.offer?.terms.id, offer.id)
        expectEqual(store.allRenewals().first?.renewalPrice, offer.price)
        try advance(to: "2026-02-01")
        expectEqual(periods.last, "monthly 2026-02-01 \(offer.end)")
        expectEqual(store.allTransactions().last?.price, offer.price)
        expectEqual(store.allTransactions().last?.offer?.terms.id, offer.id)
        try advance(to: offer.end)
        expectEqual(store.allTransactions().last?.price, offer.id == "each" ? 4 : 10)
        try advance(to: "2026-06-01")
        expectEqual(store.allTransactions().last?.price, 10)
        expectEqual(store.allTransactions().last?.offer, nil)
    }

    @Test func `canceling, or changing the subscription, drops an offer that hasn't begun`() throws {
        buy("monthly")
        buy("monthly", offer: "up front")
        buy("basic")
        expectEqual(store.allRenewals().first?.offer, nil)
        buy("monthly", offer: "up front")
        try store.disableAutoRenew(of: "monthly")
        try store.enableAutoRenew(of: "monthly")
        expectEqual(store.allRenewals().first?.offer, nil)
        try advance(to: "2026-02-01")
        expectEqual(store.allTransactions().last?.price, 10)
    }

    @Test(arguments: [nil, true, false] as [Bool?]) func `a price increase applies from the next renewal, with consent`(
        answer: Bool?
    ) throws {
        buy("monthly")
        try advance(to: "2026-01-11")
        try store.raisePrice(of: "monthly", to: 12)
        if let answer {
            try answer ? store.consentToPriceIncrease(of: "monthly") : store.declinePriceIncrease(of: "monthly")
        }
        expectEqual(store.allSubscriptionStatuses().first?.state, .subscribed)
        try advance(to: "2026-02-01")
        expectEqual(store.allTransactions().map(\.price), answer == true ? [10, 12] : [10])
        expectEqual(store.allSubscriptionStatuses().first?.state, answer == true ? .subscribed : .expired)
        let reason: SimulatedRenewal.ExpirationReason? =
            answer == true ? nil : answer == false ? .autoRenewDisabled : .didNotConsentToPriceIncrease
        expectEqual(store.allRenewals().first?.expirationReason, reason)
        #expect(throws: SimulatorError.self) { try store.declinePriceIncrease(of: "monthly") }
    }

    @Test(arguments: [
        ("monthly", "2026-01-29", ["2026-02-28", "2026-03-29"]),
        ("monthly", "2028-01-30", ["2028-02-29", "2028-03-30"]),
        ("monthly", "2026-08-31", ["2026-09-30", "2026-10-31", "2026-11-30"]),
        ("yearly", "2028-02-29", ["2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"]),
        ("weekly", "2026-03-27", ["2026-04-03", "2026-04-10"]),
    ])
    func `a period ends on its day, or on the last day of a shorter month, in UTC`(
        product: String, start: String, ends: [String]
    ) throws {
        try advance(to: start)
        buy(product)
        for end in ends.dropLast() { try advance(to: end) }
        expectEqual(
            store.allTransactions().map { $0.expirationDate?.formatted(.iso8601) }, ends.map { "\($0)T00:00:00Z" })
    }
}
