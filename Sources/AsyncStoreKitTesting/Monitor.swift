import AsyncStoreKit
import Dispatch
package import Foundation

/// A state that tasks wait for: a value under a lock, and whoever waits until it is as wanted.
///
/// No wait is for ever. One whose state has not come after so many seconds throws ``WaitExpired``, which says what it waited for;
/// one whose task is cancelled throws `CancellationError`.
package final class Monitor<State: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let id: UInt64
        /// Takes what is waited for, if it is there, and returns what hands it over.
        let attempt: @Sendable (inout State) -> (@Sendable () -> Void)?
        let fail: @Sendable (any Error) -> Void
    }

    private struct Contents: Sendable {
        var state: State
        var lastID: UInt64 = 0
        var waiters: [Waiter] = []

        /// Serves those that waited longest first.
        mutating func serve() -> [@Sendable () -> Void] {
            var served: [@Sendable () -> Void] = []
            waiters.removeAll { waiter in
                guard let handOver = waiter.attempt(&state) else { return false }
                served.append(handOver)
                return true
            }
            return served
        }
    }

    private let contents: Locked<Contents>

    package init(_ state: State) {
        contents = Locked(Contents(state: state))
    }

    /// The state as it is now.
    package var value: State { contents.withLock { $0.state } }

    /// Changes the state, then wakes those whose wait is over. The closure must not call out.
    @discardableResult
    package func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, served) = contents.withLock { contents in (change(&contents.state), contents.serve()) }
        served.forEach { $0() }
        return result
    }

    /// Returns what a closure takes out of the state, as soon as it takes something.
    /// - Parameters:
    ///   - what: What is waited for, to complete "waited for …".
    ///   - seconds: How long.
    ///   - take: Called under the lock, now and after every change, until it returns something; it must not call out.
    package func wait<Value: Sendable>(
        for what: @autoclosure @escaping @Sendable () -> String, within seconds: TimeInterval = WaitExpired.limit,
        _ take: @escaping @Sendable (inout State) -> Value?
    ) async throws -> Value {
        if let value = contents.withLock({ take(&$0.state) }) { return value }
        let id = contents.withLock { contents in
            contents.lastID += 1
            return contents.lastID
        }
        // What was waited for may come before the task has suspended; the thread sanitizer sees the hand-over by the lock only.
        defer { contents.withLock { _ in } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
                let waiter = Waiter(
                    id: id,
                    attempt: { state in
                        guard let value = take(&state) else { return nil }
                        return { continuation.resume(returning: value) }
                    },
                    fail: { error in continuation.resume(throwing: error) })
                let served = contents.withLock { contents in
                    contents.waiters.append(waiter)
                    return contents.serve()
                }
                served.forEach { $0() }
                // A cancellation that came before found nobody to wake.
                if Task.isCancelled { return fail(id) { _ in CancellationError() } }
                DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
                    self?.fail(id) { WaitExpired(what: what(), seconds: seconds, state: "\($0)") }
                }
            }
        } onCancel: {
            fail(id) { _ in CancellationError() }
        }
    }

    /// Ends a wait that is not over yet.
    private func fail(_ id: UInt64, with error: (State) -> any Error) {
        let (waiter, state) = contents.withLock { contents -> (Waiter?, State) in
            let index = contents.waiters.firstIndex { $0.id == id }
            return (index.map { contents.waiters.remove(at: $0) }, contents.state)
        }
        waiter?.fail(error(state))
    }
}

/// Does something, and waits for its end so many seconds at most. Then it is cancelled, and left alone: whoever does not heed a
/// cancellation keeps nobody waiting.
/// - Parameter what: What is waited for, to complete "waited for …".
/// - Throws: what the operation throws, or ``WaitExpired``.
package func withDeadline<Value: Sendable>(
    _ what: @autoclosure @escaping @Sendable () -> String, within seconds: TimeInterval = WaitExpired.limit,
    _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let end = Monitor<Result<Value, any Error>?>(nil)
    let task = Task {
        let result: Result<Value, any Error>
        do { result = .success(try await operation()) } catch { result = .failure(error) }
        end.update { $0 = result }
    }
    defer { task.cancel() }
    return try await end.wait(for: what(), within: seconds) { $0 }.get()
}
