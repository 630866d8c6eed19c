/// A purchase that a customer has started on your app's page in the App Store.
///
/// Call ``purchase(options:)`` to continue a held purchase, at any time while the app runs. A purchase continues once.
/// If a call is canceled while its payment waits for earlier ones, you can call ``purchase(options:)`` again.
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
    /// Whether the policy let the purchase continue by itself. Its transaction arrives on
    /// ``PurchaseStore/transactions``, and you don't call ``purchase(options:)``.
    public var isContinuedAutomatically: Bool { promotion.decision == .continue }

    /// Continues the purchase. Call `finish()` on the result, unless a delivery is installed; then the delivery handles
    /// the purchase first.
    ///
    /// The payment waits for earlier ones, as in ``PurchaseStore/purchase(_:options:)-(String,_)``.
    /// - Parameter options: How to buy the product. The quantity is the customer's, and so is an offer that the
    ///   customer has chosen. Over StoreKit 1, which continues the App Store's payment as it is, options other than a
    ///   timeout, an anchor and a context throw ``StoreError/Code/unsupported``.
    /// - Throws: ``StoreError/Code/purchaseIntentAlreadyUsed`` if the purchase has continued already, and the errors of
    ///   `PurchaseStore.purchase`.
    public func purchase(options: PurchaseOptions = PurchaseOptions()) async throws(StoreError) -> PurchaseOutcome {
        PurchaseOutcome(try await core.purchase(.promoted(promotion), options, .plain), core: core)
    }

    /// Continues the purchase and delivers it in the closure. The transaction is finished when the closure returns. It
    /// stays unfinished if the closure throws, or if the task is canceled before the closure returns.
    ///
    /// The closure runs in the caller's isolation. See ``PurchaseStore/purchase(_:options:deliver:)-(String,_,_)``.
    /// - Throws: The errors of ``purchase(options:)``; ``StoreError/Code/deliveryFailed`` with the closure's error
    ///   underneath; and ``StoreError/Code/taskCancelled`` if the task was canceled before the closure returned.
    @discardableResult
    nonisolated(nonsending) public func purchase(
        options: PurchaseOptions = PurchaseOptions(),
        deliver: nonisolated(nonsending) (StorePurchase) async throws -> Void
    ) async throws(StoreError) -> PurchaseOutcome {
        let response = try await core.purchase(.promoted(promotion), options, .closure)
        return try await PurchaseStore(core: core).delivering(response, deliver)
    }
}

extension StorePurchaseIntent: CustomStringConvertible {
    /// The product, with a quantity other than 1, and whether the purchase continues by itself.
    public var description: String {
        let product = quantity == 1 ? productID : "\(quantity) × \(productID)"
        return isContinuedAutomatically ? "\(product), continued automatically" : product
    }
}
