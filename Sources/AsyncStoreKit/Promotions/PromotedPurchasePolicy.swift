/// Whether a purchase that was begun in the App Store goes on at once.
public enum PromotedPurchasePolicy: Sendable {
    /// What is decided about one purchase.
    public enum Decision: Sendable, Hashable {
        /// StoreKit goes on with it by itself; its transaction arrives on ``Store/transactions``.
        case `continue`
        /// Not now: ``PromotedPurchase/purchase()`` goes on with it.
        case putOff
    }

    /// All go on at once.
    case `continue`
    /// None does.
    case putOff
    /// Decides for each. Called synchronously from the payment queue; must return quickly.
    case decide(@Sendable (PaymentRequest, StoreProduct) -> Decision)

    /// What this policy says of a payment.
    public func decision(on payment: PaymentRequest, for product: StoreProduct) -> Decision {
        switch self {
        case .continue: .continue
        case .putOff: .putOff
        case .decide(let decide): decide(payment, product)
        }
    }
}
