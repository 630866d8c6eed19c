import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A store's behavior when the backend has accepted a payment, and when it refuses one.
@Suite(.bounded) struct StoreSubmissionTests {
    private let first = CallID()
    private let second = CallID()

    @Test func `a payment that the backend refuses is answered, and frees the slot`() throws {
        var store = StoreStateMachine()
        for (id, product) in zip([first, second], ["coins", "gems"]) {
            store.purchase(id, PaymentStateMachine.Call(request: PaymentRequest(productID: product), style: .plain))
        }
        guard case .submit(let payment)? = store.actions.first else { throw StoreError(.unknown, "\(store.actions)") }
        store.actions = []
        store.willSubmit(payment, mark: .entry(10))
        store.submissionFailed(payment, StoreError(.backendUnavailable, "There is no queue."))
        let actions = store.perform()
        expectEqual(actions.failure(of: first)?.code, .backendUnavailable)
        expectEqual(actions.submitted, ["gems"])
    }

    @Test func `a call that is canceled after its submission gives no other call the purchase`() {
        let product = StoreProduct(
            id: "pro", displayName: "", description: "", price: 1, priceLocale: Locale(identifier: "en_US"))
        let payment = PaymentRequest(productID: "pro")
        let promotion = PromotedPayment(
            id: PromotedPayment.ID(), payment: payment, product: product, decision: .hold, isContinuedByQueue: false)
        let call = PaymentStateMachine.Call(request: promotion.request(), style: .plain)
        var store = StoreStateMachine()
        store.paymentPromoted(promotion)
        expectEqual(store.perform(), [])
        store.purchase(first, call)
        expectEqual(store.perform().submitted, ["pro"])
        store.cancelPurchase(first)
        store.purchase(second, call)
        let actions = store.perform()
        expectEqual(actions.submitted, [])
        expectEqual(actions.failure(of: second)?.code, .purchaseIntentAlreadyUsed)
    }
}
