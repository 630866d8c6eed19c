import AsyncStoreKit
import Dispatch
import Foundation

/// A completion or handler of the old API: called by the ``CompletionQueue``, and never under a lock.
// @unchecked because: the closure is only ever called by the queue, one call after the other.
struct MainCallback<Value>: @unchecked Sendable {
    private let body: (Value) -> Void

    init(_ body: @escaping (Value) -> Void) {
        self.body = body
    }

    /// Calls it later, in the order of these calls.
    /// - Parameters:
    ///   - value: made where the closure is called: values of the old API cannot cross to another thread.
    ///   - then: runs when it has returned.
    func send(_ value: @escaping @Sendable () -> Value, then: @escaping @Sendable () -> Void = {}) {
        CompletionQueue.shared.enqueue {
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

    private static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true || Thread.isMainThread }

    /// Runs the body here when this is the main thread, else by way of the ``CompletionQueue``.
    static func ask<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) -> Answer {
        if isCurrent { return body() }
        let answer = Locked<Answer?>(nil)
        let isAnswered = DispatchSemaphore(value: 0)
        CompletionQueue.shared.enqueue {
            let value = body()
            answer.withLock { $0 = value }
            isAnswered.signal()
        }
        while true {
            isAnswered.wait()
            if let value = answer.withLock({ $0 }) { return value }
        }
    }
}
