import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

/// The terms that a button shows before the customer agrees to pay.
@Suite(.bounded) @MainActor struct PurchaseTermsTests {
    private struct Row: Sendable {
        let productID: String
        var options: PurchaseOptions = []
        let new: String?
        let former: String?
    }

    /// For a customer who has bought nothing, and for one who has used every introductory offer.
    private nonisolated static let rows = [
        Row(productID: "coins", new: "£0.99", former: "£0.99"),
        Row(productID: "coins", options: [.quantity(3)], new: "£2.97", former: "£2.97"),
        Row(productID: "pro", new: "£24.99", former: "£24.99"),
        Row(productID: "season", new: "£3.00", former: "£3.00"),
        Row(productID: "club.monthly", new: "1 week free, then £4.99 per month", former: "£4.99 per month"),
        Row(productID: "club.yearly", new: "1 week free, then £39.99 per year", former: "£39.99 per year"),
        Row(
            productID: "club.yearly", options: [.billingPlan(.upFront)], new: "1 week free, then £39.99 per year",
            former: "£39.99 per year"),
        Row(
            productID: "club.yearly", options: [.billingPlan(.monthly)],
            new: "1 week free, then £3.99 per month for 12 months (£47.88 in total)",
            former: "£3.99 per month for 12 months (£47.88 in total)"),
        Row(productID: "club.monthly", options: [.billingPlan(.monthly)], new: nil, former: nil),
        Row(
            productID: "news.weekly", new: "£0.99 per week for 4 weeks, then £1.99 per week", former: "£1.99 per week"),
        Row(
            productID: "maps.quarterly", new: "£2.99 for 2 months, then £8.99 every 3 months",
            former: "£8.99 every 3 months"),
        // The server determines eligibility for the introductory offer: the app doesn't promise it.
        Row(
            productID: "club.monthly", options: [.introductoryOfferEligibility(jws: "signed")], new: "£4.99 per month",
            former: "£4.99 per month"),
        Row(
            productID: "club.monthly", options: [.offer(.winBack(id: "back"))],
            new: "£1.99 for 3 months, then £4.99 per month", former: "£1.99 for 3 months, then £4.99 per month"),
        Row(
            productID: "club.monthly", options: [.offer(.winBack(id: "unknown"))], new: "£4.99 per month",
            former: "£4.99 per month"),
    ]

    @Test func `the terms name the price, the period, the commitment, and an offer only if the customer is eligible`()
        async throws
    {
        let new = PaywallFixture()
        try await new.load()
        let former = PaywallFixture()
        for productID in ["club.monthly", "news.weekly", "maps.quarterly"] {
            try await former.store.purchase(productID) { _ in }
        }
        try await former.load()
        for row in Self.rows {
            expectEqual(new.terms(row.productID, row.options), row.new, "\(row.productID), new")
            expectEqual(former.terms(row.productID, row.options), row.former, "\(row.productID), former")
        }
    }

    @Test
    func `an offer isn't shown before it's known that the customer is eligible, nor over an engine that doesn't say`()
        async throws
    {
        let fixture = PaywallFixture(engine: .storeKit1)
        let product = try #require(try await fixture.store.products(for: ["club.monthly"]).first)
        #expect(product.introductoryOffer != nil)
        expectEqual(PurchaseTerms(product, eligible: nil)?.summary, "£4.99 per month")
        var state = StoreModelState()
        let load = state.products.want(["club.monthly"], at: nil)
        state.products.answered(try #require(load), .success([product]))
        expectEqual(state.button(for: "club.monthly").terms?.summary, "£4.99 per month")
        state.introductoryEligibility = ["club": true]
        expectEqual(state.button(for: "club.monthly").terms?.isTrial, true)
        state.introductoryEligibility = ["club": false]
        expectEqual(state.button(for: "club.monthly").terms?.offer, nil)
    }

    @Test func `a style gets the parts of the terms`() async throws {
        let fixture = PaywallFixture()
        try await fixture.load()
        let terms = try #require(fixture.state.button(for: "club.yearly", options: [.billingPlan(.monthly)]).terms)
        expectEqual(terms.offer, "1 week free")
        expectEqual(terms.price, "£3.99 per month for 12 months (£47.88 in total)")
        expectEqual(terms.billingPlan, .monthly)
        #expect(terms.isTrial && terms.isRenewing)
        let coins = try #require(fixture.state.button(for: "coins").terms)
        #expect(!coins.isTrial && !coins.isRenewing && coins.offer == nil)
    }

    @Test(arguments: [
        ("de", "1 Woche kostenlos, danach £3.99 pro Monat für 12 Monate (insgesamt £47.88)"),
        ("fr", "Gratuit pendant 1 semaine, puis £3.99 par mois pendant 12 mois (£47.88 au total)"),
        ("ru", "1 неделя бесплатно, затем 12 месяцев — £3.99 в месяц (всего £47.88)"),
        ("ja", "1週間無料、その後12か月間は£3.99/月（合計£47.88）"),
        ("ar", "<<أسبوع واحد> مجانًا>، ثم <<<£3.99> في الشهر> لمدة <<12> شهرًا> (الإجمالي <£47.88>)>"),
    ])
    func `the terms are in the customer's language, with values isolated from right to left`(
        language: String, expected: String
    ) async throws {
        let fixture = PaywallFixture()
        let product = try #require(try await fixture.store.products(for: ["club.yearly"]).first)
        let eligible = await fixture.store.offers(for: product)
        let terms = PurchaseTerms(
            product, options: [.billingPlan(.monthly)], eligible: eligible, in: CustomerTexts(languages: [language]))
        // Isolates in a readable form.
        let readable = terms?.summary.replacingOccurrences(of: "\u{2068}", with: "<")
        expectEqual(readable?.replacingOccurrences(of: "\u{2069}", with: ">"), expected)
    }

    @Test func `whole weeks in days are weeks, and other periods are counted`() {
        let periods: [(Int, StoreSubscriptionPeriod.Unit, String, String)] = [
            (1, .day, "1 day", "€1 per day"), (3, .day, "3 days", "€1 every 3 days"),
            (7, .day, "1 week", "€1 per week"),
            (14, .day, "2 weeks", "€1 every 2 weeks"), (1, .week, "1 week", "€1 per week"),
            (1, .month, "1 month", "€1 per month"), (6, .month, "6 months", "€1 every 6 months"),
            (1, .year, "1 year", "€1 per year"), (2, .year, "2 years", "€1 every 2 years"),
        ]
        for (value, unit, length, price) in periods {
            let period = StoreSubscriptionPeriod(value: value, unit: unit)
            expectEqual(CustomerTexts.current.period(period), length)
            expectEqual(CustomerTexts.current.price("€1", per: period), price)
        }
    }
}
