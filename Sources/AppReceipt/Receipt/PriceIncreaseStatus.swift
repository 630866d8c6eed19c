/// The customer's answer to a price increase: `price_increase_status`, or `price_consent_status` in older responses of
/// `verifyReceipt`.
///
/// An open set: `rawValue` keeps values that Apple adds later.
public struct PriceIncreaseStatus: RawRepresentable, Hashable, Sendable, Codable {
    /// The value in the receipt.
    public let rawValue: Int

    /// Creates a status from its raw value.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The customer hasn't responded yet.
    public static let pending = PriceIncreaseStatus(rawValue: 0)
    /// The customer has agreed, or was notified of an increase that doesn't require consent.
    public static let agreed = PriceIncreaseStatus(rawValue: 1)
}
