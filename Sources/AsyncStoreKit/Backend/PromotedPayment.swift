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
    package let payment: PaymentRequest
    package let product: StoreProduct
    package let decision: PurchaseIntentPolicy.Decision
    /// Whether the payment queue continues the purchase by itself, so that the store doesn't submit the payment.
    package let isContinuedByQueue: Bool

    /// Whether the store submits the payment, although no call asks for it.
    var isContinuedByStore: Bool { decision == .continue && !isContinuedByQueue }

    package init(
        id: ID, payment: PaymentRequest, product: StoreProduct, decision: PurchaseIntentPolicy.Decision,
        isContinuedByQueue: Bool
    ) {
        self.id = id
        self.payment = payment
        self.product = product
        self.decision = decision
        self.isContinuedByQueue = isContinuedByQueue
    }

    /// Returns the payment with the options of the app. The quantity is the customer's, and so is an offer.
    package func request(_ options: PurchaseOptions = PurchaseOptions()) -> PaymentRequest {
        var options = options
        options.quantity = payment.quantity
        options.offer = payment.offer ?? options.offer
        options.account = options.account ?? payment.options.account
        var request = PaymentRequest(productID: payment.productID, options: options)
        request.promotionID = id
        return request
    }
}

/// Whether a purchase that a customer starts in the App Store continues immediately.
public enum PurchaseIntentPolicy: Sendable {
    /// The decision about one purchase.
    public enum Decision: Sendable, Hashable {
        /// The purchase continues by itself. Its transaction arrives on ``PurchaseStore/transactions``.
        case `continue`
        /// The purchase waits until you call ``StorePurchaseIntent/purchase(options:)``.
        case hold
    }

    /// Continues every purchase immediately.
    case `continue`
    /// Holds every purchase.
    case hold
    /// Decides for each purchase. The closure is called synchronously by the payment queue and must return quickly.
    case decide(@Sendable (StoreProduct) -> Decision)

    package func decision(on product: StoreProduct) -> Decision {
        switch self {
        case .continue: .continue
        case .hold: .hold
        case .decide(let decide): decide(product)
        }
    }
}
