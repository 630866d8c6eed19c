import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct DerivedPriceTests {
    private func product(
        _ price: Decimal, _ unit: StoreSubscriptionPeriod.Unit?, count: Int = 1, locale: String = "en_US"
    ) -> StoreProduct {
        StoreProduct(
            id: "pro", displayName: "", description: "", price: price, priceLocale: Locale(identifier: locale),
            displayPrice: "as StoreKit says",
            subscriptionPeriod: unit.map { StoreSubscriptionPeriod(value: count, unit: $0) })
    }

    private func amount(_ text: String) -> Decimal { Decimal(string: text) ?? -1 }

    @Test func `the price itself is StoreKit's text`() {
        expectEqual(product(1, .month).displayPrice, "as StoreKit says")
        let plain = StoreProduct(
            id: "pro", displayName: "", description: "", price: 1, priceLocale: Locale(identifier: "en_US"))
        expectEqual(plain.displayPrice, "$1.00")
    }

    @Test func `a yearly price per month is a twelfth of it, rounded down`() {
        let year = product(amount("49.99"), .year)
        expectEqual(year.pricePerMonth?.amount, amount("4.16"), "4.1658")
        expectEqual(year.pricePerMonth?.displayPrice, "$4.16")
        expectEqual(year.pricePerYear?.amount, amount("49.99"))
        expectEqual(year.pricePerWeek?.amount, amount("0.95"), "0.9587")
        expectEqual(year.pricePerDay?.amount, amount("0.13"), "0.1369")
        expectEqual(year.pricePerMonth?.description, "$4.16")
    }

    @Test func `months and years convert exactly`() {
        expectEqual(product(12, .year).pricePerMonth?.amount, 1)
        expectEqual(product(3, .month, count: 3).pricePerMonth?.amount, 1)
        expectEqual(product(1, .month).pricePerYear?.amount, 12)
        expectEqual(product(7, .week).pricePerDay?.amount, 1)
    }

    @Test func `a currency without fractions is rounded to whole units`() {
        let price = product(5_000, .year, locale: "ja_JP").pricePerMonth
        expectEqual(price?.amount, 416)
        #expect(price?.displayPrice.contains("416") == true && price?.displayPrice.contains(".") == false)
    }

    @Test func `a product without a period has no derived price`() {
        expectEqual(product(5, nil).pricePerMonth, nil)
        expectEqual(product(5, .month, count: 0).pricePerMonth, nil)
    }

    @Test func `a saving is rounded down, and nil for a product that isn't cheaper`() {
        let month = product(5, .month)
        expectEqual(product(amount("49.99"), .year).saving(comparedTo: month), 16, "16.68 percent")
        expectEqual(product(30, .year).saving(comparedTo: month), 50)
        expectEqual(product(60, .year).saving(comparedTo: month), nil)
        expectEqual(month.saving(comparedTo: product(30, .year)), nil)
        expectEqual(product(30, .year, locale: "de_DE").saving(comparedTo: month), nil, "another currency")
        expectEqual(product(30, nil).saving(comparedTo: month), nil)
        expectEqual(product(0, .year).saving(comparedTo: month), nil, "free isn't a saving in percent")
    }
}
