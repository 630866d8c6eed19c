import Dispatch

/// A store's calls with completions instead of `await`, for call sites that cannot wait: Objective-C style, and halfway there.
///
/// ```swift
/// store.callbacks.purchase("com.example.pro") { result in
///     guard case .success(.success(let purchase)) = result else { return }
///     unlock(purchase.productID)
///     store.callbacks.finish(purchase.transaction)
/// }
/// ```
/// A call takes effect in order with those made before and after it, from any thread. Its completion is called once, on the main
/// queue, after the call has returned. They have a type of their own because a closure after
/// ``PurchaseStore/purchase(_:options:deliver:)-(String,_,_)`` means something else: that one delivers, and finishes by returning.
public struct StoreCallbacks: Sendable {
    /// Takes the answer, on the main queue.
    public typealias Completion<Value> = @MainActor @Sendable (Result<Value, StoreError>) -> Void
    /// Takes one event after the other, on the main queue.
    public typealias Handler<Event> = @MainActor @Sendable (Event) -> Void

    let core: StoreCore
}

extension PurchaseStore {
    /// The same store's calls with completions instead of `await`.
    public var callbacks: StoreCallbacks { StoreCallbacks(core: core) }
}

extension StoreCallbacks {
    /// The main queue's turn to hear an answer.
    func send<Value: Sendable>(_ answer: Result<Value, StoreError>, to completion: @escaping Completion<Value>) {
        DispatchQueue.main.async { completion(answer) }
    }
}

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
    /// A second restore is refused while one runs. See ``PurchaseStore/restore(account:)`` for what can come of it.
    @discardableResult
    public func restore(account: PurchaseAccount? = nil, completion: @escaping Completion<RestoreOutcome>) -> StoreCall {
        core.restore(applicationUsername: account?.applicationUsername, style: .plain) { [self] response in
            send(response.outcome(core: core), to: completion)
        }
    }

    /// Tells the queue that a transaction's content is delivered. See ``PurchaseStore/finish(_:)`` for what can come of it.
    public func finish(_ transaction: StoreTransaction, completion: @escaping Completion<Void> = { _ in }) {
        core.finish(transaction.token) { [self] result in send(result, to: completion) }
    }

    private func purchase(
        _ productID: String, isKnown: Bool, _ options: PurchaseOptions, _ completion: @escaping Completion<PurchaseOutcome>
    ) -> StoreCall {
        do throws(StoreError) {
            let request = try options.request(for: productID)
            return core.purchase(request, isKnown: isKnown, style: .plain) { [self] response in
                send(response.map { PurchaseOutcome($0, core: core) }, to: completion)
            }
        } catch {
            send(.failure(error), to: completion)
            return .over
        }
    }
}

// Requests.
extension StoreCallbacks {
    /// Asks what the App Store says about these products. See ``PurchaseStore/products(for:)`` for what can come of it.
    @discardableResult
    public func products(for productIDs: some Collection<String>, completion: @escaping Completion<ProductsResponse>) -> StoreCall {
        guard !productIDs.isEmpty else {
            send(.failure(.noProductIDs), to: completion)
            return .over
        }
        return core.products(productIDs) { [self] response in send(response, to: completion) }
    }

    /// Asks the App Store for a new receipt, which ``PurchaseStore/receiptData()`` gives then; people may be asked for their password.
    ///
    /// Callers at the same time share one request. See ``PurchaseStore/refreshReceipt()`` for what can come of it.
    @discardableResult
    public func refreshReceipt(completion: @escaping Completion<Void>) -> StoreCall {
        core.refreshReceipt { [self] result in send(result, to: completion) }
    }
}
