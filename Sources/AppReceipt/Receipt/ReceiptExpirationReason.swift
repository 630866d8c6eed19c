/// Why a subscription was not renewed: `expiration_intent`.
///
/// An open set: a number Apple adds tomorrow is kept in `rawValue`.
public struct ReceiptExpirationReason: RawRepresentable, Hashable, Sendable, Codable {
    /// The number in the receipt.
    public let rawValue: Int

    /// Creates a reason by its number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The customer switched renewal off.
    public static let autoRenewDisabled = ReceiptExpirationReason(rawValue: 1)
    /// The customer could not be charged.
    public static let billingError = ReceiptExpirationReason(rawValue: 2)
    /// The customer did not agree to a higher price.
    public static let didNotConsentToPriceIncrease = ReceiptExpirationReason(rawValue: 3)
    /// The product was not for sale at the time of renewal.
    public static let productUnavailable = ReceiptExpirationReason(rawValue: 4)
    /// Apple does not know.
    public static let unknown = ReceiptExpirationReason(rawValue: 5)
    /// The subscription has left its bundle.
    public static let unbundled = ReceiptExpirationReason(rawValue: 6)
}
