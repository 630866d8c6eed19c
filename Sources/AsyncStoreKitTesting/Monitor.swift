import AsyncStoreKit
package import Foundation

/// A value under a lock, and the tasks that wait for states of the value.
///
/// Every wait has a timeout. An expired wait throws ``WaitExpired`` with the expected state. If the task is canceled,
/// the wait throws `CancellationError`.
package final class Monitor<State: Sendable>: Sendable {
    private struct Waiter: Sendable {
        let id: UInt64
        /// Takes the expected value from the state, and returns a closure that resumes the task; `nil` without the
        /// value.
        let attempt: @Sendable (inout State) -> (@Sendable () -> Void)?
        let fail: @Sendable (any Error) -> Void
    }

    private struct Contents: Sendable {
        var state: State
        var lastID: UInt64 = 0
        var waiters: [Waiter] = []

        /// Removes the tasks whose wait has ended, and returns the closures that resume them, longest wait first.
        mutating func serve() -> [@Sendable () -> Void] {
            guard !waiters.isEmpty else { return [] }
            var served: [@Sendable () -> Void] = []
            waiters.removeAll { waiter in
                guard let resume = waiter.attempt(&state) else { return false }
                served.append(resume)
                return true
            }
            return served
        }
    }

    private let contents: Locked<Contents>

    package init(_ state: State) {
        contents = Locked(Contents(state: state))
    }

    /// The current state.
    package var value: State { contents.withLock { $0.state } }

    /// Changes the state, and resumes the tasks whose wait has ended. The closure runs under the lock and must not call
    /// other code.
    @discardableResult
    package func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, served) = contents.withLock { contents in (change(&contents.state), contents.serve()) }
        served.forEach { $0() }
        return result
    }

    /// Waits until a closure returns a value for the state.
    /// - Parameters:
    ///   - what: The expected event, to complete "waited for …".
    ///   - seconds: The timeout.
    ///   - take: Called under the lock, immediately and after every change, until the closure returns a value. The
    ///     closure must not call other code.
    package func wait<Value: Sendable>(
        for what: @autoclosure @escaping @Sendable () -> String, within seconds: TimeInterval = WaitExpired.limit,
        _ take: @escaping @Sendable (inout State) -> Value?
    ) async throws -> Value {
        if let value = contents.withLock({ take(&$0.state) }) { return value }
        let id = contents.withLock { contents in
            contents.lastID += 1
            return contents.lastID
        }
        let limit = Task { [weak self] in
            // The task counts short sleeps on the shared thread pool, so that a busy pool extends the timeout.
            for _ in 0..<Int(seconds * 10) { try await Task.sleep(nanoseconds: 100_000_000) }
            self?.fail(id) { WaitExpired(what: what(), seconds: seconds, state: "\($0)") }
        }
        defer {
            limit.cancel()
            // The value may arrive before the task has suspended; the thread sanitizer needs the lock to see this
            // order.
            contents.withLock { _ in }
        }
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
                // An earlier cancellation didn't find the waiter.
                if Task.isCancelled { fail(id) { _ in CancellationError() } }
            }
        } onCancel: {
            fail(id) { _ in CancellationError() }
        }
    }

    /// Ends a wait with an error. Does nothing if the wait has ended.
    private func fail(_ id: UInt64, with error: (State) -> any Error) {
        let (waiter, state) = contents.withLock { contents -> (Waiter?, State) in
            let index = contents.waiters.firstIndex { $0.id == id }
            return (index.map { contents.waiters.remove(at: $0) }, contents.state)
        }
        waiter?.fail(error(state))
    }
}

/// Runs an operation with a timeout. After the timeout, the operation is canceled, and the function doesn't wait for
/// its end.
/// - Parameters:
///   - what: The expected event, to complete "waited for …".
///   - seconds: The timeout.
///   - operation: The operation.
/// - Throws: The operation's error, or ``WaitExpired``.
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
