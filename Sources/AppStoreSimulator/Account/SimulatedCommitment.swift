public import Foundation

/// The commitment that a transaction of a monthly billing plan belongs to.
public struct SimulatedCommitment: Sendable, Hashable {
    /// The number of the billing period, starting with 1.
    public var billingPeriodNumber: Int
    /// The number of billing periods in the commitment.
    public var totalBillingPeriods: Int
    /// The date on which the commitment ends or renews.
    public var expirationDate: Date
    /// The price of the whole commitment.
    public var price: Decimal

    /// Whether this is the last billing period of the commitment.
    public var isLastBillingPeriod: Bool { billingPeriodNumber >= totalBillingPeriods }
}

/// The renewal information of a commitment.
public struct SimulatedRenewalCommitment: Sendable, Hashable {
    /// The product that the commitment renews with.
    public var autoRenewPreference: String
    /// Whether the commitment renews.
    public var willAutoRenew: Bool
    /// The date on which the commitment ends or renews.
    public var renewalDate: Date
    /// The price after the commitment.
    public var renewalPrice: Decimal
    /// The billing plan after the commitment.
    public var renewalBillingPlan: SimulatedBillingPlan
}
