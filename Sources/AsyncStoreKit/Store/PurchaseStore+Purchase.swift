extension PurchaseStore {
    /// Purchases a product. Call `finish()` on the result, unless a delivery is installed; then the delivery handles
    /// the purchase first.
    ///
    /// Payments are made in the order of the calls. A call that must first load its product doesn't block other
    /// purchases. Cancelling the task only ends the wait: a payment that waits for its turn is withdrawn, and a payment
    /// that StoreKit has continues. Its transaction arrives on ``transactions``.
    /// - Throws: The StoreKit error of a failed payment, or ``StoreError/Code/productUnavailable``,
    ///   ``StoreError/Code/invalidQuantity``, ``StoreError/Code/invalidAccount``,
    ///   ``StoreError/Code/transactionRemoved``, ``StoreError/Code/timedOut``, ``StoreError/Code/taskCancelled``,
    ///   ``StoreError/Code/deliveryRejected`` and ``StoreError/Code/deliveryPending``.
    public func purchase(
        _ productID: String, options: PurchaseOptions = PurchaseOptions()
    ) async throws(StoreError) -> PurchaseOutcome {
        outcome(of: try await response(for: productID, options, .plain))
    }

    /// Purchases a loaded product. See ``purchase(_:options:)-(String,_)``.
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions()
    ) async throws(StoreError) -> PurchaseOutcome {
        outcome(of: try await core.response(to: try purchase(of: product.id, options, .plain)))
    }

    /// Purchases a product and delivers it in the closure. The transaction is finished when the closure returns.
    ///
    /// The closure runs in the caller's isolation, outside the payment's turn: it may take its time, and may make
    /// another purchase. If the closure throws, or the task is cancelled before the closure returns, the transaction
    /// stays unfinished. It is offered on ``transactions``, and again at the next launch.
    ///
    /// The closure isn't called if StoreKit answers with a purchase that is being delivered, or was delivered before:
    /// in this process, or by the ``StoreConfiguration/deliveryLedger`` in an earlier one.
    /// ``StorePurchase/isDelivered`` is `true` then.
    /// - Throws: As ``purchase(_:options:)-(String,_)`` does, and ``StoreError/Code/deliveryFailed`` with what the
    ///   closure threw underneath.
    @discardableResult
    public func purchase(
        _ productID: String, options: PurchaseOptions = PurchaseOptions(), deliver: (StorePurchase) async throws -> Void
    ) async throws(StoreError) -> PurchaseOutcome {
        let outcome = outcome(of: try await response(for: productID, options, .closure))
        try await delivering(outcome, deliver)
        return outcome
    }

    /// Purchases a loaded product and delivers it in the closure. See
    /// ``purchase(_:options:deliver:)-(String,_,_)``.
    @discardableResult
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions(),
        deliver: (StorePurchase) async throws -> Void
    ) async throws(StoreError) -> PurchaseOutcome {
        let outcome = outcome(of: try await core.response(to: try purchase(of: product.id, options, .closure)))
        try await delivering(outcome, deliver)
        return outcome
    }

    private func response(
        for productID: String, _ options: PurchaseOptions, _ style: Deliverer.CallStyle
    ) async throws(StoreError) -> PurchaseResponse {
        if core.knows(productID) { return try await core.response(to: try purchase(of: productID, options, style)) }
        return try await core.response(to: try await purchaseAfterLookUp(of: productID, options, style))
    }

    // Not inlined: see `PromisedInput`.
    @inline(never)
    private func purchase(
        of productID: String, _ options: PurchaseOptions, _ style: Deliverer.CallStyle
    ) throws(StoreError) -> CancellableInput<PurchaseResponse> {
        let request = try core.request(for: productID, options)
        guard !Task.isCancelled else { throw .cancelled("the purchase of \"\(productID)\"") }
        return .purchase(PaymentStateMachine.Call(request: request, style: style))
    }

    /// Loads the product while a place in line is reserved. Other calls go first until the product is loaded.
    private func purchaseAfterLookUp(
        of productID: String, _ options: PurchaseOptions, _ style: Deliverer.CallStyle
    ) async throws(StoreError) -> CancellableInput<PurchaseResponse> {
        let request = try core.request(for: productID, options)
        let id = CallID()
        core.enqueue(.reservePayment(id))
        do throws(StoreError) {
            _ = try await core.product(productID)
            guard !Task.isCancelled else { throw .cancelled("the purchase of \"\(productID)\"") }
        } catch {
            core.enqueue(.withdrawPayment(id))
            throw error
        }
        return .purchase(PaymentStateMachine.Call(request: request, style: style), reservedBy: id)
    }

    @inline(never)
    func outcome(of response: PurchaseResponse) -> PurchaseOutcome {
        PurchaseOutcome(response, core: core)
    }

    func delivering(
        _ outcome: PurchaseOutcome, _ deliver: (StorePurchase) async throws -> Void
    ) async throws(StoreError) {
        guard case .success(let purchase) = outcome, !purchase.isDelivered else { return }
        try await core.deliver(purchase, deliver)
    }
}
