/// Whether a purchase that was begun in the App Store goes on at once.
public enum PromotedPurchasePolicy: Sendable {
    /// What is decided about one purchase.
    public enum Decision: Sendable, Hashable {
        /// StoreKit goes on with it by itself; its transaction arrives on ``PurchaseStore/transactions``.
        case `continue`
        /// Not now: ``StorePurchaseIntent/purchase()`` goes on with it.
        case hold
    }

    /// All go on at once.
    case `continue`
    /// None does.
    case hold
    /// Decides for each. Called synchronously from the payment queue; must return quickly.
    case decide(@Sendable (PaymentRequest, StoreProduct) -> Decision)

    /// What this policy says of a payment.
    public func decision(on payment: PaymentRequest, for product: StoreProduct) -> Decision {
        switch self {
        case .continue: .continue
        case .hold: .hold
        case .decide(let decide): decide(payment, product)
        }
    }
}
