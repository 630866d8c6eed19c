import Dispatch

/// A completion or handler of the old API: always called on the main queue, and never under a lock.
// @unchecked because: the closure is only ever called on the main queue.
struct MainCallback<Value>: @unchecked Sendable {
    private let body: (Value) -> Void

    init(_ body: @escaping (Value) -> Void) {
        self.body = body
    }

    /// Calls it later, in the order of these calls.
    /// - Parameters:
    ///   - value: made on the main queue: values of the old API cannot cross to another thread.
    ///   - then: runs when it has returned.
    func send(_ value: @escaping @Sendable () -> Value, then: @escaping @Sendable () -> Void = {}) {
        DispatchQueue.main.async {
            body(value())
            then()
        }
    }
}
