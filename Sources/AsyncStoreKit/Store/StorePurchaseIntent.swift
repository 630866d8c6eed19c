/// A purchase that a customer has begun in the App Store, on the app's page.
///
/// When the policy held it, ``purchase()`` goes on with it, now or hours later, as long as the app runs: once, in whichever
/// loop or place it is called first. A call that is cancelled while its payment still waits for its turn has not used it up.
public struct StorePurchaseIntent: Sendable, Identifiable {
    private let promotion: PromotedPayment
    private let core: StoreCore

    init(_ promotion: PromotedPayment, core: StoreCore) {
        self.promotion = promotion
        self.core = core
    }

    /// Tells a purchase begun in the App Store from every other of this process.
    public struct ID: Sendable, Hashable {
        fileprivate let promotion: PromotedPayment.ID
    }

    /// Tells it from every other.
    public var id: ID { ID(promotion: promotion.id) }
    /// What is to be bought.
    public var productID: String { promotion.product.id }
    /// What is to be bought, with its price.
    public var product: StoreProduct { promotion.product }
    /// How many.
    public var quantity: Int { promotion.payment.quantity }
    /// Whether StoreKit has gone on with it by itself, because the policy said so: its transaction arrives on
    /// ``PurchaseStore/transactions``, and there is nothing to call.
    public var isContinuedAutomatically: Bool { promotion.decision == .continue }

    /// Goes on with the purchase. Whoever calls finishes what was bought, unless a delivery is installed, which is asked first.
    ///
    /// It takes its turn among the payments, as ``PurchaseStore/purchase(_:options:)-(String,_)`` does.
    /// - Throws: ``StoreError/Code/purchaseIntentAlreadyUsed`` when it goes on already: by itself, or by another call. Otherwise as
    ///   `PurchaseStore.purchase` does.
    public func purchase() async throws(StoreError) -> PurchaseOutcome {
        PurchaseOutcome(try await core.purchase(promotion, .plain), core: core)
    }

    /// Goes on with the purchase and delivers it in the closure: finished when it returns, left unfinished when it throws.
    ///
    /// The closure runs in the caller's isolation, as that of `PurchaseStore.purchase` does.
    /// - Throws: As ``purchase()`` does, and ``StoreError/Code/deliveryFailed`` with what the closure threw underneath.
    @discardableResult
    public func purchase(deliver: (StorePurchase) async throws -> Void) async throws(StoreError) -> PurchaseOutcome {
        let store = PurchaseStore(core: core)
        let outcome = PurchaseOutcome(try await core.purchase(promotion, .closure), core: core)
        try await store.delivering(outcome, deliver)
        return outcome
    }
}

extension StoreCore {
    fileprivate func purchase(_ promotion: PromotedPayment, _ style: Deliverer.CallStyle) async throws(StoreError) -> PurchaseResponse {
        guard !Task.isCancelled else { throw .cancelled("the purchase of \"\(promotion.product.id)\"") }
        return try await response(to: .purchase(promotion, style: style))
    }
}
