public import StoreKit

/// What a restore brought.
public struct RestoreResults {
    /// What was restored, in the order in which StoreKit reported it.
    public let restoredPurchases: [Purchase]
    /// Why the restore failed; empty when it did not, at most one otherwise, and without a product. Something may have been restored
    /// all the same. The errors are those of ``PurchaseResult/error(error:)``.
    public let restoreFailedPurchases: [(SKError, String?)]

    /// Describes what a restore brought.
    public init(restoredPurchases: [Purchase], restoreFailedPurchases: [(SKError, String?)]) {
        self.restoredPurchases = restoredPurchases
        self.restoreFailedPurchases = restoreFailedPurchases
    }
}
