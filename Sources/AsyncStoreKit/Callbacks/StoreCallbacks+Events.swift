import Dispatch

// The events of `PurchaseStore`'s streams, in the same order. A handler is called until its call is canceled or the
// store is closed. It doesn't keep the store alive.
extension StoreCallbacks {
    /// Calls a closure with each purchase made outside a `purchase` call, beginning with the unfinished ones. See
    /// ``PurchaseStore/transactions``.
    @discardableResult
    public func onTransaction(_ handle: @escaping Handler<StorePurchase>) -> StoreCall {
        listen(
            handle, { [weak core] record in core.map { StorePurchase(record, owner: $0) } }, EventSubscription.purchases
        )
    }

    /// Calls a closure with each event, for analytics and logs. See ``PurchaseStore/events``.
    @discardableResult
    public func onEvent(_ handle: @escaping Handler<StoreEvent>) -> StoreCall {
        listen(handle, { $0 }) { EventSubscription($0, to: \.all, $1) }
    }

    /// Calls a closure with each failed transaction that no call was waiting for. See
    /// ``PurchaseStore/purchaseFailures``.
    @discardableResult
    public func onFailure(_ handle: @escaping Handler<PurchaseFailure>) -> StoreCall {
        listen(handle, { $0 }) { EventSubscription($0, to: \.failures, $1) }
    }

    /// Calls a closure with the purchases that wait for approval, immediately and after every change. See
    /// ``PurchaseStore/pendingPurchases``.
    @discardableResult
    public func onPendingPurchases(_ handle: @escaping Handler<PendingPurchases>) -> StoreCall {
        listen(handle, { PendingPurchases($0) }, EventSubscription.pendingPurchases)
    }

    /// Calls a closure with each revocation. See ``PurchaseStore/revocations``.
    @discardableResult
    public func onRevocation(_ handle: @escaping Handler<PurchaseRevocation>) -> StoreCall {
        listen(handle, { [weak core] in core?.acknowledging($0) ?? $0 }) {
            EventSubscription($0, to: \.revocations, $1)
        }
    }

    /// Calls a closure with each message of the App Store to the customer. See ``PurchaseStore/messages``.
    @discardableResult
    public func onMessage(_ handle: @escaping Handler<StoreMessage>) -> StoreCall {
        listen(handle, { $0 }) { EventSubscription($0, to: \.messages, $1) }
    }

    /// Calls a closure with each purchase that a customer starts in the App Store. See
    /// ``PurchaseStore/purchaseIntents``.
    @discardableResult
    public func onPurchaseIntent(_ handle: @escaping Handler<StorePurchaseIntent>) -> StoreCall {
        listen(handle, { [weak core] promotion in core.map { StorePurchaseIntent(promotion, core: $0) } }) {
            EventSubscription($0, to: \.purchaseIntents, $1)
        }
    }

    /// Calls a closure with every change of every download of hosted content. See ``HostedContentDownloads/changes``.
    @discardableResult
    public func onDownload(_ handle: @escaping Handler<StoreDownload>) -> StoreCall {
        listen(handle, { $0 }, EventSubscription.downloads)
    }

    /// Calls a closure with the new storefront after each change. See ``PurchaseStore/storefrontChanges``.
    @discardableResult
    public func onStorefrontChange(_ handle: @escaping Handler<AppStorefront>) -> StoreCall {
        listen(handle, { $0 ?? .unknown }) { EventSubscription($0, to: \.storefronts, $1) }
    }

    /// Calls a closure with the entitlements, as soon as they are known and after every change. See
    /// ``PurchaseStore/entitlements``.
    ///
    /// ``EntitlementSequence/latest`` has the current value immediately.
    @discardableResult
    public func onEntitlements(_ handle: @escaping Handler<StoreEntitlements>) -> StoreCall {
        let id = CallID()
        let monitor = core.entitlements
        let call = StoreCall { [weak monitor] in monitor?.unsubscribe(id) }
        let received = Locked<StoreEntitlements?>(nil)
        monitor.subscribe(
            id,
            Subscriber { [weak monitor] in
                DispatchQueue.main.async {
                    // The handler receives the latest value, which may be newer than the one that was sent.
                    guard !call.isCancelled, let latest = monitor?.latest else { return }
                    let isNew = received.withLock { received in
                        defer { received = latest }
                        return received != latest
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
            // The call may be canceled before the main queue runs the closure.
            DispatchQueue.main.async { if !call.isCancelled { handle(element) } }
        }
        core.enqueue(.subscribe(subscription(id, subscriber)))
        return call
    }
}
