import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

@Suite(.bounded) struct SKPaymentTests {
    private let discount = SKPaymentDiscount(
        identifier: "offer", keyIdentifier: "key", nonce: UUID(), signature: "c2ln", timestamp: 1_700_000_000_000)

    private func mutablePayment() -> SKMutablePayment {
        let payment = SKMutablePayment(product: SKProduct(.coins, localeIdentifier: "en_US", storefront: nil))
        payment.quantity = 3
        payment.applicationUsername = "user"
        payment.requestData = Data([1])
        payment.simulatesAskToBuyInSandbox = true
        payment.paymentDiscount = discount
        return payment
    }

    @Test func `a payment is for one item of the product without other properties`() {
        let payment = SKPayment(product: SKProduct(.coins, localeIdentifier: "en_US", storefront: nil))
        expectEqual(payment.productIdentifier, "coins")
        expectEqual(payment.quantity, 1)
        expectEqual(payment.applicationUsername, nil)
        expectEqual(payment.requestData, nil)
        #expect(!payment.simulatesAskToBuyInSandbox)
        expectEqual(payment.paymentDiscount, nil)
    }

    @Test func `a copy has all properties and doesn't change with its original`() throws {
        let payment = mutablePayment()
        let copy = try #require(payment.copy() as? SKPayment)
        #expect(!(copy is SKMutablePayment))
        payment.quantity = 4
        payment.applicationUsername = nil
        expectEqual(copy.productIdentifier, "coins")
        expectEqual(copy.quantity, 3)
        expectEqual(copy.applicationUsername, "user")
        expectEqual(copy.requestData, Data([1]))
        #expect(copy.simulatesAskToBuyInSandbox)
        #expect(copy.paymentDiscount === discount)
    }

    @Test func `a mutable copy can be changed without changing its original`() throws {
        let payment = try #require(mutablePayment().copy() as? SKPayment)
        let copy = try #require(payment.mutableCopy() as? SKMutablePayment)
        expectEqual(copy, payment)
        copy.productIdentifier = "other"
        expectEqual(payment.productIdentifier, "coins")
        #expect(copy != payment)
    }

    @Test func `payments are equal, and hash alike, when their properties are equal`() throws {
        let payment = mutablePayment()
        let copy = try #require(payment.copy() as? SKPayment)
        expectEqual(payment, copy)
        expectEqual(copy, payment)
        expectEqual(payment.hash, copy.hash)
        #expect(!payment.isEqual("coins"))
        #expect(!payment.isEqual(nil))
    }

    @Test(
        arguments: [
            { $0.productIdentifier = "other" }, { $0.quantity = 4 }, { $0.applicationUsername = nil },
            { $0.requestData = nil },
            { $0.simulatesAskToBuyInSandbox = false }, { $0.paymentDiscount = nil },
        ] as [@Sendable (SKMutablePayment) -> Void])
    func `payments differ when one property differs`(change: @Sendable (SKMutablePayment) -> Void) {
        let payment = mutablePayment()
        change(payment)
        #expect(payment != mutablePayment())
    }

    @Test func `an offer has the properties of its initializer`() {
        expectEqual(discount.identifier, "offer")
        expectEqual(discount.keyIdentifier, "key")
        expectEqual(discount.signature, "c2ln")
        expectEqual(discount.timestamp, 1_700_000_000_000)
        expectEqual(SKPayment(mutablePayment().simulatedPayment).paymentDiscount?.nonce, discount.nonce)
    }

    @Test func `a payment of a subclass is read by its own properties`() {
        final class Bundle: SKPayment {
            override var productIdentifier: String { "bundle" }
            override var quantity: Int { 2 }
        }
        expectEqual(Bundle().simulatedPayment, SimulatedPayment(productID: "bundle", quantity: 2))
    }
}
