public import StoreKit

/// How a purchase ended.
public enum PurchaseResult {
    /// It is paid.
    case success(purchase: PurchaseDetails)
    /// It waits for somebody's approval. Should it be approved, it comes to those who have called
    /// ``SwiftyStoreKit/completeTransactions(atomically:completion:)``.
    case deferred(purchase: PurchaseDetails)
    /// It came to nothing, or was refused.
    ///
    /// What StoreKit said is handed on as it was; `.paymentCancelled` is the customer, or ``InAppRequest/cancel()``. A product that is not
    /// for sale and a quantity outside 1 to 10 are `.paymentInvalid`. A network error is `.unknown` with the cause under
    /// `NSUnderlyingErrorKey`, as is what StoreKit has no code for.
    case error(error: SKError)
}
