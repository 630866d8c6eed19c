/// A payment that a customer started in the App Store.
package struct PromotedPayment: Sendable, Hashable, Identifiable {
    /// Identifies a payment from the App Store within this process.
    package struct ID: Sendable, Hashable {
        private let call = CallID()

        /// Creates a unique identifier.
        package init() {}
    }

    /// Identifies the payment within this process.
    package let id: ID
    /// The payment. When it is submitted later, its `promotionID` is ``id``.
    package let payment: PaymentRequest
    /// The product.
    package let product: StoreProduct
    /// The answer to the payment queue.
    package let decision: PurchaseIntentPolicy.Decision

    package init(id: ID, payment: PaymentRequest, product: StoreProduct, decision: PurchaseIntentPolicy.Decision) {
        self.id = id
        self.payment = payment
        self.product = product
        self.decision = decision
    }
}

/// Whether a purchase that a customer starts in the App Store continues immediately.
public enum PurchaseIntentPolicy: Sendable {
    /// The decision about one purchase.
    public enum Decision: Sendable, Hashable {
        /// StoreKit continues the purchase. Its transaction arrives on ``PurchaseStore/transactions``.
        case `continue`
        /// The purchase waits until you call ``StorePurchaseIntent/purchase()``.
        case hold
    }

    /// Continues every purchase immediately.
    case `continue`
    /// Holds every purchase.
    case hold
    /// Decides for each purchase. The closure is called synchronously by the payment queue and must return quickly.
    case decide(@Sendable (StoreProduct) -> Decision)

    /// Returns the decision about a product.
    package func decision(on product: StoreProduct) -> Decision {
        switch self {
        case .continue: .continue
        case .hold: .hold
        case .decide(let decide): decide(product)
        }
    }
}
