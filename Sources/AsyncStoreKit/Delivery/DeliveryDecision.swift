public import Foundation

/// What is to become of the transactions of a delivery.
public enum DeliveryDecision: Sendable, Hashable {
    /// Delivered: finish them.
    case accepted
    /// Never to be delivered, for the reason given: finish them, and tell whoever waits.
    case rejected(reason: String)
    /// Not delivered yet: keep them, and try again, after so many seconds if a number is given.
    case retryLater(after: TimeInterval?)

    /// Not delivered yet: keep them, and try again after a while that grows with each attempt.
    public static let retryLater = DeliveryDecision.retryLater(after: nil)
}
