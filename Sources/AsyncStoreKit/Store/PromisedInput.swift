/// An input with the promise of its response.
///
/// Made before anything is awaited: a task that waits has room for everything that its functions have ever had at hand, and
/// there may be very many that wait.
struct PromisedInput<Value: Sendable>: Sendable {
    let input: StoreInput
    let promise = Promise<Result<Value, StoreError>>()

    init(_ input: (Reply<Value>) -> StoreInput) {
        self.input = input(Reply(promise))
    }
}

/// An input whose response may take its time, with the input that ends the wait.
struct CancellableInput<Value: Sendable>: Sendable {
    let promised: PromisedInput<Value>
    let cancellation: StoreInput

    init(cancellation: StoreInput, _ input: (Reply<Value>) -> StoreInput) {
        self.cancellation = cancellation
        promised = PromisedInput(input)
    }
}

extension CancellableInput<PurchaseResponse> {
    /// Puts a payment in line.
    static func purchase(_ call: PaymentStateMachine.Call) -> CancellableInput {
        let id = CallID()
        return CancellableInput(cancellation: .cancelPurchase(id)) { .purchase(id, call, $0) }
    }

    /// Puts a payment in the place in line that was reserved for it.
    static func purchase(_ call: PaymentStateMachine.Call, reservedBy id: CallID) -> CancellableInput {
        CancellableInput(cancellation: .cancelPurchase(id)) { .purchaseReserved(id, call, $0) }
    }

    /// Continues a purchase that was begun in the App Store.
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
