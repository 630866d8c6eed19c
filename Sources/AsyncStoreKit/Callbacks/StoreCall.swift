/// A call with a completion, or a handler of events, that can be cancelled.
///
/// Dropping it cancels nothing.
public final class StoreCall: Sendable {
    private let hasBeenCancelled = Locked(false)
    private let end: @Sendable () -> Void

    /// - Parameter end: Has the store end the wait. The store ignores it when the call is over.
    init(cancel end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// One that has its response.
    package static var over: StoreCall { StoreCall {} }

    var isCancelled: Bool { hasBeenCancelled.withLock { $0 } }

    /// Ends the wait: the completion is called with ``StoreError/Code/taskCancelled``, unless the call is over, and a handler of events is
    /// not called any more.
    ///
    /// A payment that still waits for its turn is withdrawn; one that is with StoreKit goes on, and its transaction is for those who
    /// listen to ``PurchaseStore/transactions``. Calling it twice, or when the call is over, does nothing. From any thread.
    public func cancel() {
        let isFirst = hasBeenCancelled.withLock { hasBeenCancelled in
            defer { hasBeenCancelled = true }
            return !hasBeenCancelled
        }
        if isFirst { end() }
    }
}
