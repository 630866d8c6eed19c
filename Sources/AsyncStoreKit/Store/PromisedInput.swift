/// An input with the promise of its response.
///
/// Created before the first `await`, to keep the async frames of waiting tasks small.
struct PromisedInput<Value: Sendable>: Sendable {
    let input: StoreInput
    let promise = Promise<Result<Value, StoreError>>()

    init(_ input: (Reply<Value>) -> StoreInput) {
        self.input = input(Reply(promise))
    }
}

/// An input whose response can take long, with the input that cancels it.
struct CancellableInput<Value: Sendable>: Sendable {
    let promised: PromisedInput<Value>
    let cancellation: StoreInput

    init(cancellation: StoreInput, _ input: (Reply<Value>) -> StoreInput) {
        self.cancellation = cancellation
        promised = PromisedInput(input)
    }
}

extension CancellableInput<PurchaseResponse> {
    /// Adds a payment to the line.
    static func purchase(_ call: PaymentStateMachine.Call) -> CancellableInput {
        let id = CallID()
        return CancellableInput(cancellation: .cancelPurchase(id)) { .purchase(id, call, $0) }
    }

    /// Continues a purchase from the App Store.
    static func purchase(_ promotion: PromotedPayment, style: Deliverer.CallStyle) -> CancellableInput {
        let id = CallID()
        return CancellableInput(cancellation: .cancelPurchase(id)) { .continuePromotion(id, promotion, style, $0) }
    }
}

extension CancellableInput<RestoreResponse> {
    static func restore(_ call: StoreStateMachine.RestoreCall) -> CancellableInput {
        let id = CallID()
        return CancellableInput(cancellation: .cancelRestore(id)) { .restore(id, call, $0) }
    }
}
