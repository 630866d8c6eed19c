/// What a restore brought.
public struct RestoreOutcome: Sendable, Hashable {
    /// The purchases, in the order in which StoreKit reported them.
    public let purchases: [StorePurchase]

    /// What is restored, each product once.
    public var productIDs: Set<String> { Set(purchases.map(\.productID)) }
}
