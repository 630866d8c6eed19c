import AsyncStoreKit

/// What the App Store responds to one task, which is at rest until the response is there.
struct SimulatedResponse<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case pending
        case awaited(StoreWork.Rest?)
        case fulfilled
    }

    private let promise = Promise<Value>()
    private let state = Locked(State.pending)

    /// Responds. Later responses are ignored.
    func fulfill(_ value: Value) {
        let rest = state.withLock { state -> StoreWork.Rest? in
            defer { state = .fulfilled }
            guard case .awaited(let rest) = state else { return nil }
            return rest
        }
        rest?.end()
        promise.fulfill(value)
    }

    /// Returns the response. `cancel` is called if the task is cancelled, and has to respond.
    func value(onCancel cancel: @Sendable () -> Void = {}) async -> Value {
        state.withLock { state in
            // The rest begins under the lock, so that a task whose response is there never seems to be at rest.
            if case .pending = state { state = .awaited(StoreWork.rest()) }
        }
        return await promise.value(onCancel: cancel)
    }
}
