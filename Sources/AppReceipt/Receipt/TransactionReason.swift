/// The reasons for a transaction, an open set (`transactionReason`).
public struct TransactionReason: RawRepresentable, Hashable, Sendable, Codable {
    /// The value in the payload.
    public let rawValue: String

    /// Creates a reason from its raw value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The customer bought it.
    public static let purchase = TransactionReason(rawValue: "PURCHASE")
    /// The App Store renewed it.
    public static let renewal = TransactionReason(rawValue: "RENEWAL")
}
