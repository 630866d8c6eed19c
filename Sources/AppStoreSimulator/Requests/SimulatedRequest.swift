/// A question to the App Store: for products, or for a new receipt.
public final class SimulatedRequest: Sendable {
    /// What a request tells its handler.
    public enum Event: Sendable, Hashable {
        /// The products, in the order of their identifiers, and the identifiers that name none.
        case products([SimulatedProduct], invalid: [String])
        /// The request has come to its end.
        case finished
        /// The request has failed.
        case failed(SimulatedError)
    }

    /// Sends the request. A second call does nothing, nor does one after ``cancel()``.
    public func start() {}

    /// Withdraws the request: its handler is not called any more, unless ``SimulatorBehavior/repliesAfterCancel`` is set.
    public func cancel() {}
}
