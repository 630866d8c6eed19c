extension StoreCallbacks {
    /// Buys a product. Whoever calls finishes what was bought, unless a delivery is installed, which is asked first.
    ///
    /// See ``PurchaseStore/purchase(_:options:)-(String,_)`` for what can come of it.
    @discardableResult
    public func purchase(
        _ productID: String, options: PurchaseOptions = PurchaseOptions(), completion: @escaping Completion<PurchaseOutcome>
    ) -> StoreCall {
        purchase(productID, isKnown: core.knows(productID), options, completion)
    }

    /// Buys a product that is known already. See ``purchase(_:options:completion:)-(String,_,_)``.
    @discardableResult
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions(), completion: @escaping Completion<PurchaseOutcome>
    ) -> StoreCall {
        purchase(product.id, isKnown: true, options, completion)
    }

    /// Restores what was bought before. Whoever calls finishes it, unless a delivery is installed, which is asked first.
    ///
    /// A second restore is refused while one runs. See ``PurchaseStore/restore(applicationUsername:)`` for what can come of it.
    @discardableResult
    public func restore(applicationUsername: String? = nil, completion: @escaping Completion<RestoreOutcome>) -> StoreCall {
        let id = CallID()
        // Who keeps the call for longer than it lasts keeps no store alive.
        let call = StoreCall { [weak core] in
            core?.send(.cancelRestore(id))
        } forget: { [weak core] in
            core?.send(.forgetCancellation(id))
        }
        let reply = Reply<RestoreAnswer> { [self] answer in
            call.end()
            send(answer.map { RestoreOutcome(purchases: $0.records.map { StorePurchase($0, core: core) }) }, to: completion)
        }
        core.send(reply) { .restore(id, applicationUsername: applicationUsername, RestoreWaiter(handling: .store, reply: $0)) }
        return call
    }

    /// Tells the queue that a transaction's content is delivered. See ``PurchaseStore/finish(_:)`` for what can come of it.
    public func finish(_ transaction: StoreTransaction, completion: @escaping Completion<Void> = { _ in }) {
        let reply = Reply<Void> { send($0, to: completion) }
        core.send(reply) { .finish(transaction.id, $0) }
    }
}

extension StoreCallbacks {
    private func purchase(
        _ productID: String, isKnown: Bool, _ options: PurchaseOptions, _ completion: @escaping Completion<PurchaseOutcome>
    ) -> StoreCall {
        do throws(StoreError) {
            guard core.backend.canMakePayments else { throw .paymentsNotAllowed(for: productID) }
            let request = try options.request(for: productID)
            return core.purchase(request, isKnown: isKnown, timeout: options.timeout, handling: .store) { [self] answer in
                send(answer.map { PurchaseStore(core: core).outcome(of: $0) }, to: completion)
            }
        } catch {
            send(.failure(error), to: completion)
            return .over
        }
    }
}
