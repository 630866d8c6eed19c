import Dispatch

// What is told on the streams of `PurchaseStore`, in the same order. A handler is called until its call is cancelled or the store is closed, and
// keeps no store alive.
extension StoreCallbacks {
    /// Is told what no call was waiting for, beginning with what is unfinished at the moment. See ``PurchaseStore/transactions``.
    @discardableResult
    public func onTransaction(_ handle: @escaping Handler<TransactionUpdate>) -> StoreCall {
        listen(StoreInput.subscribeToTransactions, { [weak core] record in core.map { TransactionUpdate(record, core: $0) } }, handle)
    }

    /// Is told what came to nothing while no call was waiting for it. See ``PurchaseStore/purchaseFailures``.
    @discardableResult
    public func onFailure(_ handle: @escaping Handler<PurchaseFailure>) -> StoreCall {
        listen(StoreInput.subscribeToFailures, { $0 }, handle)
    }

    /// Is told what was taken away. See ``PurchaseStore/revocations``.
    @discardableResult
    public func onRevocation(_ handle: @escaping Handler<PurchaseRevocation>) -> StoreCall {
        listen({ .subscribe($0, .revocations($1)) }, { $0 }, handle)
    }

    /// Is told what customers begin to buy in the App Store. See ``PurchaseStore/purchaseIntents``.
    @discardableResult
    public func onPurchaseIntent(_ handle: @escaping Handler<StorePurchaseIntent>) -> StoreCall {
        listen({ .subscribe($0, .promotions($1)) }, { [weak core] promotion in core.map { StorePurchaseIntent(promotion, core: $0) } }, handle)
    }

    /// Is told every change of every download of hosted content. See ``PurchaseStore/downloads``.
    @discardableResult
    public func onDownload(_ handle: @escaping Handler<StoreDownload>) -> StoreCall {
        listen({ .subscribe($0, .downloads($1)) }, { $0 }, handle)
    }

    /// Is told to which storefront the account moves. See ``PurchaseStore/storefrontChanges``.
    @discardableResult
    public func onStorefrontChange(_ handle: @escaping Handler<AppStorefront?>) -> StoreCall {
        listen({ .subscribe($0, .storefronts($1)) }, { .some($0) }, handle)
    }

    private func listen<Event: Sendable, Element: Sendable>(
        _ input: (CallID, Subscriber<Event>) -> StoreInput, _ element: @escaping @Sendable (Event) -> Element?,
        _ handle: @escaping Handler<Element>
    ) -> StoreCall {
        let id = CallID()
        let call = StoreCall { [weak core] in core?.send(.unsubscribe(id)) }
        let subscriber = Subscriber<Event>(
            send: { event in
                guard let element = element(event) else { return }
                // It may have been called off while this was on its way.
                DispatchQueue.main.async { if !call.isCancelled { handle(element) } }
            },
            finish: {})
        core.send(input(id, subscriber))
        return call
    }
}
