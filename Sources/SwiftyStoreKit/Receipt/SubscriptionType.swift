public import Foundation

/// The kind of a subscription.
public enum SubscriptionType: Hashable {
    /// Apple renews it, and the receipt says when each period ends.
    case autoRenewable
    /// The app knows how long it lasts: `validDuration` seconds from the original purchase date.
    case nonRenewing(validDuration: TimeInterval)
}
