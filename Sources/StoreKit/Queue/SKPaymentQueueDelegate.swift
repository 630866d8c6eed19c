public import Foundation

/// Decides for the payment queue. The queue holds its delegate weakly.
@available(iOS, deprecated: 18.0)
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Asks whether a transaction is to go on in the storefront to which the account has just moved. Without an answer it goes on.
    func paymentQueue(_ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront)
        -> Bool
    /// Asks whether the customer is to be shown a new price at once. Without an answer, yes.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

// What Apple declares as optional.
extension SKPaymentQueueDelegate {
    /// Goes on.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront
    ) -> Bool {
        true
    }

    /// Shows it.
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        true
    }
}
