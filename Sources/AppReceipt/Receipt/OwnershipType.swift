/// How the customer came by a purchase: `in_app_ownership_type`.
///
/// An open set: `rawValue` keeps values that Apple adds later.
public struct OwnershipType: RawRepresentable, Hashable, Sendable, Codable {
    /// The value in the receipt.
    public let rawValue: String

    /// Creates a type of ownership from its raw value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Bought by this customer.
    public static let purchased = OwnershipType(rawValue: "PURCHASED")
    /// Bought and shared by a family member.
    public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
    /// Bought by an organization, which has assigned it to this customer.
    public static let assigned = OwnershipType(rawValue: "ASSIGNED")
}

extension OwnershipType: CustomStringConvertible {
    /// The name of the type, or the raw value of an unknown type.
    public var description: String {
        switch self {
        case .purchased: "purchased"
        case .familyShared: "familyShared"
        case .assigned: "assigned"
        default: rawValue
        }
    }
}
