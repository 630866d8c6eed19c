import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// A yearly subscription that is paid monthly, with a commitment of twelve months.
@Suite(.bounded) struct CommitmentTests {
    static let products: [SimulatedProduct] = [
        .autoRenewable("lite", price: 2, period: .month(1), group: "club", level: 3),
        .autoRenewable(
            "pro", price: 60, period: .year(1), group: "club", level: 2,
            promotionalOffers: [.payUpFront(30, for: .year(1), id: "half")],
            winBackOffers: [.payUpFront(40, for: .year(1), id: "back")],
            monthlyPlan: SimulatedMonthlyPlan(
                price: 6, commitmentPrice: 72,
                promotionalOffers: [.payAsYouGo(3, each: .month(1), times: 2, id: "half.monthly")],
                winBackOffers: [.payAsYouGo(4, each: .month(1), times: 3, id: "back.monthly")],
                codeOffers: [.freeTrial(.month(1), id: "gift.monthly")])),
        .autoRenewable("max", price: 120, period: .year(1), group: "club", level: 1, monthlyPlan: .monthly(11)),
        .autoRenewable(
            "trial", price: 60, period: .year(1), group: "trial",
            monthlyPlan: SimulatedMonthlyPlan(price: 6, commitmentPrice: 72, introductoryOffer: .freeTrial(.week(1)))),
        .nonConsumable("lifetime", price: 200),
    ]

    let appStore: SimulatedAppStore
    let store: PurchaseStore

    init() {
        self.init(SimulatorBehavior())
    }

