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
