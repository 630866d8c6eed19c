/// A payment that was begun in the App Store, as the payment queue's observer was asked about it.
package struct PromotedPayment: Sendable, Hashable, Identifiable {
    /// Tells a payment begun in the App Store from every other of this process.
    package struct ID: Sendable, Hashable {
        private let call = CallID()

        /// Makes an identifier that no other payment has.
        package init() {}
    }

    /// Tells it from every other.
    package let id: ID
    /// What is to be paid. Submitted later, it carries ``id`` as `PaymentRequest.promotionID`.
    package let payment: PaymentRequest
    /// What is to be bought.
    package let product: StoreProduct
    /// What the queue was answered.
    package let decision: PromotedPurchasePolicy.Decision

    package init(id: ID, payment: PaymentRequest, product: StoreProduct, decision: PromotedPurchasePolicy.Decision) {
        self.id = id
        self.payment = payment
        self.product = product
        self.decision = decision
    }
}

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
    case decide(@Sendable (StoreProduct) -> Decision)

    /// What this policy says of a product.
    package func decision(on product: StoreProduct) -> Decision {
        switch self {
        case .continue: .continue
        case .hold: .hold
        case .decide(let decide): decide(product)
        }
    }
}
