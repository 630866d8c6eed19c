import AsyncStoreKit
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct StoreProductTests {
    private func product(_ price: String, _ locale: String, period: StoreSubscriptionPeriod? = nil) throws
        -> StoreProduct
    {
        StoreProduct(
            id: "pro", displayName: "Pro", description: "Everything.", price: try #require(Decimal(string: price)),
            priceLocale: Locale(identifier: locale), subscriptionPeriod: period)
    }

    /// All spaces are treated as the same, because the space before a currency differs between systems.
    private func plain(_ text: String) -> String {
        String(text.map { $0.isWhitespace ? " " : $0 })
    }

    @Test func `a product without details has no subscription and can't be shared`() throws {
        let product = try product("1", "en_US")
        #expect(product.subscriptionPeriod == nil && product.subscriptionGroupID == nil)
        expectEqual(product.isFamilyShareable, false)
    }

    @Test(arguments: [
        ("4.99", "en_US", "$4.99", "USD"),
        ("1234.5", "en_US", "$1,234.50", "USD"),
        ("0", "en_US", "$0.00", "USD"),
        ("4.99", "en_GB", "£4.99", "GBP"),
        ("4.99", "de_DE", "4,99 €", "EUR"),
        ("1234.5", "de_DE", "1.234,50 €", "EUR"),
        ("600", "ja_JP", "¥600", "JPY"),
        ("1600", "ja_JP", "¥1,600", "JPY"),
    ])
    func `a price is formatted in its own locale`(price: String, locale: String, display: String, currency: String)
        throws
    {
        let product = try product(price, locale)
        // The yen sign is the wide one in some versions of the locale's data.
        expectEqual(plain(product.displayPrice).replacingOccurrences(of: "\u{FFE5}", with: "\u{A5}"), display)
        expectEqual(product.currency, currency)
    }

    @Test func `the currency in the locale's keywords takes precedence over the region`() throws {
        let product = try product("4.99", "en_US@currency=EUR")
        expectEqual(product.displayPrice, "€4.99")
        expectEqual(product.currency, "EUR")
    }

    @Test func `a locale without a currency leaves a plain number`() throws {
        let product = try product("4.99", "en")
        expectEqual(product.currency, nil)
        expectEqual(product.displayPrice, "4.99")
    }

    @Test func `a price is exact with any number of digits`() throws {
        expectEqual(try product("123456789012.99", "en_US").displayPrice, "$123,456,789,012.99")
    }

    @Test func `a subscription has a period, and other products have none`() throws {
        let monthly = try product("4.99", "en_US", period: StoreSubscriptionPeriod(value: 1, unit: .month))
        expectEqual(monthly.displaySubscriptionPeriod, "1 month")
        expectEqual(try product("4.99", "en_US").displaySubscriptionPeriod, nil)
    }

    @Test func `a product with another price or locale is a different value`() throws {
        let products = [try product("4.99", "en_US"), try product("5.99", "en_US"), try product("4.99", "de_DE")]
        expectEqual(Set(products + products).count, 3)
    }
}
