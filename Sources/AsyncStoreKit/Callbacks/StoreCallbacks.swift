import Dispatch

/// A store's calls with completion handlers instead of `await`, for code that can't be asynchronous.
///
/// ```swift
/// store.callbacks.purchase("com.example.pro") { result in
///     guard case .success(.success(let purchase)) = result else { return }
///     unlock(purchase.productID)
///     store.callbacks.finish(purchase.transaction)
/// }
/// ```
/// Calls take effect in the order in which they are made, from any thread. A completion is called once, on the main
/// queue, after the call has returned. These functions have a separate type because the closure of
/// ``PurchaseStore/purchase(_:options:deliver:)-(String,_,_)`` has another meaning: it delivers the purchase, and the
/// purchase is finished when the closure returns.
public struct StoreCallbacks: Sendable {
    /// Receives the result, on the main queue.
    public typealias Completion<Value> = @MainActor @Sendable (Result<Value, StoreError>) -> Void
    /// Receives events serially, on the main queue.
    public typealias Handler<Event> = @MainActor @Sendable (Event) -> Void

    let core: StoreCore
}

extension PurchaseStore {
    /// The store's calls with completion handlers instead of `await`.
    public var callbacks: StoreCallbacks { StoreCallbacks(core: core) }
}

extension StoreCallbacks {
    /// Calls a completion on the main queue.
    func send<Value: Sendable>(_ answer: Result<Value, StoreError>, to completion: @escaping Completion<Value>) {
        DispatchQueue.main.async { completion(answer) }
    }

    /// Purchases a product. Call `finish` after the purchase, unless a delivery is installed; then the delivery handles
    /// the purchase first.
    ///
    /// See ``PurchaseStore/purchase(_:options:)-(String,_)`` for the outcomes and errors.
    @discardableResult
    public func purchase(
        _ productID: String, options: PurchaseOptions = PurchaseOptions(),
        completion: @escaping Completion<PurchaseOutcome>
    ) -> StoreCall {
        purchase(productID, .ifUnknown, options, completion)
    }

    /// Purchases a product that has been loaded. See ``purchase(_:options:completion:)-(String,_,_)``.
    @discardableResult
    public func purchase(
        _ product: StoreProduct, options: PurchaseOptions = PurchaseOptions(),
        completion: @escaping Completion<PurchaseOutcome>
    ) -> StoreCall {
        purchase(product.id, .none, options, completion)
    }

    /// Restores purchases. Call `finish` for each purchase, unless a delivery is installed; then the delivery handles
    /// the purchases first.
    ///
    /// A second restore fails while one is running. See ``PurchaseStore/restore(account:)`` for the outcomes and
    /// errors.
    @discardableResult
    public func restore(account: PurchaseAccount? = nil, completion: @escaping Completion<RestoreOutcome>) -> StoreCall
    {
        core.restore(applicationUsername: account?.applicationUsername, style: .plain) { [self] response in
            send(response.outcome(core: core), to: completion)
        }
    }

    /// Finishes a transaction whose content is delivered. See ``PurchaseStore/finish(_:)`` for the errors.
    public func finish(_ transaction: StoreTransaction, completion: @escaping Completion<Void> = { _ in }) {
        core.finish(transaction.token) { [self] result in send(result, to: completion) }
    }

    private func purchase(
        _ productID: String, _ lookUp: ProductLookUp, _ options: PurchaseOptions,
        _ completion: @escaping Completion<PurchaseOutcome>
    ) -> StoreCall {
        core.purchase(.product(productID, lookUp: lookUp), options, style: .plain) { [self] response in
            send(response.map { PurchaseOutcome($0, core: core) }, to: completion)
        }
    }
}

// Requests.
extension StoreCallbacks {
    /// Loads products from the App Store. See ``PurchaseStore/products(for:)`` for the errors.
    @discardableResult
    public func products(for productIDs: some Collection<String>, completion: @escaping Completion<ProductsResponse>)
        -> StoreCall
    {
        guard !productIDs.isEmpty else {
            send(.failure(.noProductIDs), to: completion)
            return .over
        }
        return core.products(productIDs) { [self] response in send(response, to: completion) }
    }

    /// Requests a new receipt from the App Store, which ``StoreReceipt/data()`` returns afterwards. The system
    /// may ask the customer for their password.
    ///
    /// Concurrent calls share one request. See ``StoreReceipt/refresh()`` for the errors.
    @discardableResult
    public func refreshReceipt(completion: @escaping Completion<Void>) -> StoreCall {
        core.refreshReceipt { [self] result in send(result, to: completion) }
    }
}
