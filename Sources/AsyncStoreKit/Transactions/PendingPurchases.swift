/// The purchases that wait for approval (Ask to Buy), in the order in which they were asked for.
///
/// ```swift
/// for await pending in store.pendingPurchases {
///     for purchase in pending { show(purchase.productID, purchase.quantity) }
///     waitsForApproval = pending.productIDs.contains("pro")
/// }
/// ```
public struct PendingPurchases: Sendable, Hashable {
    private let purchases: [PendingPurchase]

    init(_ purchases: [PendingPurchase]) {
        self.purchases = purchases
    }

    /// The products that wait for approval.
    public var productIDs: Set<String> { Set(purchases.map(\.productID)) }
}

extension PendingPurchases: RandomAccessCollection {
    /// The position of the first purchase.
    public var startIndex: Int { purchases.startIndex }
    /// The position after the last purchase.
    public var endIndex: Int { purchases.endIndex }
    /// The purchase at a position.
    public subscript(position: Int) -> PendingPurchase { purchases[position] }
}
