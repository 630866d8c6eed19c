/// A value that is set once, before or after a task waits for it. Copies share the value.
package struct Promise<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(UnsafeContinuation<Void, Never>)
        case fulfilled(Value)
    }

    private let state = Locked(State.open)

    package init() {}

    package var isFulfilled: Bool { valueIfFulfilled != nil }

    /// Fulfills the promise. Later calls have no effect.
    package func fulfill(_ value: Value) {
        let continuation = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            switch state {
            case .open:
                state = .fulfilled(value)
                return nil
            case .awaited(let continuation):
                state = .fulfilled(value)
                return continuation
            case .fulfilled:
                return nil
            }
        }
        continuation?.resume()
    }

    /// Returns the value, and waits for it if necessary. Only one task may wait.
    nonisolated(nonsending) package func value() async -> Value {
        while true {
            // The value passes through the lock, which the thread sanitizer understands.
            if let value = valueIfFulfilled { return value }
            await withUnsafeContinuation { continuation in
                let isFulfilled = state.withLock { state in
                    if case .fulfilled = state { return true }
                    state = .awaited(continuation)
                    return false
                }
                if isFulfilled { continuation.resume() }
            }
        }
    }

    private var valueIfFulfilled: Value? {
        state.withLock { state in
            if case .fulfilled(let value) = state { value } else { nil }
        }
    }

    /// Returns the value of a call that has been started. If the task is canceled, `cancel` is called, which must
    /// fulfill the promise.
    ///
    /// The caller checks for cancellation before it starts the call, so that a cancellation never arrives before its
    /// call.
    nonisolated(nonsending) package func value(onCancel cancel: @Sendable () -> Void) async -> Value {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            cancel()
        }
    }
}

/// Identifies a waiting call within this process.
package struct CallID: Sendable, Hashable {
    private let serial: UInt64

    private static let last = Locked<UInt64>(0)

    package init() {
        serial = Self.last.withLock { last in
            last &+= 1
            return last
        }
    }
}
