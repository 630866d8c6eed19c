/// A value that is set once, before or after a task waits for it. Copies share the value.
package struct Promise<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        /// - Parameter endRest: Counts the waiting task again, if it's treated as idle while it waits.
        case awaited(UnsafeContinuation<Void, Never>, endRest: (@Sendable () -> Void)?)
        case fulfilled(Value)
    }

    private let state = Locked(State.open)

    package init() {}

    package var isFulfilled: Bool { valueIfFulfilled != nil }

    /// Fulfills the promise. Later calls have no effect.
    package func fulfill(_ value: Value) {
        let former = state.withLock { state in
            let former = state
            if case .fulfilled = state {} else { state = .fulfilled(value) }
            return former
        }
        guard case .awaited(let continuation, let endRest) = former else { return }
        endRest?()
        continuation.resume()
    }

    /// Returns the value, and waits for it if necessary. Only one task may wait.
    /// - Parameter isResponse: Whether StoreKit or a simulated App Store gives the value. The task is treated as idle
    ///   while it waits.
    nonisolated(nonsending) package func value(isResponse: Bool = false) async -> Value {
        while true {
            // The value passes through the lock, which the thread sanitizer understands.
            if let value = valueIfFulfilled { return value }
            await withUnsafeContinuation { continuation in
                let isFulfilled = state.withLock { state in
                    if case .fulfilled = state { return true }
                    // The idle time begins under the lock, so that a task with a value never seems idle.
                    state = .awaited(continuation, endRest: isResponse ? CountedTask.current?.rest() : nil)
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
    nonisolated(nonsending) package func value(
        isResponse: Bool = false, onCancel cancel: @Sendable () -> Void
    ) async -> Value {
        await withTaskCancellationHandler(operation: { await value(isResponse: isResponse) }, onCancel: cancel)
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
