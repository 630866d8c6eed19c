/// Why Apple took a purchase back: `cancellation_reason`.
///
/// An open set: a number Apple adds tomorrow is kept in `rawValue`.
public struct RevocationReason: RawRepresentable, Hashable, Sendable, Codable {
    /// The number in the receipt.
    public let rawValue: Int

    /// Creates a reason by its number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Some other reason, such as a purchase made by accident.
    public static let other = RevocationReason(rawValue: 0)
    /// An actual or perceived fault of the app.
    public static let developerIssue = RevocationReason(rawValue: 1)
    /// The customer has moved on to a bundle that includes the subscription.
    public static let upgradedToBundle = RevocationReason(rawValue: 2)
}
