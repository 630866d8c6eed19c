/// The reason for a revocation: `cancellation_reason`.
///
/// An open set: `rawValue` keeps values that Apple adds later.
public struct RevocationReason: RawRepresentable, Hashable, Sendable, Codable {
    /// The value in the receipt.
    public let rawValue: Int

    /// Creates a reason from its raw value.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Another reason, such as an accidental purchase.
    public static let other = RevocationReason(rawValue: 0)
    /// An actual or perceived problem with the app.
    public static let developerIssue = RevocationReason(rawValue: 1)
    /// The customer has moved on to a bundle that includes the subscription.
    public static let upgradedToBundle = RevocationReason(rawValue: 2)
}
