public import StoreKit

/// The result of a restore.
public struct RestoreResults {
    /// The restored purchases, in the order in which StoreKit reported them.
    public let restoredPurchases: [Purchase]
    /// The error of a failed restore, without a product identifier; empty after a successful restore. A failed restore
    /// may have restored some purchases. The errors are those of ``PurchaseResult/error(error:)``.
    public let restoreFailedPurchases: [(SKError, String?)]

    /// Creates the result of a restore.
    public init(restoredPurchases: [Purchase], restoreFailedPurchases: [(SKError, String?)]) {
        self.restoredPurchases = restoredPurchases
        self.restoreFailedPurchases = restoreFailedPurchases
    }
}
