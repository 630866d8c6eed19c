/// Something that was asked of the App Store, and that can be called off.
///
/// What the functions of ``SwiftyStoreKit`` return has been started already.
public protocol InAppRequest: AnyObject {
    /// Starts the request. Does nothing when it is running, or has ended.
    func start()
    /// Ends the wait: the completion is called once, with a cancelled error, unless it has been called before. Does nothing after that.
    func cancel()
}

/// A call of the old API that can be cancelled. Calling it off twice, or when it is over, does nothing: the store sees to that.
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
