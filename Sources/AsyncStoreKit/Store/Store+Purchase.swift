extension Store {
    /// Buys a product. Whoever calls finishes what was bought, unless a delivery is installed, which is asked first.
    ///
    /// Payments take their turns, in the order of the calls. Cancelling the task ends the wait: a payment that still waits
    /// for its turn is withdrawn, one that is with StoreKit goes on, and its transaction arrives on ``transactions``.
    /// - Throws: What StoreKit says of a failed payment, or ``StoreError/Code/productNotFound``,
    ///   ``StoreError/Code/invalidQuantity``, ``StoreError/Code/conflictingAccount``, ``StoreError/Code/paymentNotAllowed``,
    ///   ``StoreError/Code/transactionRemoved``, ``StoreError/Code/timedOut``, ``StoreError/Code/cancelled``,
    ///   ``StoreError/Code/deliveryRejected`` and ``StoreError/Code/deliveryOwed``.
    public func purchase(
        _ productID: String, options: PurchaseOptions = PurchaseOptions()
    ) async throws(StoreError) -> PurchaseOutcome {
        outcome(of: try await answer(for: productID, options, handling: .store))
    }

    /// Buys a product that is known already. See ``purchase(_:options:)``.
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions()
    ) async throws(StoreError) -> PurchaseOutcome {
        outcome(of: try await answer(for: product, options, handling: .store))
    }

    /// Buys a product and delivers it in the closure: finished when it returns, left unfinished when it throws.
    ///
    /// The closure runs in the caller's isolation, outside the payment's turn: it may be slow, and may buy again. When it
    /// throws, or the task is cancelled before it returns, the transaction is offered on ``transactions``, and comes again
    /// at the next launch. It is not run for a purchase that somebody else is delivering already.
    /// - Throws: As ``purchase(_:options:)`` does, and ``StoreError/Code/deliveryFailed`` with what the closure threw
    ///   underneath.
    @discardableResult
    public func purchase(
        _ productID: String, options: PurchaseOptions = PurchaseOptions(), deliver: (StorePurchase) async throws -> Void
    ) async throws(StoreError) -> PurchaseOutcome {
        let outcome = outcome(of: try await answer(for: productID, options, handling: .closure))
        try await delivering(outcome, deliver)
        return outcome
    }

    /// Buys a product that is known already, and delivers it in the closure. See ``purchase(_:options:deliver:)``.
    @discardableResult
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions(), deliver: (StorePurchase) async throws -> Void
    ) async throws(StoreError) -> PurchaseOutcome {
        let outcome = outcome(of: try await answer(for: product, options, handling: .closure))
        try await delivering(outcome, deliver)
        return outcome
    }

    private func answer(
        for productID: String, _ options: PurchaseOptions, handling: AnswerHandling
    ) async throws(StoreError) -> PurchaseAnswer {
        let request = try options.request(for: productID)
        let id = CallID()
        if !core.knows(productID) {
            // The place in line is taken before the product is known: first come, first served.
            core.send(.reservePayment(id))
            do throws(StoreError) {
                _ = try await core.product(productID)
            } catch {
                core.send(.withdrawPayment(id))
                throw error
            }
        }
        return try await answer(to: request, id, options, handling: handling)
    }

    private func answer(
        for product: StoreProduct, _ options: PurchaseOptions, handling: AnswerHandling
    ) async throws(StoreError) -> PurchaseAnswer {
        try await answer(to: try options.request(for: product.id), CallID(), options, handling: handling)
    }

    private func answer(
        to request: PaymentRequest, _ id: CallID, _ options: PurchaseOptions, handling: AnswerHandling
    ) async throws(StoreError) -> PurchaseAnswer {
        guard canMakePayments else {
            core.send(.withdrawPayment(id))
            throw StoreError(
                .paymentNotAllowed, "\"\(request.productID)\" cannot be bought: payments are not allowed on this device.")
        }
        return try await core.purchase(id, request, timeout: options.timeout, handling: handling)
    }

    func outcome(of answer: PurchaseAnswer) -> PurchaseOutcome {
        switch answer {
        case .paid(let record): .success(StorePurchase(record, core: core))
        case .pending(let pending, _): .pending(pending)
        case .userCancelled: .userCancelled
        }
    }

    func delivering(
        _ outcome: PurchaseOutcome, _ deliver: (StorePurchase) async throws -> Void
    ) async throws(StoreError) {
        guard case .success(let purchase) = outcome, !purchase.isDelivered else { return }
        try await core.deliver(purchase, deliver)
    }
}
