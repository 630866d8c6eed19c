/// How a purchase ended, in StoreKit 2's words.
public enum PurchaseOutcome: Sendable, Hashable {
    /// The purchase is paid.
    indirect case success(StorePurchase)
    /// The purchase waits for approval (Ask to Buy). The answer arrives in this launch or another one, on
    /// ``PurchaseStore/transactions`` or ``PurchaseStore/purchaseFailures``. While the store exists, it has the same
    /// ``PendingPurchase``.
    case pending(PendingPurchase)
    /// The customer closed the sheet.
    case userCancelled

    @inline(never)
    init(_ response: PurchaseResponse, core: StoreCore) {
        self =
            switch response {
            case .paid(let record): .success(StorePurchase(record, owner: core))
            case .pending(let pending, _): .pending(pending)
            case .userCancelled: .userCancelled
            }
    }
}

/// How a restore ended.
public enum RestoreOutcome: Sendable, Hashable {
    /// The restore succeeded: the purchases, in the order in which StoreKit reported them. There may be none.
    case restored([StorePurchase])
    /// The customer canceled the sign-in. Purchases that arrived before are on ``PurchaseStore/transactions``.
    case userCancelled

    /// The purchases, in the order in which StoreKit reported them; none when the customer canceled.
    public var purchases: [StorePurchase] {
        switch self {
        case .restored(let purchases): purchases
        case .userCancelled: []
        }
    }

    /// The restored products, without duplicates.
    public var productIDs: Set<String> { Set(purchases.map(\.productID)) }
}

extension Result<RestoreResponse, StoreError> {
    /// How the restore ended for its call.
    func outcome(core: StoreCore) -> Result<RestoreOutcome, StoreError> {
        switch self {
        case .success(let response): .success(.restored(response.records.map { StorePurchase($0, owner: core) }))
        case .failure(let error) where error.code == .userCancelled: .success(.userCancelled)
        case .failure(let error): .failure(error)
        }
    }
}

extension PurchaseOutcome: CustomStringConvertible {
    /// The outcome and its value, on one line.
    public var description: String {
        switch self {
        case .success(let purchase): "success(\(purchase))"
        case .pending(let pending): "pending(\(pending))"
        case .userCancelled: "userCancelled"
        }
    }
}

extension RestoreOutcome: CustomStringConvertible {
    /// The outcome and the transactions, on one line.
    public var description: String {
        switch self {
        case .restored(let purchases): "restored(\(purchases.map(\.transaction.description).joined(separator: "; ")))"
        case .userCancelled: "userCancelled"
        }
    }
}
