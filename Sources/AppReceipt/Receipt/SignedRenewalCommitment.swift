public import Foundation

/// How a commitment continues: the `commitmentInfo` of renewal information, which has it only during a commitment.
public struct SignedRenewalCommitment: Hashable, Sendable, Codable {
    /// The product that the commitment renews with.
    public let autoRenewPreference: String
    /// Whether the commitment renews. A customer who cancels during a commitment changes this value only: the payments
    /// of the commitment continue.
    public let willAutoRenew: Bool
    /// When the commitment ends or renews.
    public let renewalDate: Date
    /// The price of the next commitment, in the currency's unit.
    public let renewalPrice: Decimal
    /// The billing plan of the next commitment.
    public let renewalBillingPlan: BillingPlan
    /// The unchanged fields that this library doesn't know.
    public let unknownFields: [String: ReceiptValue]

    /// Creates a commitment, for renewals from other sources and for tests.
    public init(
        autoRenewPreference: String, willAutoRenew: Bool, renewalDate: Date, renewalPrice: Decimal,
        renewalBillingPlan: BillingPlan, unknownFields: [String: ReceiptValue] = [:]
    ) {
        self.autoRenewPreference = autoRenewPreference
        self.willAutoRenew = willAutoRenew
        self.renewalDate = renewalDate
        self.renewalPrice = renewalPrice
        self.renewalBillingPlan = renewalBillingPlan
        self.unknownFields = unknownFields
    }
}
