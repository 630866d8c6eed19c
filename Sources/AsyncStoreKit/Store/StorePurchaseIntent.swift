/// A purchase that a customer has started on your app's page in the App Store.
///
/// Call ``purchase()`` to continue a held purchase, at any time while the app runs. A purchase continues once. If a
/// call is canceled while its payment waits for earlier ones, you can call ``purchase()`` again.
public struct StorePurchaseIntent: Sendable, Identifiable {
    private let promotion: PromotedPayment
    private let core: StoreCore

    init(_ promotion: PromotedPayment, core: StoreCore) {
        self.promotion = promotion
        self.core = core
    }

    /// Identifies a purchase from the App Store within this process.
    public struct ID: Sendable, Hashable {
        fileprivate let promotion: PromotedPayment.ID
    }

    /// The identifier.
    public var id: ID { ID(promotion: promotion.id) }
    /// The product identifier.
    public var productID: String { promotion.product.id }
    /// The product, with its price.
    public var product: StoreProduct { promotion.product }
    /// The quantity.
    public var quantity: Int { promotion.payment.quantity }
    /// Whether the policy let StoreKit continue the purchase. Its transaction arrives on
    /// ``PurchaseStore/transactions``, and you don't call ``purchase()``.
    public var isContinuedAutomatically: Bool { promotion.decision == .continue }

    /// Continues the purchase. Call `finish()` on the result, unless a delivery is installed; then the delivery handles
    /// the purchase first.
    ///
    /// The payment waits for earlier ones, as in ``PurchaseStore/purchase(_:options:)-(String,_)``.
    /// - Throws: ``StoreError/Code/purchaseIntentAlreadyUsed`` if the purchase has continued already, and the errors of
    ///   `PurchaseStore.purchase`.
    public func purchase() async throws(StoreError) -> PurchaseOutcome {
        PurchaseOutcome(try await core.purchase(promotion, .plain), core: core)
    }

    /// Continues the purchase and delivers it in the closure. The transaction is finished when the closure returns. It
    /// stays unfinished if the closure throws, or if the task is canceled before the closure returns.
    ///
    /// The closure runs in the caller's isolation. See ``PurchaseStore/purchase(_:options:deliver:)-(String,_,_)``.
    /// - Throws: The errors of ``purchase()``; ``StoreError/Code/deliveryFailed`` with the closure's error underneath;
    ///   and ``StoreError/Code/taskCancelled`` if the task was canceled before the closure returned.
    @discardableResult
    nonisolated(nonsending) public func purchase(
        deliver: nonisolated(nonsending) (StorePurchase) async throws -> Void
    ) async throws(StoreError) -> PurchaseOutcome {
        let store = PurchaseStore(core: core)
        let outcome = PurchaseOutcome(try await core.purchase(promotion, .closure), core: core)
        try await store.delivering(outcome, deliver)
        return outcome
    }
}

extension StoreCore {
    fileprivate func purchase(_ promotion: PromotedPayment, _ style: Deliverer.CallStyle) async throws(StoreError)
        -> PurchaseResponse
    {
        guard !Task.isCancelled else { throw .cancelled("the purchase of \"\(promotion.product.id)\"") }
        return try await response(to: .purchase(promotion, style: style))
    }
}

extension StorePurchaseIntent: CustomStringConvertible {
    /// The product, with a quantity other than 1, and whether the purchase continues by itself.
    public var description: String {
        let product = quantity == 1 ? productID : "\(quantity) × \(productID)"
        return isContinuedAutomatically ? "\(product), continued automatically" : product
    }
}
