extension PurchaseStore {
    /// Buys a product. Whoever calls finishes what was bought, unless a delivery is installed, which is asked first.
    ///
    /// Payments take their turns, in the order of the calls. Cancelling the task ends the wait: a payment that still waits
    /// for its turn is withdrawn, one that is with StoreKit goes on, and its transaction arrives on ``transactions``.
    /// - Throws: What StoreKit says of a failed payment, or ``StoreError/Code/productNotFound``,
    ///   ``StoreError/Code/invalidQuantity``, ``StoreError/Code/conflictingAccount``, ``StoreError/Code/paymentNotAllowed``,
    ///   ``StoreError/Code/transactionRemoved``, ``StoreError/Code/timedOut``, ``StoreError/Code/cancelled``,
    ///   ``StoreError/Code/deliveryRejected`` and ``StoreError/Code/deliveryPending``.
    public func purchase(
        _ productID: String, options: PurchaseOptions = PurchaseOptions()
    ) async throws(StoreError) -> PurchaseOutcome {
        outcome(of: try await answer(for: productID, options, handling: .store))
    }

    /// Buys a product that is known already. See ``purchase(_:options:)``.
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions()
    ) async throws(StoreError) -> PurchaseOutcome {
        outcome(of: try await core.answer(to: try call(for: product.id, options, .store)))
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
        let outcome = outcome(of: try await core.answer(to: try call(for: product.id, options, .closure)))
        try await delivering(outcome, deliver)
        return outcome
    }

    private func answer(
        for productID: String, _ options: PurchaseOptions, handling: AnswerHandling
    ) async throws(StoreError) -> PurchaseAnswer {
        let call = try call(for: productID, options, handling)
        if !core.knows(productID) { try await load(productID, reserving: call.id) }
        return try await core.answer(to: call)
    }

    /// Asks for a product with a place in line taken: first come, first served.
    private func load(_ productID: String, reserving id: CallID) async throws(StoreError) {
        core.send(.reservePayment(id))
        do throws(StoreError) {
            _ = try await core.product(productID)
        } catch {
            core.send(.withdrawPayment(id))
            throw error
        }
    }

    // Not inlined: see `Question`.
    @inline(never)
    private func call(
        for productID: String, _ options: PurchaseOptions, _ handling: AnswerHandling
    ) throws(StoreError) -> Call<PurchaseAnswer> {
        let request = try options.request(for: productID)
        guard canMakePayments else { throw .paymentsNotAllowed(for: productID) }
        return .purchase(CallID(), request, timeout: options.timeout, handling: handling)
    }

    @inline(never)
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
