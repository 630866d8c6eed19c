/// The kind of a product or an entitlement, in StoreKit 2's words.
///
/// An open set: `rawValue` keeps values that Apple adds later. Signed transactions and receipt files contain the kind.
/// The JSON of `verifyReceipt` doesn't.
public struct ProductKind: RawRepresentable, Hashable, Sendable, Codable {
    /// The value in a signed transaction (`type`).
    public let rawValue: String

    /// Creates a kind from its raw value.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Bought again and again, and used up.
    public static let consumable = ProductKind(rawValue: "Consumable")
    /// Bought once. Access doesn't end, unless the app limits it.
    public static let nonConsumable = ProductKind(rawValue: "Non-Consumable")
    /// A subscription with a duration that the app manages.
    public static let nonRenewable = ProductKind(rawValue: "Non-Renewing Subscription")
    /// A subscription that renews until the customer cancels.
    public static let autoRenewable = ProductKind(rawValue: "Auto-Renewable Subscription")
    /// Several subscriptions that are also sold singly. Access follows from the subscriptions, not from the bundle.
    public static let subscriptionBundle = ProductKind(rawValue: "Subscription Bundle")
    /// Several subscriptions that are sold together only.
    public static let subscriptionSuite = ProductKind(rawValue: "Subscription Suite")
    /// Not known: the receipt doesn't contain the kind, or StoreKit 1 has just reported the purchase.
    public static let unknown = ProductKind(rawValue: "Unknown")

    /// Creates the kind for attribute 1707 of a receipt file. The raw value of an unknown number is the number.
    package init(receiptNumber number: Int64) {
        switch number {
        case 0: self = .nonConsumable
        case 1: self = .consumable
        case 2: self = .nonRenewable
        case 3: self = .autoRenewable
        default: self.init(rawValue: "\(number)")
        }
    }
}

extension ProductKind: CustomStringConvertible {
    /// The name of the kind, or the raw value of an unknown kind.
    public var description: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "nonConsumable"
        case .nonRenewable: "nonRenewable"
        case .autoRenewable: "autoRenewable"
        case .subscriptionBundle: "subscriptionBundle"
        case .subscriptionSuite: "subscriptionSuite"
        case .unknown: "unknown"
        default: rawValue
        }
    }
}
