/// One answer, which comes once, before anybody waits for it or after. Copies share it.
struct Promise<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(UnsafeContinuation<Void, Never>)
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
        let continuation = state.withLock { state -> UnsafeContinuation<Void, Never>? in
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
        continuation?.resume()
    }

    /// The answer. For one task.
    func value() async -> Value {
        while true {
            // Handed over by the lock alone, which the thread sanitizer sees.
            if let value = valueIfAnswered { return value }
            await withUnsafeContinuation { continuation in
                let isThere = state.withLock { state in
                    if case .answered = state { return true }
                    state = .awaited(continuation)
                    return false
                }
                if isThere { continuation.resume() }
            }
        }
    }

    private var valueIfAnswered: Value? {
        state.withLock { state in
            if case .answered(let value) = state { value } else { nil }
        }
    }
}
