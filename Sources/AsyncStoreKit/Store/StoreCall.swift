/// A cancellable call with a completion or an event handler.
///
/// Releasing the object doesn't cancel the call.
public final class StoreCall: Sendable {
    private let hasBeenCancelled = Locked(false)
    private let end: @Sendable () -> Void

    /// - Parameter end: Asks the store to end the call. The store ignores this after the call's end.
    init(cancel end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    package static var over: StoreCall { StoreCall {} }

    var isCancelled: Bool { hasBeenCancelled.withLock { $0 } }

    /// Cancels the call.
    ///
    /// A completion is called with ``StoreError/Code/taskCancelled``, unless the call has ended. An event handler isn't
    /// called again. A payment that waits for earlier ones is removed. A payment that StoreKit has continues, and its
    /// transaction arrives on ``PurchaseStore/transactions``. A second call, or a call after the end, has no effect.
    /// You can call this function from any thread.
    public func cancel() {
        let isFirst = hasBeenCancelled.withLock { hasBeenCancelled in
            defer { hasBeenCancelled = true }
            return !hasBeenCancelled
        }
        if isFirst { end() }
    }
}
