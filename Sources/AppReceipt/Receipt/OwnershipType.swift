/// How the customer came by a purchase: `in_app_ownership_type`.
///
/// An open set: a word Apple adds tomorrow is kept in `rawValue`.
public struct OwnershipType: RawRepresentable, Hashable, Sendable, Codable {
    /// The word in the receipt.
    public let rawValue: String

    /// Creates a type of ownership by its word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Bought by this customer.
    public static let purchased = OwnershipType(rawValue: "PURCHASED")
    /// Bought by a member of the family, who shares it.
    public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
    /// Bought by an organization, which has assigned it to this customer.
    public static let assigned = OwnershipType(rawValue: "ASSIGNED")
}
