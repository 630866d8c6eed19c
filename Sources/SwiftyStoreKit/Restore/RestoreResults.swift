public import StoreKit

/// What a restore brought.
public struct RestoreResults {
    /// What was restored, in the order in which StoreKit reported it.
    public let restoredPurchases: [Purchase]
    /// Why the restore failed, with the product concerned where it is known. Something may have been restored all the same.
    public let restoreFailedPurchases: [(SKError, String?)]

    /// Describes what a restore brought.
    public init(restoredPurchases: [Purchase], restoreFailedPurchases: [(SKError, String?)]) {
        self.restoredPurchases = restoredPurchases
        self.restoreFailedPurchases = restoreFailedPurchases
    }
}
