/// One value, which comes once, before anybody waits for it or after. Copies share it.
package struct Promise<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(UnsafeContinuation<Void, Never>)
        case fulfilled(Value)
    }

    private let state = Locked(State.open)

    package init() {}

    package var isFulfilled: Bool { valueIfFulfilled != nil }

    /// Gives it its value. Whatever comes after the first is ignored.
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

    /// The value. For one task.
    package func value() async -> Value {
        while true {
            // Handed over by the lock alone, which the thread sanitizer sees.
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
}

extension Promise {
    /// The value of something that has been started; when the task is cancelled, `cancel` is called, which is to fulfill the promise.
    ///
    /// Whoever calls has checked for cancellation and started before: so a cancellation never comes before what it cancels.
    package func value(onCancel cancel: @Sendable () -> Void) async -> Value {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            cancel()
        }
    }
}

/// Tells the calls that wait for an answer from each other, in this process.
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
