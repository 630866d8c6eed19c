/// The kind of a product: attribute 1707 of a PKCS#7 receipt.
///
/// An open set: `rawValue` keeps values that Apple adds later. The JSON of `verifyReceipt` doesn't include the kind.
public struct ReceiptProductKind: RawRepresentable, Hashable, Sendable, Codable {
    /// The value in the receipt.
    public let rawValue: Int

    /// Creates a kind from its raw value.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Bought once and owned permanently.
    public static let nonConsumable = ReceiptProductKind(rawValue: 0)
    /// Bought and used up.
    public static let consumable = ReceiptProductKind(rawValue: 1)
    /// A subscription with a duration that the app manages.
    public static let nonRenewingSubscription = ReceiptProductKind(rawValue: 2)
    /// A subscription that renews until the customer cancels.
    public static let autoRenewableSubscription = ReceiptProductKind(rawValue: 3)
}
