import AppStoreSimulator

/// An answer that is given once, with the task that waits for that answer.
final class PendingAnswer<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case answered(Value)
    }

    private let state = Protected(State.open)

    /// Gives the answer and resumes the waiting task. Later answers are ignored.
    func answer(_ value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .open:
                state = .answered(value)
                return nil
            case .awaited(let continuation):
                state = .answered(value)
                return continuation
            case .answered:
                return nil
            }
        }
        continuation?.resume(returning: value)
    }

    /// The answer. One task may wait for it; cancellation doesn't end the wait.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let known: Value? = state.withLock { state in
                    if case .answered(let value) = state { return value }
                    state = .awaited(continuation)
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }
}
