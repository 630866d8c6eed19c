public import StoreKit

/// What became of a transaction. No function takes or gives it; it is here because it was public.
public enum TransactionResult {
    /// It is paid.
    case purchased(purchase: PurchaseDetails)
    /// It was bought before, and is given again.
    case restored(purchase: Purchase)
    /// It waits for somebody's approval.
    case deferred(purchase: PurchaseDetails)
    /// It came to nothing.
    case failed(error: SKError)
}
