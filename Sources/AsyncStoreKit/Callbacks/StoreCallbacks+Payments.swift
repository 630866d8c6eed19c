extension StoreCallbacks {
    /// Buys a product. Whoever calls finishes what was bought, unless a delivery is installed, which is asked first.
    ///
    /// See ``Store/purchase(_:options:)-(String,_)`` for what can come of it.
    @discardableResult
    public func purchase(
        _ productID: String, options: PurchaseOptions = PurchaseOptions(), completion: @escaping Completion<PurchaseOutcome>
    ) -> StoreCall {
        let id = CallID()
        let call = call(id) { core in
            core.withdrawProducts(id)
            core.send(.cancelPurchase(id))
        }
        guard let request = request(for: productID, options, call, completion) else { return call }
        guard !core.knows(productID) else {
            submit(request, id, options, call, completion)
            return call
        }
        // The place in line is taken before the product is known: first come, first served.
        core.send(.reservePayment(id))
        core.requestProducts(id, [productID]) { [self] answer in
            switch answer {
            case .success(let response) where response.products.isEmpty:
                core.send(.withdrawPayment(id))
                end(call, .failure(.unknownProduct(productID)), completion)
            case .success:
                submit(request, id, options, call, completion)
            case .failure(let error):
                core.send(.withdrawPayment(id))
                end(call, .failure(error), completion)
            }
        }
        return call
    }

    /// Buys a product that is known already. See ``purchase(_:options:completion:)-(String,_,_)``.
    @discardableResult
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions(), completion: @escaping Completion<PurchaseOutcome>
    ) -> StoreCall {
        let id = CallID()
        let call = call(id) { $0.send(.cancelPurchase(id)) }
        if let request = request(for: product.id, options, call, completion) { submit(request, id, options, call, completion) }
        return call
    }

    /// Restores what was bought before. Whoever calls finishes it, unless a delivery is installed, which is asked first.
    ///
    /// A second restore is refused while one runs. See ``Store/restore(applicationUsername:)`` for what can come of it.
    @discardableResult
    public func restore(applicationUsername: String? = nil, completion: @escaping Completion<RestoreOutcome>) -> StoreCall {
        let id = CallID()
        let call = call(id) { $0.send(.cancelRestore(id)) }
        let reply = Reply<[TransactionRecord]> { [self] answer in
            end(call, answer.map { RestoreOutcome(purchases: $0.map { StorePurchase($0, core: core) }) }, completion)
        }
        core.send(reply) { .restore(id, applicationUsername: applicationUsername, RestoreWaiter(handling: .store, reply: $0)) }
        return call
    }

    /// Tells the queue that a transaction's content is delivered. See ``Store/finish(_:)`` for what can come of it.
    public func finish(_ transaction: StoreTransaction, completion: @escaping Completion<Void> = { _ in }) {
        let reply = Reply<Void> { send($0, to: completion) }
        core.send(reply) { .finish(transaction.id, $0) }
    }
}

extension StoreCallbacks {
    /// A call that keeps no store alive when somebody keeps it for longer than it lasts.
    private func call(_ id: CallID, withdraw: @escaping @Sendable (StoreCore) -> Void) -> StoreCall {
        StoreCall { [weak core] in
            if let core { withdraw(core) }
        } forget: { [weak core] in
            core?.send(.forgetCancellation(id))
        }
    }

    /// The payment; `nil` when there can be none, which the completion is told.
    private func request(
        for productID: String, _ options: PurchaseOptions, _ call: StoreCall, _ completion: @escaping Completion<PurchaseOutcome>
    ) -> PaymentRequest? {
        do throws(StoreError) {
            guard core.backend.canMakePayments else { throw .paymentsNotAllowed(for: productID) }
            return try options.request(for: productID)
        } catch {
            end(call, .failure(error), completion)
            return nil
        }
    }

    private func submit(
        _ request: PaymentRequest, _ id: CallID, _ options: PurchaseOptions, _ call: StoreCall,
        _ completion: @escaping Completion<PurchaseOutcome>
    ) {
        let reply = Reply<PurchaseAnswer> { [self] answer in
            end(call, answer.map { Store(core: core).outcome(of: $0) }, completion)
        }
        core.send(reply) { .purchase(id, request, PurchaseWaiter(handling: .store, timeout: options.timeout, reply: $0)) }
    }

    private func end<Value: Sendable>(
        _ call: StoreCall, _ answer: Result<Value, StoreError>, _ completion: @escaping Completion<Value>
    ) {
        call.end()
        send(answer, to: completion)
    }
}
