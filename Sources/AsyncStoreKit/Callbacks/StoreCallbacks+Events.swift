import Dispatch

// What is told on the streams of `PurchaseStore`, in the same order. A handler is called until its call is cancelled or the store is
// closed, and keeps no store alive.
extension StoreCallbacks {
    /// Is told what is paid for and no call was waiting for, beginning with what is unfinished. See ``PurchaseStore/transactions``.
    @discardableResult
    public func onTransaction(_ handle: @escaping Handler<StorePurchase>) -> StoreCall {
        listen(handle, { [weak core] record in core.map { StorePurchase(record, owner: $0) } }, EventSubscription.purchases)
    }

    /// Is told of failed transactions that no call was awaiting. See ``PurchaseStore/purchaseFailures``.
    @discardableResult
    public func onFailure(_ handle: @escaping Handler<PurchaseFailure>) -> StoreCall {
        listen(handle, { $0 }) { EventSubscription($0, to: \.failures, $1) }
    }

    /// Is told what waits for somebody's approval, at once and each time that this has changed. See ``PurchaseStore/pendingPurchases``.
    @discardableResult
    public func onPendingPurchases(_ handle: @escaping Handler<PendingPurchases>) -> StoreCall {
        listen(handle, { PendingPurchases($0) }, EventSubscription.pendingPurchases)
    }

    /// Is told what was taken away. See ``PurchaseStore/revocations``.
    @discardableResult
    public func onRevocation(_ handle: @escaping Handler<PurchaseRevocation>) -> StoreCall {
        listen(handle, { [weak core] in core?.acknowledging($0) ?? $0 }) { EventSubscription($0, to: \.revocations, $1) }
    }

    /// Is told what the App Store has to say to the customer. See ``PurchaseStore/messages``.
    @discardableResult
    public func onMessage(_ handle: @escaping Handler<StoreMessage>) -> StoreCall {
        listen(handle, { $0 }) { EventSubscription($0, to: \.messages, $1) }
    }

    /// Is told what customers begin to buy in the App Store. See ``PurchaseStore/purchaseIntents``.
    @discardableResult
    public func onPurchaseIntent(_ handle: @escaping Handler<StorePurchaseIntent>) -> StoreCall {
        listen(handle, { [weak core] promotion in core.map { StorePurchaseIntent(promotion, core: $0) } }) {
            EventSubscription($0, to: \.purchaseIntents, $1)
        }
    }

    /// Is told every change of every download of hosted content. See ``HostedContentDownloads/changes``.
    @discardableResult
    public func onDownload(_ handle: @escaping Handler<StoreDownload>) -> StoreCall {
        listen(handle, { $0 }) { EventSubscription($0, to: \.downloads, $1) }
    }

    /// Is told to which storefront the account moves. See ``PurchaseStore/storefrontChanges``.
    @discardableResult
    public func onStorefrontChange(_ handle: @escaping Handler<AppStorefront>) -> StoreCall {
        listen(handle, { $0 ?? .unknown }) { EventSubscription($0, to: \.storefronts, $1) }
    }

    /// Is told what the customer may use, as soon as that is known, and each time that it changes. See ``PurchaseStore/entitlements``.
    ///
    /// ``EntitlementSequence/latest`` has it at once.
    @discardableResult
    public func onEntitlements(_ handle: @escaping Handler<StoreEntitlements>) -> StoreCall {
        let id = CallID()
        let keeper = core.entitlements
        let call = StoreCall { [weak keeper] in keeper?.unsubscribe(id) }
        let told = Locked<StoreEntitlements?>(nil)
        keeper.subscribe(
            id,
            Subscriber { [weak keeper] in
                DispatchQueue.main.async {
                    // What has changed meanwhile is told in the place of what was to be told.
                    guard !call.isCancelled, let latest = keeper?.latest else { return }
                    let isNew = told.withLock { told in
                        defer { told = latest }
                        return told != latest
                    }
                    if isNew { handle(latest) }
                }
            })
        return call
    }

    private func listen<Event: Sendable, Element: Sendable>(
        _ handle: @escaping Handler<Element>, _ element: @escaping @Sendable (Event) -> Element?,
        _ subscription: (CallID, Subscriber<Event>) -> EventSubscription
    ) -> StoreCall {
        let id = CallID()
        let call = StoreCall { [weak core] in core?.enqueue(.unsubscribe(id)) }
        let subscriber = Subscriber<Event> { event in
            guard let element = element(event) else { return }
            // It may have been cancelled while this was on its way.
            DispatchQueue.main.async { if !call.isCancelled { handle(element) } }
        }
        core.enqueue(.subscribe(subscription(id, subscriber)))
        return call
    }
}
