/// Waits for the first answer to something that is started and may be cancelled. Whatever comes after it is ignored.
package final class FirstAnswer<Value: Sendable>: Sendable {
    package typealias Answer = Result<Value, any Error>

    private enum State: Sendable {
        case idle
        case waiting(CheckedContinuation<Answer, Never>)
        case over
    }

    private let state = Locked(State.idle)

    package init() {}

    /// Starts, and waits. Once; a task that is cancelled before does not start at all.
    package func wait(start: () -> Void, cancel: @escaping @Sendable () -> Void) async -> Answer {
        // The answer may have come before the task had suspended; the thread sanitizer sees the hand-over by the lock only.
        defer { state.withLock { _ in } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isFirst = state.withLock { state in
                    guard case .idle = state else { return false }
                    state = .waiting(continuation)
                    return true
                }
                guard isFirst else { return continuation.resume(returning: .failure(CancellationError())) }
                start()
                // A cancellation that came between had nothing to cancel yet.
                if isOver { cancel() }
            }
        } onCancel: {
            cancel()
            end(.failure(CancellationError()))
        }
    }

    private var isOver: Bool {
        state.withLock { state in
            if case .over = state { true } else { false }
        }
    }

    package func end(_ answer: Answer) {
        let continuation = state.withLock { state -> CheckedContinuation<Answer, Never>? in
            defer { state = .over }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        continuation?.resume(returning: answer)
    }
}
