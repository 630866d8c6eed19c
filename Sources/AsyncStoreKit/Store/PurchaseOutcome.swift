/// How a purchase ended, in StoreKit 2's words.
public enum PurchaseOutcome: Sendable, Hashable {
    /// It is paid.
    indirect case success(StorePurchase)
    /// It waits for somebody's approval (Ask to Buy). The answer comes in this launch or another, on ``PurchaseStore/transactions``
    /// or ``PurchaseStore/purchaseFailures``, with the same ``PendingPurchase`` while the store lives.
    case pending(PendingPurchase)
    /// The customer closed the sheet.
    case userCancelled
}

extension PurchaseOutcome {
    init(_ response: PurchaseResponse, core: StoreCore) {
        self =
            switch response {
            case .paid(let record): .success(StorePurchase(record, owner: core))
            case .pending(let pending, _): .pending(pending)
            case .userCancelled: .userCancelled
            }
    }
}

/// What a restore brought.
public struct RestoreOutcome: Sendable, Hashable {
    /// The purchases, in the order in which StoreKit reported them.
    public let purchases: [StorePurchase]

    /// What is restored, each product once.
    public var productIDs: Set<String> { Set(purchases.map(\.productID)) }
}
