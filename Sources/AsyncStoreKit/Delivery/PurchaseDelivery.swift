/// Delivers purchases for the whole store: those that answer a call without a closure, and those that nobody asked for.
///
/// Installed with ``PurchaseStore/installDelivery(_:)``. It is called in no particular isolation, for several requests at once, but never for
/// one transaction twice at the same time. It may be called again for a purchase that it has delivered before (a crash
/// before the transaction was finished, a restore): ``StorePurchase/deliveryKey`` stays the same then.
public protocol PurchaseDelivery: Sendable {
    /// Delivers what was bought, and says what is to become of the transactions.
    ///
    /// The task is cancelled when the store is closed; the transactions stay unfinished then, whatever is returned.
    func deliver(_ request: DeliveryRequest) async -> DeliveryDecision
}
