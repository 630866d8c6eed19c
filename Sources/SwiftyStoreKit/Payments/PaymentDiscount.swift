public import StoreKit

/// A promotional offer, signed by the app's server.
public struct PaymentDiscount {
    let discount: SKPaymentDiscount

    /// Takes over StoreKit's description of the offer.
    public init(discount: SKPaymentDiscount) {
        self.discount = discount
    }
}
