extension StoreCallbacks {
    /// Asks what the App Store says about these products. See ``PurchaseStore/products(for:)`` for what can come of it.
    @discardableResult
    public func products(for productIDs: Set<String>, completion: @escaping Completion<ProductsResponse>) -> StoreCall {
        let id = CallID()
        guard !productIDs.isEmpty else {
            send(.failure(.noProductIDs), to: completion)
            return .over
        }
        let call = StoreCall { [weak core] in core?.withdrawProducts(id) }
        core.requestProducts(id, productIDs) { [self] answer in send(answer, to: completion) }
        return call
    }

    /// Asks the App Store for a new receipt, which ``PurchaseStore/receiptData()`` gives then; people may be asked for their password.
    ///
    /// Callers at the same time share one request. See ``PurchaseStore/refreshReceipt()`` for what can come of it.
    @discardableResult
    public func refreshReceipt(completion: @escaping Completion<Void>) -> StoreCall {
        let id = CallID()
        let call = StoreCall { [weak core] in core?.withdrawReceipt(id) }
        core.requestReceipt(id) { [self] answer in send(answer, to: completion) }
        return call
    }
}
