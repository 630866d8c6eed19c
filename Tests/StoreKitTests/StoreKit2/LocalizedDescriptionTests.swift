import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct LocalizedDescriptionTests {
    @Test(arguments: [
        (Product.SubscriptionPeriod.weekly, "one week", "week"), (.monthly, "one month", "month"),
        (.yearly, "one year", "year"), (.everyThreeDays, "three days", "day"), (.everyTwoWeeks, "two weeks", "week"),
        (.everyTwoMonths, "two months", "month"), (.everySixMonths, "six months", "month"),
    ])
    func `a period is spelled out`(period: Product.SubscriptionPeriod, text: String, unit: String) async throws {
        let product = try await StoreKit2World().product("basic")
        // A reference date at the end of a month, before a month of 28 days.
        for reference in [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 30 * 86_400 + 3_600)] {
            expectEqual(period.formatted(product.subscriptionPeriodFormatStyle, referenceDate: reference), text)
        }
        expectEqual(period.unit.formatted(product.subscriptionPeriodUnitFormatStyle), unit)
        expectEqual(period.unit.localizedDescription, unit.capitalized)
    }

    @Test func `a date range of several units lists each unit`() async throws {
        let style = try await StoreKit2World().product("basic").subscriptionPeriodFormatStyle
        let calendar = Calendar(identifier: .gregorian)
        let start = Date(timeIntervalSince1970: 0)
        let end = try #require(
            calendar.date(byAdding: DateComponents(year: 1, month: 2, day: 22), to: start))
        expectEqual(style.format(start..<end), "one year, two months, three weeks, one day")
        expectEqual(style.format(start..<start), "zero days")
    }

    @Test func `a period is formatted as a duration`() {
        let text = Product.SubscriptionPeriod.everyTwoWeeks.formatted(
            .units(allowed: [.weeks, .days], width: .wide).locale(Locale(identifier: "en_US")))
        expectEqual(text, "2 weeks")
    }

    @Test func `the styles keep a locale and can be encoded`() async throws {
        let product = try await StoreKit2World().product("basic")
        let german = product.subscriptionPeriodFormatStyle.locale(Locale(identifier: "de_DE"))
        expectEqual(german.locale, Locale(identifier: "de_DE"))
        let data = try JSONEncoder().encode(german)
        expectEqual(try JSONDecoder().decode(Product.SubscriptionPeriod.ComponentsFormatStyle.self, from: data), german)
        let unit = product.subscriptionPeriodUnitFormatStyle.locale(Locale(identifier: "de_DE"))
        #expect(unit != product.subscriptionPeriodUnitFormatStyle)
    }

    @Test func `values have names, and unknown values don't trap`() {
        let names: [(String, String)] = [
            (Product.ProductType.autoRenewable.localizedDescription, "Auto-Renewable Subscription"),
            (Product.ProductType(rawValue: "Bundle").localizedDescription, "Bundle"),
            (Product.SubscriptionInfo.RenewalState.inGracePeriod.localizedDescription, "In Grace Period"),
            (Product.SubscriptionInfo.RenewalState(rawValue: 99).localizedDescription, "Unknown"),
            (Product.SubscriptionOffer.OfferType.winBack.localizedDescription, "Win-Back"),
            (Product.SubscriptionOffer.PaymentMode.payAsYouGo.localizedDescription, "Pay as You Go"),
            (StoreKit.Transaction.OfferType.code.localizedDescription, "Code"),
            (StoreKit.Transaction.OwnershipType.familyShared.localizedDescription, "Family Shared"),
            (StoreKit.Transaction.RevocationReason.developerIssue.localizedDescription, "Developer Issue"),
            (Message.Reason.billingIssue.localizedDescription, "Billing Issue"),
        ]
        for (text, expected) in names { expectEqual(text, expected) }
    }
}
