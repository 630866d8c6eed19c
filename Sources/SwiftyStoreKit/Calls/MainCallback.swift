import AsyncStoreKit
import Dispatch
import Foundation

/// A completion or handler of the block API. The ``CompletionQueue`` calls the closure, never under a lock.
// @unchecked because: only the queue calls the closure, one call after another.
struct MainCallback<Value>: @unchecked Sendable {
    private let body: (Value) -> Void

    init(_ body: @escaping (Value) -> Void) {
        self.body = body
    }

    /// Enqueues a call of the closure. Calls run in the order in which they are enqueued.
    /// - Parameters:
    ///   - value: Creates the argument on the queue, because values of the block API can't be sent to another thread.
    ///   - then: Runs after the closure has returned.
    func send(_ value: @escaping @Sendable () -> Value, then: @escaping @Sendable () -> Void = {}) {
        CompletionQueue.shared.enqueue {
            body(value())
            then()
        }
    }
}

/// Runs closures on the main thread and waits for their results.
enum MainThread {
    // On Linux, another thread than the initial thread may serve the main queue.
    private static let mark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this is the main thread, or a thread that serves the main queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true || Thread.isMainThread }

    /// Runs the body immediately on the main thread, and otherwise on the ``CompletionQueue``, and returns the result.
    static func run<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) -> Answer {
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
