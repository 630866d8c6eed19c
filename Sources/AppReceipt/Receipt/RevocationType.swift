/// The extent of a revocation: `revocationType`.
///
/// An open set: `rawValue` keeps values that Apple adds later.
public struct RevocationType: RawRepresentable, Hashable, Sendable, Codable {
    /// The value in the payload.
    public let rawValue: String

    /// Creates a type from its raw value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The whole price was refunded.
    public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
    /// A part of the price was refunded.
    public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
    /// The family no longer shares the purchase.
    public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
    /// An organization no longer assigns the purchase to the customer.
    public static let assignmentRevocation = RevocationType(rawValue: "ASSIGNMENT_REVOKE")
}
