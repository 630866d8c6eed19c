/// One answer, which comes once, before anybody waits for it or after. Copies share it.
struct PendingAnswer<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(UnsafeContinuation<Value, Never>)
        case answered(Value)
    }

    private let state = Locked(State.open)

    var isThere: Bool {
        state.withLock { state in
            if case .answered = state { true } else { false }
        }
    }

    /// Answers. Whatever comes after the first answer is ignored.
    func answer(_ value: Value) {
        let continuation = state.withLock { state -> UnsafeContinuation<Value, Never>? in
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

    /// The answer. For one task.
    func value() async -> Value {
        if let value = valueIfAnswered { return value }
        return await withUnsafeContinuation { continuation in
            let value = state.withLock { state -> Value? in
                if case .answered(let value) = state { return value }
                state = .awaited(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }

    private var valueIfAnswered: Value? {
        state.withLock { state in
            if case .answered(let value) = state { value } else { nil }
        }
    }
}
