public import StoreKit

/// How a purchase ended.
public enum PurchaseResult {
    /// It is paid.
    case success(purchase: PurchaseDetails)
    /// It waits for somebody's approval. Should it be approved, it comes to those who have called
    /// ``SwiftyStoreKit/completeTransactions(atomically:completion:)``.
    case deferred(purchase: PurchaseDetails)
    /// It came to nothing.
    case error(error: SKError)
}
