public import Foundation

/// Where a subscription stands. The items are the periods that count, the one that ends last first.
public enum VerifySubscriptionResult {
    /// It runs until `expiryDate`; within a billing grace period, that is its end, which is later than the last period's.
    case purchased(expiryDate: Date, items: [ReceiptItem])
    /// It ended at `expiryDate`.
    case expired(expiryDate: Date, items: [ReceiptItem])
    /// The receipt has no period of it that counts: none was bought, or each was taken back or upgraded away.
    case notPurchased
}
