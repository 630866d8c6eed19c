import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct SKProductTests {
    @Test func `a product has its texts and its price`() {
        let product = SKProduct(.coins, localeIdentifier: "en_US", storefront: .unitedStates)
        expectEqual(product.productIdentifier, "coins")
        expectEqual(product.localizedTitle, "Coins")
        expectEqual(product.localizedDescription, "A hundred of them")
        expectEqual(product.price, 2)
        expectEqual(product.subscriptionPeriod, nil)
        expectEqual(product.subscriptionGroupIdentifier, nil)
        expectEqual(product.introductoryPrice, nil)
        #expect(product.discounts.isEmpty)
        #expect(!product.isFamilyShareable)
        #expect(SKProduct(.pro, localeIdentifier: "en_US", storefront: nil).isFamilyShareable)
    }

    @Test(arguments: [
        ("de_AT", "Münzen"), ("de", "Münzen"), ("de-DE", "Münzen"), ("de_CH@currency=CHF", "Münzen"),
        ("en_GB", "Coins"),
        ("fr_FR", "Coins"),
    ])
    func `texts are those of the locale, of its language, or the first`(localeIdentifier: String, title: String) {
        expectEqual(SKProduct(.coins, localeIdentifier: localeIdentifier, storefront: nil).localizedTitle, title)
    }

    @Test(
        arguments: [
            ("en_US", nil, "USD"), ("de_DE", nil, "EUR"), ("de_DE", "CHE", "EUR"), ("fr", "CHE", "CHF"),
            ("en_US@currency=JPY", "USA", "JPY"),
        ] as [(String, String?, String)])
    func `the price's locale has a currency`(localeIdentifier: String, country: String?, currency: String) {
        let storefront = country.flatMap { SimulatedStorefront(countryCode: $0) }
        let product = SKProduct(.coins, localeIdentifier: localeIdentifier, storefront: storefront)
        expectEqual(product.priceLocale.currencyCode, currency)
        #expect(product.priceLocale.identifier.hasPrefix(String(localeIdentifier.prefix(2))))
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        expectEqual(formatter.string(from: product.price)?.isEmpty, false)
    }

    @Test func `a subscription has its period, its group and its offers`() throws {
        let product = SKProduct(.yearly, localeIdentifier: "en_US", storefront: nil)
        expectEqual(product.subscriptionGroupIdentifier, "group")
        expectEqual(product.subscriptionPeriod?.numberOfUnits, 1)
        expectEqual(product.subscriptionPeriod?.unit, .year)
        let introductory = try #require(product.introductoryPrice)
        expectEqual(introductory.type, .introductory)
        expectEqual(introductory.identifier, nil)
        expectEqual(introductory.paymentMode, .freeTrial)
        expectEqual(introductory.price, 0)
        expectEqual(introductory.subscriptionPeriod.numberOfUnits, 2)
        expectEqual(introductory.subscriptionPeriod.unit, .week)
        expectEqual(introductory.numberOfPeriods, 1)
        let promotional = try #require(product.discounts.first)
        expectEqual(product.discounts.count, 1)
        expectEqual(promotional.type, .subscription)
        expectEqual(promotional.identifier, "half")
        expectEqual(promotional.paymentMode, .payAsYouGo)
        expectEqual(promotional.price, 20)
        expectEqual(promotional.numberOfPeriods, 3)
        expectEqual(promotional.priceLocale, product.priceLocale)
    }

    @Test func `a product with hosted content has its size`() {
        let product = SKProduct(.map, localeIdentifier: "en_US", storefront: nil)
        #expect(product.isDownloadable)
        expectEqual(product.downloadContentLengths, [1000])
        expectEqual(product.downloadContentVersion, "1.2")
        expectEqual(product.contentVersion, "1.2")
        #expect(!SKProduct(.coins, localeIdentifier: "en_US", storefront: nil).isDownloadable)
    }

    @Test func `products are equal when they are the same object`() {
        let product = SKProduct(.coins, localeIdentifier: "en_US", storefront: nil)
        expectEqual(product, product)
        #expect(product != SKProduct(.coins, localeIdentifier: "en_US", storefront: nil))
    }

    @Test func `a test can create its own products`() {
        final class Mock: SKProduct, @unchecked Sendable {
            override var productIdentifier: String { "mock" }
        }
        expectEqual(SKPayment(product: Mock()).productIdentifier, "mock")
        #expect(SKProduct().productIdentifier.isEmpty)
    }

    @Test func `raw values are Apple's`() {
        expectEqual([SKProduct.PeriodUnit.day, .week, .month, .year].map(\.rawValue), [0, 1, 2, 3])
        expectEqual([SKProductDiscount.PaymentMode.payAsYouGo, .payUpFront, .freeTrial].map(\.rawValue), [0, 1, 2])
        expectEqual(
            [SKPaymentTransactionState.purchasing, .purchased, .failed, .restored, .deferred].map(\.rawValue),
            [0, 1, 2, 3, 4])
        expectEqual(
            [SKDownloadState.waiting, .active, .paused, .finished, .failed, .cancelled].map(\.rawValue),
            [0, 1, 2, 3, 4, 5])
    }
}
