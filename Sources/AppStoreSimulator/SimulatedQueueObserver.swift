/// An observer of the simulated payment queue, which holds it weakly.
public protocol SimulatedQueueObserver: AnyObject, Sendable {
    /// Reports an event. ``SimulatorBehavior/deliveryThread`` decides which thread calls.
    func paymentQueue(_ launch: SimulatedLaunch, didReceive event: SimulatedQueueEvent)
    /// Asks whether a purchase that was started in the App Store is to continue at once.
    func paymentQueue(_ launch: SimulatedLaunch, shouldAddStorePayment payment: SimulatedPayment, for product: SimulatedProduct) -> Bool
    /// Asks whether a transaction is to continue in the storefront to which the account has just moved.
    func paymentQueue(_ launch: SimulatedLaunch, shouldContinue transaction: SimulatedTransaction, in storefront: SimulatedStorefront)
        -> Bool
}
