/// A payment that was begun in the App Store, as the payment queue's observer was asked about it.
public struct PromotedPayment: Sendable, Hashable, Identifiable {
    /// Tells a payment begun in the App Store from every other of this process.
    public struct ID: Sendable, Hashable {
        private let call = CallID()

        /// Makes an identifier that no other payment has.
        public init() {}
    }

    /// Tells it from every other.
    public let id: ID
    /// What is to be paid. Submitted later, it carries ``id`` as ``PaymentRequest/promotionID``.
    public let payment: PaymentRequest
    /// What is to be bought.
    public let product: StoreProduct
    /// What the queue was answered.
    public let decision: PromotedPurchasePolicy.Decision

    /// Describes such a payment. Only a ``StoreBackend`` has reason to.
    public init(id: ID, payment: PaymentRequest, product: StoreProduct, decision: PromotedPurchasePolicy.Decision) {
        self.id = id
        self.payment = payment
        self.product = product
        self.decision = decision
    }
}
