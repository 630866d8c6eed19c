public import Foundation

/// Answers questions of the payment queue. The queue holds its delegate weakly.
@available(iOS, deprecated: 18.0)
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Asks whether a transaction continues after the account's storefront changed. The default is `true`.
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront
    )
        -> Bool
    /// Asks whether to show a price increase to the customer immediately. The default is `true`.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

// Apple declares these requirements as optional.
extension SKPaymentQueueDelegate {
    /// Returns `true`: the transaction continues.
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction, in newStorefront: SKStorefront
    ) -> Bool {
        true
    }

    /// Returns `true`: the price increase is shown.
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        true
    }
}
