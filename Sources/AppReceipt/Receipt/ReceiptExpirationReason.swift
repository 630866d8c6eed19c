/// Why a subscription wasn't renewed: `expiration_intent`.
///
/// An open set: `rawValue` keeps values that Apple adds later.
public struct ReceiptExpirationReason: RawRepresentable, Hashable, Sendable, Codable {
    /// The value in the receipt.
    public let rawValue: Int

    /// Creates a reason from its raw value.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The customer turned off renewal.
    public static let autoRenewDisabled = ReceiptExpirationReason(rawValue: 1)
    /// The charge failed.
    public static let billingError = ReceiptExpirationReason(rawValue: 2)
    /// The customer didn't consent to a price increase.
    public static let didNotConsentToPriceIncrease = ReceiptExpirationReason(rawValue: 3)
    /// The product wasn't available at the time of renewal.
    public static let productUnavailable = ReceiptExpirationReason(rawValue: 4)
    /// The reason is unknown.
    public static let unknown = ReceiptExpirationReason(rawValue: 5)
    /// The subscription has left its bundle.
    public static let unbundled = ReceiptExpirationReason(rawValue: 6)
}

extension ReceiptExpirationReason: CustomStringConvertible {
    /// The name of the reason, or the raw value of an unknown reason.
    public var description: String {
        switch self {
        case .autoRenewDisabled: "autoRenewDisabled"
        case .billingError: "billingError"
        case .didNotConsentToPriceIncrease: "didNotConsentToPriceIncrease"
        case .productUnavailable: "productUnavailable"
        case .unknown: "unknown"
        case .unbundled: "unbundled"
        default: "\(rawValue)"
        }
    }
}
