package import AppStoreSimulator
public import Foundation

/// A request to buy a product, for the payment queue.
///
/// Two payments are equal if all of their properties are equal.
@available(iOS, deprecated: 18.0)
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    var contents = SimulatedPayment(productID: "")
    var discount: SKPaymentDiscount?

    /// Creates a payment for one item of the product.
    public convenience init(product: SKProduct) {
        self.init()
        contents.productID = product.productIdentifier
    }

    package convenience init(_ payment: SimulatedPayment, paymentDiscount: SKPaymentDiscount? = nil) {
        self.init()
        contents = payment
        discount = paymentDiscount ?? payment.discount.map { SKPaymentDiscount($0) }
    }

    /// The identifier of the product to buy.
    open var productIdentifier: String {
        contents.productID
    }

    /// Reserved by Apple.
    open var requestData: Data? {
        contents.requestData
    }

    /// The number of items to buy, 1 to 10. The default is 1.
    open var quantity: Int {
        contents.quantity
    }

    /// The app's opaque name for its user; `nil` if the app set none.
    open var applicationUsername: String? {
        contents.applicationUsername
    }

    /// Whether the sandbox simulates an Ask to Buy request.
    open var simulatesAskToBuyInSandbox: Bool {
        contents.simulatesAskToBuyInSandbox
    }

    /// The promotional offer to apply, if any.
    open var paymentDiscount: SKPaymentDiscount? {
        discount
    }

    /// Returns an immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        SKPayment(simulatedPayment, paymentDiscount: paymentDiscount)
    }

    /// Returns a mutable copy, an `SKMutablePayment`.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        SKMutablePayment(simulatedPayment, paymentDiscount: paymentDiscount)
    }

    /// Returns whether the other object is a payment with the same properties.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPayment else { return false }
        return simulatedPayment == other.simulatedPayment
    }

    /// The hash value, which changes when a mutable payment changes.
    open override var hash: Int {
        simulatedPayment.hashValue
    }

    /// The payment as a value of the simulator. Reads the open properties, because a subclass may override them.
    package var simulatedPayment: SimulatedPayment {
        SimulatedPayment(
            productID: productIdentifier, quantity: quantity, applicationUsername: applicationUsername,
            requestData: requestData,
            simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox, discount: paymentDiscount?.simulatedDiscount)
    }
}

@available(*, unavailable, message: "A payment may be mutable: Apple's is not Sendable either.")
// @unchecked because: the conformance is unavailable; it only keeps subclasses and clients from taking it for Sendable.
extension SKPayment: @unchecked Sendable {}
