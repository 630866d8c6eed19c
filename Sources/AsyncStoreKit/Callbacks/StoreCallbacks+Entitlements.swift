import Dispatch

extension StoreCallbacks {
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
}
