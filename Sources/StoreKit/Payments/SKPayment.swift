package import AppStoreSimulator
public import Foundation

/// A request to buy a product, as it is added to the payment queue.
///
/// Two payments are equal when all of their properties are.
@available(iOS, deprecated: 18.0)
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    var contents = SimulatedPayment(productID: "")
    var discount: SKPaymentDiscount?

    /// Makes a payment for one of the product.
    public convenience init(product: SKProduct) {
        self.init()
        contents.productID = product.productIdentifier
    }

    package convenience init(_ payment: SimulatedPayment, paymentDiscount: SKPaymentDiscount? = nil) {
        self.init()
        adopt(payment, paymentDiscount: paymentDiscount)
    }

    /// What is bought.
    open var productIdentifier: String {
        contents.productID
    }

    /// Reserved by Apple.
    open var requestData: Data? {
        contents.requestData
    }

    /// How many are bought, 1 to 10; 1 unless it was set.
    open var quantity: Int {
        contents.quantity
    }

    /// The app's name for its user, if it gave one.
    open var applicationUsername: String? {
        contents.applicationUsername
    }

    /// Whether the sandbox is to act as if a parent had to approve.
    open var simulatesAskToBuyInSandbox: Bool {
        contents.simulatesAskToBuyInSandbox
    }

    /// The promotional offer, if there is one.
    open var paymentDiscount: SKPaymentDiscount? {
        discount
    }

    /// A payment that does not change any more.
    open func copy(with zone: NSZone? = nil) -> Any {
        SKPayment(simulatedPayment, paymentDiscount: paymentDiscount)
    }

    /// A payment that can be changed, an `SKMutablePayment`.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        SKMutablePayment(simulatedPayment, paymentDiscount: paymentDiscount)
    }

    /// Whether the other object is a payment with the same properties.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPayment else { return false }
        return simulatedPayment == other.simulatedPayment
    }

    /// Equal for payments that are equal; changes when a mutable payment is changed.
    open override var hash: Int {
        simulatedPayment.hashValue
    }

    /// The payment as the simulator knows it. Reads the open properties: a subclass may have its own.
    package var simulatedPayment: SimulatedPayment {
        SimulatedPayment(
            productID: productIdentifier, quantity: quantity, applicationUsername: applicationUsername, requestData: requestData,
            simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox, discount: paymentDiscount?.simulatedDiscount)
    }

    private func adopt(_ payment: SimulatedPayment, paymentDiscount: SKPaymentDiscount?) {
        contents = payment
        discount = paymentDiscount ?? payment.discount.map { SKPaymentDiscount($0) }
    }
}

@available(*, unavailable, message: "A payment may be mutable: Apple's is not Sendable either.")
// @unchecked because: the conformance is unavailable; it only keeps subclasses and clients from taking it for Sendable.
extension SKPayment: @unchecked Sendable {}
