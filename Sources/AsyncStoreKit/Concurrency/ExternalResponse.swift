/// A response of StoreKit or of a simulated App Store to one task. The task is treated as idle while it's waiting for
/// the response.
package struct ExternalResponse<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case pending
        case awaited(StoreWork.Rest?)
        case fulfilled
    }

    private let promise = Promise<Value>()
    private let state = Locked(State.pending)

    package init() {}

    /// Delivers the response. Later responses are ignored.
    package func fulfill(_ value: Value) {
        let rest = state.withLock { state -> StoreWork.Rest? in
            defer { state = .fulfilled }
            guard case .awaited(let rest) = state else { return nil }
            return rest
        }
        rest?.end()
        promise.fulfill(value)
    }

    /// Waits for the response. If the task is canceled, `cancel` is called and must deliver a response.
    package func value(onCancel cancel: @Sendable () -> Void = {}) async -> Value {
        state.withLock { state in
            // The idle time begins under the lock, so that a task with a response never seems idle.
            if case .pending = state { state = .awaited(StoreWork.rest()) }
        }
        return await promise.value(onCancel: cancel)
    }
}
