public import Foundation

/// The terms of a subscription that was sold for several billing periods at once (`commitmentInfo`).
public struct SignedCommitment: Hashable, Sendable, Codable {
    /// Which of the billing periods this is, from one on.
    public let billingPeriodNumber: Int64?
    /// How many billing periods there are.
    public let totalBillingPeriods: Int64?
    /// When the commitment ends, or is renewed.
    public let expirationDate: Date?
    /// What the whole commitment, or its renewal, costs, in the currency's unit.
    public let price: Decimal?
    /// The product the commitment is renewed with; in renewal information only.
    public let autoRenewPreference: String?
    /// Whether the commitment is going to be renewed; in renewal information only.
    public let willAutoRenew: Bool?
    /// The plan by which the next commitment is billed; in renewal information only.
    public let renewalBillingPlan: String?
    /// Fields this library does not know, as they came.
    public let unknownFields: [String: ReceiptValue]

    /// Reads the object of a transaction or of renewal information, whose names differ.
    static func read(_ payload: inout SignedPayloadFields) throws(MalformedReceiptError) -> SignedCommitment? {
        guard var fields = try payload.fields("commitmentInfo") else { return nil }
        let expirationDate = try fields.date("commitmentExpiresDate")
        let renewalDate = try fields.date("commitmentRenewalDate")
        let price = try fields.price("commitmentPrice")
        let renewalPrice = try fields.price("commitmentRenewalPrice")
        return SignedCommitment(
            billingPeriodNumber: try fields.integer("billingPeriodNumber"), totalBillingPeriods: try fields.integer("totalBillingPeriods"),
            expirationDate: expirationDate ?? renewalDate, price: price ?? renewalPrice,
            autoRenewPreference: try fields.string("commitmentAutoRenewProductId"),
            willAutoRenew: try fields.flag("commitmentAutoRenewStatus"),
            renewalBillingPlan: try fields.string("commitmentRenewalBillingPlanType"), unknownFields: try fields.unread())
    }
}
