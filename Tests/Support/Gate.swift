import AsyncStoreKit

/// Holds back whoever passes until it is opened.
package final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var arrived = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Locked(State())

    package init() {}

    /// Returns when the gate is open.
    package func pass() async {
        await withCheckedContinuation { continuation in
            let (isOpen, ready) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
                state.arrived += 1
                let ready = state.watchers.filter { $0.count <= state.arrived }.map(\.continuation)
                state.watchers.removeAll { $0.count <= state.arrived }
                if !state.isOpen { state.held.append(continuation) }
                return (state.isOpen, ready)
            }
            ready.forEach { $0.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Lets everybody pass, now and later.
    package func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        held.forEach { $0.resume() }
    }

    /// Returns when so many have come to the gate.
    package func arrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.arrived >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
