import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import StoreKit
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct LocalizedTextTests {
    private func product(_ locale: String, period: SimulatedPeriod) -> SKProduct {
        let product = SimulatedProduct(
            productID: "monthly", kind: .autoRenewableSubscription, price: 9.99,
            subscription: SimulatedSubscription(
                groupID: "g", period: period,
                introductoryOffer: .init(paymentMode: .payUpFront, price: 1.5, period: .init(2, .week))))
        return SKProduct(product, localeIdentifier: locale, storefront: nil)
    }

    @Test func `prices are written in the product's own locale`() throws {
        let product = product("en_US", period: .init(1, .month))
        expectEqual(product.localizedPrice, "$9.99")
        expectEqual(try #require(product.introductoryPrice).localizedPrice, "$1.50")
        let german = try #require(self.product("de_DE", period: .init(1, .month)).localizedPrice)
        #expect(german.contains("9,99") && german.contains("€"))
    }

    @Test(arguments: [
        (SimulatedPeriod(1, .day), "1 day"), (.init(2, .week), "2 wks"), (.init(6, .month), "6 mths"),
        (.init(1, .year), "1 yr"),
    ])
    func `a product's period is abbreviated, an offer's is in full, and other products have none`(
        period: SimulatedPeriod, text: String
    )
        throws
    {
        let product = product("en_US", period: period)
        expectEqual(product.localizedSubscriptionPeriod, text)
        expectEqual(try #require(product.introductoryPrice).localizedSubscriptionPeriod, "2 weeks")
        expectEqual(SKProduct().localizedSubscriptionPeriod, "")
    }
}
