/// A response of StoreKit or of a simulated App Store to one task, which is treated as idle while it waits.
package struct ExternalResponse<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case pending
        case awaited(endRest: (@Sendable () -> Void)?)
        case fulfilled
    }

    private let promise = Promise<Value>()
    private let state = Locked(State.pending)

    package init() {}

    /// Delivers the response. Later responses are ignored.
    package func fulfill(_ value: Value) {
        let endRest = state.withLock { state -> (@Sendable () -> Void)? in
            defer { state = .fulfilled }
            guard case .awaited(let endRest) = state else { return nil }
            return endRest
        }
        endRest?()
        promise.fulfill(value)
    }

    /// Waits for the response. If the task is canceled, `cancel` is called and must deliver a response.
    package func value(onCancel cancel: @Sendable () -> Void = {}) async -> Value {
        state.withLock { state in
            // The idle time begins under the lock, so that a task with a response never seems idle.
            if case .pending = state { state = .awaited(endRest: CountedTask.current?.rest()) }
        }
        return await promise.value(onCancel: cancel)
    }
}
