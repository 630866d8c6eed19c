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

    private let appStore: SimulatedAppStore
    private let store: PurchaseStore

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
    private func subscribe(
        _ productID: String = "pro", _ options: PurchaseOptions = [.billingPlan(.monthly)]
    ) async throws -> SignedTransactionInfo {
        let outcome = try await store.purchase(productID, options: options) { _ in }
        guard case .success(let purchase) = outcome else { throw StoreError(.unknown, "\(outcome)") }
        appStore.advance(by: 3_600)
        return try #require(purchase.transaction.signedInfo)
    }

    private func pass(_ period: SimulatedPeriod) async -> StoreEntitlements {
        appStore.advance(by: period)
        return await store.entitlements.refresh()
    }

    private func date(_ month: Int, _ day: Int = 1, year: Int = 2026) -> Date? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
        return calendar.date(from: DateComponents(year: year, month: month, day: day))
    }

    // Products.

    @Test func `a product has the prices of both plans, and its own price stays the price of a year`() async throws {
        let product = try #require(try await store.products(for: ["pro"])["pro"])
        expectEqual(product.price, 60)
        expectEqual(product.billingPlans.map(\.plan), [.upFront, .monthly])
        let upFront = try #require(product.terms(of: .upFront))
        expectEqual(upFront.billingPrice, 60)
        expectEqual(upFront.billingPeriod, StoreSubscriptionPeriod(value: 1, unit: .year))
        expectEqual(upFront.commitment.price, 60)
        expectEqual(upFront.offers.map(\.id), ["half", "back"])
        let monthly = try #require(product.terms(of: .monthly))
        expectEqual(monthly.billingPrice, 6)
        expectEqual(monthly.billingDisplayPrice, Decimal(6).formattedPrice(in: product.priceLocale))
        expectEqual(monthly.billingPeriod, StoreSubscriptionPeriod(value: 1, unit: .month))
        expectEqual(monthly.commitment.price, 72)
        expectEqual(monthly.commitment.displayPrice, Decimal(72).formattedPrice(in: product.priceLocale))
        expectEqual(monthly.commitment.period, StoreSubscriptionPeriod(value: 1, unit: .year))
        expectEqual(monthly.offers.map(\.id), ["half.monthly", "back.monthly"])
        expectEqual(monthly.offers.map(\.kind), [.promotional, .winBack])
    }

    @Test func `a monthly subscription has the up-front plan only, and other products have no plans`() async throws {
        let products = try await store.products(for: ["lite", "lifetime"])
        expectEqual(products["lite"]?.billingPlans.map(\.plan), [.upFront])
        expectEqual(products["lifetime"]?.billingPlans, [])
    }

    @Test(arguments: ["USA", "SGP"])
    func `a storefront without the plan refuses the purchase before StoreKit is asked`(storefront: String) async throws
    {
        let world = CommitmentTests(SimulatorBehavior(), storefront: storefront)
        let product = try #require(try await world.store.products(for: ["pro"])["pro"])
        expectEqual(product.billingPlans.map(\.plan), [.upFront])
        let error = await #expect(throws: StoreError.self) { try await world.subscribe() }
        expectEqual(error?.code, .billingPlanUnavailable)
        #expect(world.appStore.allTransactions().isEmpty)
    }

    @Test func `after a move to a storefront without the plan, the plan is refused`() async throws {
        _ = try await store.products(for: ["pro"])
        let changes = StreamListener(store.storefrontChanges)
        appStore.storefront = .unitedStates
        expectEqual(try await changes.next()?.countryCode, "USA")
        _ = try await store.products(for: ["pro"])
        let error = await #expect(throws: StoreError.self) { try await subscribe() }
        expectEqual(error?.code, .billingPlanUnavailable)
        #expect(appStore.allTransactions().isEmpty)
    }

    @Test func `StoreKit 1 has no plans, refuses the monthly plan, and bills up front`() async throws {
        let world = CommitmentTests(SimulatorBehavior(), engine: .storeKit1)
        expectEqual(try await world.store.products(for: ["pro"])["pro"]?.billingPlans, [])
        let error = await #expect(throws: StoreError.self) {
            try await world.store.purchase("pro", options: [.billingPlan(.monthly)])
        }
        expectEqual(error?.code, .billingPlanUnavailable)
        #expect(world.appStore.allTransactions().isEmpty)
        try await world.store.purchase("pro", options: [.billingPlan(.upFront)]) { _ in }
        expectEqual(world.appStore.allTransactions().map(\.price), [60])
    }

    @Test(arguments: ["lite", "lifetime"])
    func `a product without the plan refuses it`(productID: String) async throws {
        let error = await #expect(throws: StoreError.self) { try await subscribe(productID) }
        expectEqual(error?.code, .billingPlanUnavailable)
        #expect(appStore.allTransactions().isEmpty)
    }

    @Test(arguments: [PurchaseOptions(), [.billingPlan(.upFront)]])
    func `without the monthly plan, the whole year is paid at once`(options: PurchaseOptions) async throws {
        let info = try await subscribe("pro", options)
        expectEqual(info.billingPlan, .upFront)
        expectEqual(info.commitment, nil)
        expectEqual(info.price, 60)
        expectEqual(info.expirationDate, date(1, year: 2027))
        let entitlement = try #require(await store.entitlements.refresh()["pro"])
        expectEqual(entitlement.commitment, nil)
        expectEqual(entitlement.renewal?.commitment, nil)
        expectEqual(entitlement.renewal?.changeDate, nil)
    }

    // A commitment from month 1 to the next one.

    @Test func `every month is a transaction that gives access for a month, and the commitment renews`() async throws {
        let first = try await subscribe()
        expectEqual(first.billingPlan, .monthly)
        expectEqual(first.price, 6)
        expectEqual(first.commitment?.billingPeriodNumber, 1)
        expectEqual(first.commitment?.totalBillingPeriods, 12)
        expectEqual(first.commitment?.price, 72)
        expectEqual(first.commitment?.expirationDate, date(1, year: 2027))
        expectEqual(first.expirationDate, date(2))
        var entitlements = await store.entitlements.refresh()
        for month in 1...13 {
            let entitlement = try #require(entitlements["pro"])
            expectEqual(entitlement.state, .subscribed)
            expectEqual(entitlement.accessEndDate, month < 12 ? date(month + 1) : date(month - 11, year: 2027))
            let isRenewed = month == 13
            expectEqual(entitlement.commitment?.billingPeriodNumber, isRenewed ? 1 : Int64(month))
            expectEqual(entitlement.commitment?.expirationDate, date(1, year: isRenewed ? 2028 : 2027))
            expectEqual(entitlement.renewal?.willRenew, true)
            expectEqual(entitlement.renewal?.commitment?.willAutoRenew, true)
            expectEqual(entitlement.renewal?.commitment?.renewalDate, entitlement.commitment?.expirationDate)
            expectEqual(entitlement.renewal?.commitment?.renewalPrice, 72)
            expectEqual(entitlement.renewal?.price, 6)
            expectEqual(entitlement.renewal?.billingPlan, .monthly)
            expectEqual(entitlement.renewal?.changeDate, nil)
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
            let entitlement = try #require(entitlements["pro"])
            #expect(entitlement.isEntitled)
            expectEqual(entitlement.commitment?.billingPeriodNumber, Int64(month))
            expectEqual(entitlement.renewal?.willRenew, month < 12)
            expectEqual(entitlement.renewal?.commitment?.willAutoRenew, false)
            expectEqual(entitlement.renewal?.changeDate, date(1, year: 2027))
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
        let entitlement = try #require(await pass(.months(12))["pro"])
        #expect(entitlement.isEntitled)
        expectEqual(entitlement.commitment?.billingPeriodNumber, 1)
    }

    // Billing problems.

    @Test func `a billing problem ends access at once, without a grace period, and the dates move when it's solved`()
        async throws
    {
        appStore.behavior.billingGracePeriodIsEnabled = true
        try await subscribe()
        _ = await pass(.month(1))
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        var entitlement = try #require(await pass(.month(1))["pro"])
        expectEqual(appStore.allRenewals().first?.gracePeriodExpirationDate, nil)
        entitlement = try #require(await pass(.days(70))["pro"])
        expectEqual(entitlement.state, .inBillingRetryPeriod)
        #expect(!entitlement.isEntitled)
        expectEqual(entitlement.commitment?.billingPeriodNumber, 2)
        appStore.behavior.shouldEnterBillingRetryOnRenewal = false
        let recovery = appStore.now
        #expect(recovery > (date(5, 10) ?? .distantFuture))
        try appStore.resolvePurchase(of: "pro")
        entitlement = try #require(await store.entitlements.refresh()["pro"])
        #expect(entitlement.isEntitled)
        expectEqual(entitlement.commitment?.billingPeriodNumber, 3)
        expectEqual(entitlement.accessEndDate, date(6, 10)?.addingTimeInterval(3_600))
        expectEqual(entitlement.commitment?.expirationDate, date(3, 10, year: 2027)?.addingTimeInterval(3_600))
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
        var entitlement = try #require(await store.entitlements.refresh()["pro"])
        expectEqual(entitlement.state, .subscribed)
        expectEqual(entitlement.revocationType, nil)
        expectEqual(entitlement.commitment?.billingPeriodNumber, 3)
        entitlement = try #require(await pass(.month(1))["pro"])
        #expect(entitlement.isEntitled)
        expectEqual(entitlement.commitment?.billingPeriodNumber, 4)
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
        let upgrade = appStore.now
        let info = try await subscribe("max")
        expectEqual(info.commitment?.billingPeriodNumber, 1)
        expectEqual(info.commitment?.price, 132)
        let entitlements = await store.entitlements.refresh()
        expectEqual(entitlements.productIDs, ["max"])
        expectEqual(entitlements["pro"]?.state, .upgraded)
        expectEqual(upgrade, date(3)?.addingTimeInterval(3_600))
        expectEqual(entitlements["max"]?.commitment?.expirationDate, date(3, year: 2027)?.addingTimeInterval(3_600))
    }

    @Test func `a downgrade takes effect after the whole commitment`() async throws {
        try await subscribe()
        _ = await pass(.months(2))
        _ = try await store.purchase("lite")
        var entitlement = try #require(await store.entitlements.refresh()["pro"])
        expectEqual(entitlement.renewal?.productID, "pro")
        expectEqual(entitlement.renewal?.willRenew, true)
        expectEqual(entitlement.renewal?.commitment?.autoRenewPreference, "lite")
        expectEqual(entitlement.renewal?.commitment?.renewalPrice, 2)
        expectEqual(entitlement.renewal?.changeDate, date(1, year: 2027))
        entitlement = try #require(await pass(.months(9))["pro"])
        expectEqual(entitlement.commitment?.billingPeriodNumber, 12)
        expectEqual(entitlement.renewal?.productID, "lite")
        let entitlements = await pass(.month(1))
        expectEqual(entitlements.productIDs, ["lite"])
        expectEqual(entitlements["lite"]?.commitment, nil)
        expectEqual(entitlements["lite"]?.accessEndDate, date(2, year: 2027))
    }

    @Test func `a switch to the up-front plan takes effect after the commitment`() async throws {
        try await subscribe()
        try appStore.changeBillingPlan(of: "pro", to: .upFront)
        var entitlement = try #require(await store.entitlements.refresh()["pro"])
        expectEqual(entitlement.renewal?.billingPlan, .monthly)
        expectEqual(entitlement.renewal?.commitment?.renewalBillingPlan, .upFront)
        expectEqual(entitlement.renewal?.commitment?.renewalPrice, 60)
        expectEqual(entitlement.renewal?.changeDate, date(1, year: 2027))
        entitlement = try #require(await pass(.months(12))["pro"])
        expectEqual(entitlement.billingPlan, .upFront)
        expectEqual(entitlement.commitment, nil)
        expectEqual(entitlement.accessEndDate, date(1, year: 2028))
        expectEqual(appStore.allTransactions().last?.price, 60)
    }

    @Test func `a switch to the monthly plan takes effect at the renewal`() async throws {
        try await subscribe("pro", [.billingPlan(.upFront)])
        try appStore.changeBillingPlan(of: "pro", to: .monthly)
        var entitlement = try #require(await store.entitlements.refresh()["pro"])
        expectEqual(entitlement.renewal?.billingPlan, .monthly)
        expectEqual(entitlement.renewal?.price, 6)
        expectEqual(entitlement.renewal?.changeDate, date(1, year: 2027))
        entitlement = try #require(await pass(.year(1))["pro"])
        expectEqual(entitlement.commitment?.billingPeriodNumber, 1)
        expectEqual(entitlement.accessEndDate, date(2, year: 2027))
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

    // Offers.

    @Test func `an offer is resolved among the offers of the plan`() async throws {
        try await subscribe("lite", PurchaseOptions())
        try appStore.expireSubscription(productID: "lite")
        for (plan, offer) in [(BillingPlan.monthly, "half"), (.upFront, "half.monthly")] {
            let options = PurchaseOptions(offer: .promotional(id: offer, jws: "a.e30.c"), billingPlan: plan)
            let error = await #expect(throws: StoreError.self) { try await subscribe("pro", options) }
            expectEqual(error?.code, .invalidOfferIdentifier)
        }
        let options = PurchaseOptions(offer: .promotional(id: "half.monthly", jws: "a.e30.c"), billingPlan: .monthly)
        let info = try await subscribe("pro", options)
        expectEqual(info.offer?.id, "half.monthly")
        expectEqual(info.price, 3)
        expectEqual(info.commitment?.billingPeriodNumber, 1)
        _ = await pass(.months(2))
        expectEqual(appStore.allTransactions().suffix(3).map(\.price), [3, 3, 6])
        expectEqual(appStore.allTransactions().suffix(3).map { $0.commitment?.billingPeriodNumber }, [1, 2, 3])
    }

    @Test func `a win-back offer belongs to its plan`() async throws {
        try await subscribe("pro", [.billingPlan(.upFront)])
        try appStore.disableAutoRenew(of: "pro")
        expectEqual(await pass(.year(1))["pro"]?.renewal?.eligibleWinBackOfferIDs, ["back", "back.monthly"])
        let refused = PurchaseOptions(offer: .winBack(id: "back"), billingPlan: .monthly)
        let error = await #expect(throws: StoreError.self) { try await subscribe("pro", refused) }
        expectEqual(error?.code, .invalidOfferIdentifier)
        let info = try await subscribe(
            "pro", PurchaseOptions(offer: .winBack(id: "back.monthly"), billingPlan: .monthly))
        expectEqual(info.offer?.id, "back.monthly")
        expectEqual(info.price, 4)
        let entitlement = try #require(await store.entitlements.refresh()["pro"])
        expectEqual(entitlement.commitment?.billingPeriodNumber, 1)
    }

    @Test func `the introductory offer of a plan comes with the plan only`() async throws {
        let info = try await subscribe("trial")
        expectEqual(info.offer?.kind, .introductory)
        expectEqual(info.price, 0)
        expectEqual(info.expirationDate, date(1, 8))
        let entitlement = try #require(await pass(.months(1))["trial"])
        expectEqual(entitlement.accessEndDate, date(2, 8))
        expectEqual(entitlement.commitment?.billingPeriodNumber, 2)
        let other = CommitmentTests()
        expectEqual(try await other.subscribe("trial", PurchaseOptions()).offer, nil)
    }

    @Test func `an offer code belongs to its plan`() async throws {
        let listener = StreamListener(store.transactions)
        #expect(throws: SimulatorError.self) { try appStore.redeemOfferCode("gift.monthly", for: "pro") }
        try appStore.redeemOfferCode("gift.monthly", for: "pro", plan: .monthly)
        let info = try #require(try await listener.next()?.transaction.signedInfo)
        expectEqual(info.offer?.kind, .offerCode)
        expectEqual(info.commitment?.billingPeriodNumber, 1)
    }
}
