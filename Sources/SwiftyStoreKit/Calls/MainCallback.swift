import Dispatch
import Foundation

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

/// Asks on the main thread and waits for the answer.
enum MainThread {
    // On Linux the main queue may be served by another thread than the one the process began with.
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true || Thread.isMainThread }

    /// Runs the body here when this is the main thread, else there.
    static func ask<Answer: Sendable>(_ body: @Sendable () -> Answer) -> Answer {
        isCurrent ? body() : DispatchQueue.main.sync(execute: body)
    }
}
