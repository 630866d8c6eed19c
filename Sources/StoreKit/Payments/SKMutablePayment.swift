import AppStoreSimulator
public import Foundation

/// A payment that you can change. The queue copies the payment when you add it.
@available(iOS, deprecated: 18.0)
open class SKMutablePayment: SKPayment {
    /// The identifier of the product to buy.
    open override var productIdentifier: String {
        get { contents.productID }
        set { contents.productID = newValue }
    }

    /// Reserved by Apple.
    open override var requestData: Data? {
        get { contents.requestData }
        set { contents.requestData = newValue }
    }

    /// The number of items to buy, 1 to 10.
    open override var quantity: Int {
        get { contents.quantity }
        set { contents.quantity = newValue }
    }

    /// The app's opaque name for its user; `nil` if the app sets none.
    open override var applicationUsername: String? {
        get { contents.applicationUsername }
        set { contents.applicationUsername = newValue }
    }

    /// Whether the sandbox simulates an Ask to Buy request.
    open override var simulatesAskToBuyInSandbox: Bool {
        get { contents.simulatesAskToBuyInSandbox }
        set { contents.simulatesAskToBuyInSandbox = newValue }
    }

    /// The promotional offer to apply, if any.
    open override var paymentDiscount: SKPaymentDiscount? {
        get { discount }
        set { discount = newValue }
    }
}
