/// A request to the App Store that can be canceled.
///
/// The requests that functions of ``SwiftyStoreKit`` return are already running.
public protocol InAppRequest: AnyObject {
    /// Starts the request. Does nothing if the request is running or has ended.
    func start()
    /// Ends the wait. The completion is called with a cancellation error, unless it was called before. A purchase that
    /// StoreKit has answered keeps its answer. Later calls have no effect.
    func cancel()
}

/// A call of the block API that can be canceled. Canceling twice, or after the end of the call, has no effect.
final class LegacyRequest: InAppRequest, Sendable {
    private let end: @Sendable () -> Void

    init(cancel end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    func start() {}

    func cancel() {
        end()
    }
}
