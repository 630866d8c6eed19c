public import Foundation

/// The commitment that a transaction belongs to: a subscription that is billed in several periods (`commitmentInfo`).
///
/// Each billing period has a transaction of its own, which gives access for that period. Access never depends on
/// ``expirationDate``.
public struct SignedTransactionCommitment: Hashable, Sendable, Codable {
    /// The number of the billing period, starting with 1.
    public let billingPeriodNumber: Int64
    /// The number of billing periods in the commitment.
    public let totalBillingPeriods: Int64
    /// When the commitment ends or renews. The date moves if the App Store collects a payment late.
    public let expirationDate: Date
    /// The price of the whole commitment, in the currency's unit.
    public let price: Decimal
    /// The unchanged fields that this library doesn't know.
    public let unknownFields: [String: ReceiptValue]

    /// Creates a commitment, for transactions from other sources and for tests.
    public init(
        billingPeriodNumber: Int64, totalBillingPeriods: Int64, expirationDate: Date, price: Decimal,
        unknownFields: [String: ReceiptValue] = [:]
    ) {
        self.billingPeriodNumber = billingPeriodNumber
        self.totalBillingPeriods = totalBillingPeriods
        self.expirationDate = expirationDate
        self.price = price
        self.unknownFields = unknownFields
    }

    /// Whether this is the last billing period of the commitment.
    public var isLastBillingPeriod: Bool { billingPeriodNumber >= totalBillingPeriods }
}
