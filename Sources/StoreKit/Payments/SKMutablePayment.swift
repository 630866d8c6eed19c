import AppStoreSimulator
public import Foundation

/// A payment that can be changed until it is added to the queue, which copies it.
@available(iOS, deprecated: 18.0)
open class SKMutablePayment: SKPayment {
    /// What is bought.
    open override var productIdentifier: String {
        get { contents.productID }
        set { contents.productID = newValue }
    }

    /// Reserved by Apple.
    open override var requestData: Data? {
        get { contents.requestData }
        set { contents.requestData = newValue }
    }

    /// How many are bought, 1 to 10.
    open override var quantity: Int {
        get { contents.quantity }
        set { contents.quantity = newValue }
    }

    /// The app's name for its user, if it gives one.
    open override var applicationUsername: String? {
        get { contents.applicationUsername }
        set { contents.applicationUsername = newValue }
    }

    /// Whether the sandbox is to act as if a parent had to approve.
    open override var simulatesAskToBuyInSandbox: Bool {
        get { contents.simulatesAskToBuyInSandbox }
        set { contents.simulatesAskToBuyInSandbox = newValue }
    }

    /// The promotional offer, if there is to be one.
    open override var paymentDiscount: SKPaymentDiscount? {
        get { discount }
        set { discount = newValue }
    }
}
