/// The kind of a product, as attribute 1707 of a PKCS#7 receipt names it.
///
/// An open set: a number Apple adds tomorrow is kept in `rawValue`. `verifyReceipt`'s JSON does not carry it.
public struct ReceiptProductKind: RawRepresentable, Hashable, Sendable, Codable {
    /// The number in the receipt.
    public let rawValue: Int

    /// Creates a kind by its number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Bought once, owned for good.
    public static let nonConsumable = ReceiptProductKind(rawValue: 0)
    /// Bought and used up.
    public static let consumable = ReceiptProductKind(rawValue: 1)
    /// A subscription whose duration the app keeps.
    public static let nonRenewingSubscription = ReceiptProductKind(rawValue: 2)
    /// A subscription that renews until it is stopped.
    public static let autoRenewableSubscription = ReceiptProductKind(rawValue: 3)
}
