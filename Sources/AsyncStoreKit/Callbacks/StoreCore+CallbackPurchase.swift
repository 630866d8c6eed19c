extension StoreCore {
    /// Buys, and calls back once. The place in line is taken before this returns, also when the product has to be looked up first, and
    /// the call can be called off in every phase: the look-up, the line, the payment.
    /// - Parameter isKnown: Whether the product need not be looked up.
    package func purchase(
        _ request: PaymentRequest, isKnown: Bool, timeout: Double? = nil, handling: AnswerHandling,
        _ answer: @escaping @Sendable (Result<PurchaseAnswer, StoreError>) -> Void
    ) -> StoreCall {
        let id = CallID()
        // Who keeps the call for longer than it lasts keeps no store alive.
        let call = StoreCall { [weak self] in
            self?.withdrawProducts(id)
            self?.send(.cancelPurchase(id))
        } forget: { [weak self] in
            self?.send(.forgetCancellation(id))
        }
        let submit: @Sendable () -> Void = { [self] in
            let reply = Reply<PurchaseAnswer> { result in
                call.end()
                answer(result)
            }
            send(reply) { .purchase(id, request, PurchaseWaiter(handling: handling, timeout: timeout, reply: $0)) }
        }
        guard !isKnown else {
            submit()
            return call
        }
        // First come, first served.
        send(.reservePayment(id))
        requestProducts(id, [request.productID]) { [self] result in
            switch result {
            case .success(let response) where !response.products.isEmpty:
                return submit()
            case .success:
                withdraw(id, call, .unknownProduct(request.productID), answer)
            case .failure(let error):
                withdraw(id, call, error, answer)
            }
        }
        return call
    }

    private func withdraw(
        _ id: CallID, _ call: StoreCall, _ error: StoreError, _ answer: (Result<PurchaseAnswer, StoreError>) -> Void
    ) {
        send(.withdrawPayment(id))
        call.end()
        answer(.failure(error))
    }
}