    private init(_ behavior: SimulatorBehavior, engine: StoreEngine = .storeKit2, storefront: String = "DEU") {
        appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(
                products: Self.products,
                storefront: SimulatedStorefront(countryCode: storefront) ?? .unitedStates, localeIdentifier: "de_DE",
                behavior: behavior))
        store = PurchaseStore(simulating: appStore, engine: engine)
    }

    /// Buys, and lets an hour pass, because the store doesn't trust the device's answer at once when a period ends.
    @discardableResult
    func subscribe(
        _ productID: String = "pro", _ options: PurchaseOptions = [.billingPlan(.monthly)]
    ) async throws -> SignedTransactionInfo {
        let outcome = try await store.purchase(productID, options: options) { _ in }
        guard case .success(let purchase) = outcome else { throw StoreError(.unknown, "\(outcome)") }
        appStore.advance(by: 3_600)
        return try #require(purchase.transaction.signedInfo)
    }

    func pass(_ period: SimulatedPeriod) async -> StoreEntitlements {
        appStore.advance(by: period)
        return await store.entitlements.refresh()
    }

    /// Describes the terms of a transaction: its plan, its price, the month of its commitment, and when the period and
    /// the commitment end.
    func terms(_ info: SignedTransactionInfo) -> String {
        let commitment = info.commitment.map {
            " month \($0.billingPeriodNumber)/\($0.totalBillingPeriods) of \($0.price) to \(day($0.expirationDate))"
        }
        return "\(name(info.billingPlan)) \(info.price.map { "\($0)" } ?? "-") to \(day(info.expirationDate))"
            + (commitment ?? "")
    }

    /// Describes an entitlement, what the next payment is for, and what follows the commitment.
    func words(_ entitlements: StoreEntitlements, _ productID: String = "pro") -> String {
        guard let entitlement = entitlements[productID] else { return "none" }
        let commitment = entitlement.commitment.map { " month \($0.billingPeriodNumber) to \(day($0.expirationDate))" }
        let access = "\(entitlement.state) to \(day(entitlement.accessEndDate))\(commitment ?? "")"
        guard let renewal = entitlement.renewal else { return access }
        let price = renewal.price.map { " \($0)" } ?? ""
        let payment = "\(renewal.productID ?? "-") \(name(renewal.billingPlan))\(price)"
        let next = renewal.willRenew == true ? payment : "nothing"
        let change = renewal.changeDate.map { ", changes \(day($0))" } ?? ""
        guard let later = renewal.commitment else { return "\(access), then \(next)\(change)" }
        let following =
            later.willAutoRenew
            ? "\(later.autoRenewPreference) \(name(later.renewalBillingPlan)) \(later.renewalPrice)" : "nothing"
        return "\(access), then \(next), after \(day(later.renewalDate)) \(following)\(change)"
    }

    private func name(_ plan: BillingPlan?) -> String {
        plan == .monthly ? "monthly" : plan == .upFront ? "yearly" : "-"
    }

    private func day(_ date: Date?) -> String { date?.formatted(.iso8601.year().month().day()) ?? "-" }

    // Products.

    @Test func `a product has the prices of both plans, and its own price stays the price of a year`() async throws {
        let product = try #require(try await store.products(for: ["pro"])["pro"])
        expectEqual(product.price, 60)
        expectEqual(product.billingPlans.map(\.plan), [.upFront, .monthly])
        let plans = product.billingPlans.map { plan in
            let year = "\(plan.commitment.price) in \(plan.commitment.period.value) \(plan.commitment.period.unit)"
            let offers = plan.offers.compactMap(\.id).joined(separator: " ")
            return
                "\(plan.billingPrice) every \(plan.billingPeriod.value) \(plan.billingPeriod.unit), \(year), \(offers)"
        }
        expectEqual(
            plans,
            ["60 every 1 year, 60 in 1 year, half back", "6 every 1 month, 72 in 1 year, half.monthly back.monthly"])
        let monthly = try #require(product.terms(of: .monthly))
        expectEqual(monthly.billingDisplayPrice, Decimal(6).formattedPrice(in: product.priceLocale))
        expectEqual(monthly.commitment.displayPrice, Decimal(72).formattedPrice(in: product.priceLocale))
        expectEqual(monthly.offers.map(\.kind), [.promotional, .winBack])
    }

    @Test(arguments: [("USA", "pro"), ("SGP", "pro"), ("DEU", "lite"), ("DEU", "lifetime")])
    func `a storefront or a product without the plan refuses the purchase before StoreKit is asked`(
        storefront: String, productID: String
    ) async throws {
        let world = CommitmentTests(SimulatorBehavior(), storefront: storefront)
        let product = try #require(try await world.store.products(for: [productID])[productID])
        expectEqual(product.billingPlans.map(\.plan), productID == "lifetime" ? [] : [.upFront])
        await expectError(\StoreError.code, .billingPlanUnavailable) { try await world.subscribe(productID) }
        #expect(world.appStore.allTransactions().isEmpty)
    }

    @Test func `after a move to a storefront without the plan, the plan is refused`() async throws {
        _ = try await store.products(for: ["pro"])
        let changes = StreamListener(store.storefrontChanges)
        appStore.storefront = .unitedStates
        expectEqual(try await changes.next()?.countryCode, "USA")
        _ = try await store.products(for: ["pro"])
        await expectError(\StoreError.code, .billingPlanUnavailable) { try await subscribe() }
        #expect(appStore.allTransactions().isEmpty)
    }

    @Test func `StoreKit 1 has no plans, refuses the monthly plan, and bills up front`() async throws {
        let world = CommitmentTests(SimulatorBehavior(), engine: .storeKit1)
        expectEqual(try await world.store.products(for: ["pro"])["pro"]?.billingPlans, [])
        await expectError(\StoreError.code, .billingPlanUnavailable) {
            try await world.store.purchase("pro", options: [.billingPlan(.monthly)])
        }
        #expect(world.appStore.allTransactions().isEmpty)
        try await world.store.purchase("pro", options: [.billingPlan(.upFront)]) { _ in }
        expectEqual(world.appStore.allTransactions().map(\.price), [60])
    }

    @Test(arguments: [PurchaseOptions(), [.billingPlan(.upFront)]])
    func `without the monthly plan, the whole year is paid at once`(options: PurchaseOptions) async throws {
        expectEqual(terms(try await subscribe("pro", options)), "yearly 60 to 2027-01-01")
        expectEqual(words(await store.entitlements.refresh()), "subscribed to 2027-01-01, then pro yearly 60")
    }

    // A commitment from month 1 to the next one.

    @Test func `every month is a transaction that gives access for a month, and the commitment renews`() async throws {
        expectEqual(terms(try await subscribe()), "monthly 6 to 2026-02-01 month 1/12 of 72 to 2027-01-01")
        var entitlements = await store.entitlements.refresh()
        for month in 1...13 {
            let next = String(format: month < 12 ? "2026-%02d-01" : "2027-%02d-01", month % 12 + 1)
            let (number, end) = month == 13 ? (1, "2028-01-01") : (month, "2027-01-01")
            expectEqual(
                words(entitlements),
                "subscribed to \(next) month \(number) to \(end), then pro monthly 6, after \(end) pro monthly 72")
            entitlements = await pass(.month(1))
        }
        expectEqual(Set(appStore.allTransactions().map(\.originalTransactionID)).count, 1)
    }

    @Test(arguments: [true, false])
    func `a canceled commitment is paid to its end, and ends then`(outerFlagStaysTrue: Bool) async throws {
        appStore.behavior.canceledCommitmentAutoRenewsInLastPeriod = outerFlagStaysTrue
        try await subscribe()
        _ = await pass(.months(3))
        try appStore.disableAutoRenew(of: "pro")
        var entitlements = await store.entitlements.refresh()
        for month in 4...12 {
            let next = String(format: month < 12 ? "2026-%02d-01" : "2027-%02d-01", month % 12 + 1)
            let payment = month < 12 ? "pro monthly 6" : "nothing"
            expectEqual(
                words(entitlements),
                "subscribed to \(next) month \(month) to 2027-01-01, then \(payment), "
                    + "after 2027-01-01 nothing, changes 2027-01-01")
            expectEqual(appStore.allRenewals().first?.willAutoRenew, month < 12 || outerFlagStaysTrue)
            entitlements = await pass(.month(1))
        }
        entitlements = await pass(.day(1))
        expectEqual(entitlements["pro"]?.state, .expired)
        expectEqual(entitlements["pro"]?.renewal?.willRenew, false)
        expectEqual(appStore.allTransactions().count, 12)
    }

    @Test func `a canceled commitment that is turned on again renews`() async throws {
        try await subscribe()
        try appStore.disableAutoRenew(of: "pro")
        try appStore.enableAutoRenew(of: "pro")
        expectEqual(
            words(await pass(.months(12))),
            "subscribed to 2027-02-01 month 1 to 2028-01-01, then pro monthly 6, after 2028-01-01 pro monthly 72")
    }

    // Billing problems.

    @Test func `a billing problem ends access at once, without a grace period, and the dates move when it's solved`()
        async throws
    {
        appStore.behavior.billingGracePeriodIsEnabled = true
        try await subscribe()
        _ = await pass(.month(1))
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        _ = await pass(.month(1))
        expectEqual(appStore.allRenewals().first?.gracePeriodExpirationDate, nil)
        let unpaid = await pass(.days(70))
        expectEqual(unpaid["pro"]?.state, .inBillingRetryPeriod)
        #expect(!unpaid.contains("pro"))
        expectEqual(unpaid["pro"]?.commitment?.billingPeriodNumber, 2)
        appStore.behavior.shouldEnterBillingRetryOnRenewal = false
        expectEqual(day(appStore.now), "2026-05-10")
        try appStore.resolvePurchase(of: "pro")
        expectEqual(
            words(await store.entitlements.refresh()),
            "subscribed to 2026-06-10 month 3 to 2027-03-10, then pro monthly 6, after 2027-03-10 pro monthly 72")
    }

    @Test func `after 90 days without a payment, the commitment ends`() async throws {
        try await subscribe()
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        _ = await pass(.month(1))
        expectEqual(await pass(.days(89))["pro"]?.state, .inBillingRetryPeriod)
        let entitlement = try #require(await pass(.days(2))["pro"])
        expectEqual(entitlement.state, .expired)
        expectEqual(entitlement.renewal?.commitment, nil)
        expectEqual(appStore.allSubscriptionStatuses().first?.renewal.expirationReason, .billingError)
    }

    @Test func `a subscription that is paid up front still has 60 days, and its grace period`() async throws {
        appStore.behavior.billingGracePeriodIsEnabled = true
        try await subscribe("pro", [.billingPlan(.upFront)])
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        expectEqual(await pass(.year(1))["pro"]?.state, .inGracePeriod)
        expectEqual(await pass(.days(61))["pro"]?.state, .expired)
    }

    // Refunds.

    @Test func `a refund of the current month ends the commitment`() async throws {
        try await subscribe()
        _ = await pass(.months(2))
        try appStore.refund("pro", percentage: 40)
        let entitlement = try #require(await store.entitlements.refresh()["pro"])
        expectEqual(entitlement.state, .revoked)
        expectEqual(entitlement.revocationType, .proratedRefund)
        expectEqual(entitlement.revocationPercentage, 40)
        expectEqual(await pass(.months(2))["pro"]?.state, .revoked)
        expectEqual(appStore.allTransactions().count, 3)
    }

    @Test func `a refund of an earlier month leaves the commitment as it is`() async throws {
        try await subscribe()
        _ = await pass(.months(2))
        try appStore.refundTransaction(id: try #require(appStore.allTransactions().first).id)
        let entitlements = await store.entitlements.refresh()
        let later = "to 2027-01-01, then pro monthly 6, after 2027-01-01 pro monthly 72"
        expectEqual(words(entitlements), "subscribed to 2026-04-01 month 3 \(later)")
        expectEqual(entitlements["pro"]?.revocationType, nil)
        expectEqual(words(await pass(.month(1))), "subscribed to 2026-05-01 month 4 \(later)")
    }

    @Test(arguments: [nil, 25] as [Decimal?])
    func `a revocation says how much was refunded`(percentage: Decimal?) async throws {
        let listener = StreamListener(store.revocations)
        try await subscribe("lifetime", PurchaseOptions())
        _ = await store.entitlements.refresh()
        try appStore.refund("lifetime", percentage: percentage)
        let revocation = try #require(try await listener.next())
        let info = try #require(revocation.transactions.first?.signedInfo)
        expectEqual(info.revocationType, percentage == nil ? .fullRefund : .proratedRefund)
        expectEqual(info.revocationPercentage, percentage)
        let entitlement = try #require(await store.entitlements.refresh()["lifetime"])
        expectEqual(entitlement.revocationType, info.revocationType)
        expectEqual(entitlement.revocationPercentage, percentage)
    }

    // Other products and plans.

    @Test func `an upgrade takes effect at once and ends the commitment`() async throws {
        try await subscribe()
        _ = await pass(.months(2))
        expectEqual(terms(try await subscribe("max")), "monthly 11 to 2026-04-01 month 1/12 of 132 to 2027-03-01")
        let entitlements = await store.entitlements.refresh()
        expectEqual(entitlements.productIDs, ["max"])
        expectEqual(entitlements["pro"]?.state, .upgraded)
    }

    @Test func `a downgrade takes effect after the whole commitment`() async throws {
        try await subscribe()
        _ = await pass(.months(2))
        _ = try await store.purchase("lite")
        let later = "to 2027-01-01, then pro monthly 6, after 2027-01-01 lite yearly 2, changes 2027-01-01"
        expectEqual(words(await store.entitlements.refresh()), "subscribed to 2026-04-01 month 3 \(later)")
        expectEqual(
            words(await pass(.months(9))),
            "subscribed to 2027-01-01 month 12 to 2027-01-01, then lite yearly 2, after 2027-01-01 lite yearly 2, "
                + "changes 2027-01-01")
        let entitlements = await pass(.month(1))
        expectEqual(entitlements.productIDs, ["lite"])
        expectEqual(words(entitlements, "lite"), "subscribed to 2027-02-01, then lite yearly 2")
    }

    @Test func `a switch to the up-front plan takes effect after the commitment`() async throws {
        try await subscribe()
        try appStore.changeBillingPlan(of: "pro", to: .upFront)
        expectEqual(
            words(await store.entitlements.refresh()),
            "subscribed to 2026-02-01 month 1 to 2027-01-01, then pro monthly 6, after 2027-01-01 pro yearly 60, "
                + "changes 2027-01-01")
        let entitlements = await pass(.months(12))
        expectEqual(words(entitlements), "subscribed to 2028-01-01, then pro yearly 60")
        expectEqual(entitlements["pro"]?.billingPlan, .upFront)
        expectEqual(appStore.allTransactions().last?.price, 60)
    }

    @Test func `a switch to the monthly plan takes effect at the renewal`() async throws {
        try await subscribe("pro", [.billingPlan(.upFront)])
        try appStore.changeBillingPlan(of: "pro", to: .monthly)
        expectEqual(
            words(await store.entitlements.refresh()),
            "subscribed to 2027-01-01, then pro monthly 6, changes 2027-01-01")
        expectEqual(
            words(await pass(.year(1))),
            "subscribed to 2027-02-01 month 1 to 2028-01-01, then pro monthly 6, after 2028-01-01 pro monthly 72")
    }

    @Test func `a storefront without the plan offers no switch to it`() async throws {
        try await subscribe("pro", [.billingPlan(.upFront)])
        appStore.storefront = .unitedStates
        #expect(throws: SimulatorError.self) { try appStore.changeBillingPlan(of: "pro", to: .monthly) }
    }

    @Test func `a price increase that waits for consent ends the commitment only when it's over`() async throws {
        try await subscribe()
        try appStore.raisePrice(of: "pro", to: 90)
        let entitlement = try #require(await pass(.months(11))["pro"])
        #expect(entitlement.isEntitled)
        expectEqual(entitlement.renewal?.isPriceIncreasePending, true)
        _ = await pass(.month(1))
        expectEqual(await pass(.day(1))["pro"]?.state, .expired)
        expectEqual(appStore.allSubscriptionStatuses().first?.renewal.expirationReason, .didNotConsentToPriceIncrease)
    }
}
