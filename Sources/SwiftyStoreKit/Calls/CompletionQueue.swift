import AsyncStoreKit
import Dispatch
import Foundation

/// Calls the closures of the block API on the main queue, in order.
///
/// A command-line tool may park its main thread, for example on a semaphore that a completion signals. If no run loop runs on the main thread,
/// and its queue isn't served for ``patience`` seconds, closures are called on a background queue until the main queue is served again.
final class CompletionQueue: Sendable {
    private struct State: Sendable {
        var waiting: [@Sendable () -> Void] = []
        /// How many closures were called.
        var called: UInt64 = 0
        var isCalling = false
        /// Whether the main queue has been asked to call what waits.
        var isScheduled = false
        /// Whether a timer checks that the main queue is served.
        var isWatched = false
        /// Whether the main thread has been found parked, and its queue hasn't been served since.
        var isParked = false
    }

    static let shared = CompletionQueue()

    /// How long the main queue may not be served before the main thread counts as parked, in seconds.
    static let patience = 2.0

    private let state = Locked(State())
    private let background = DispatchQueue(label: "SwiftyStoreKit.completions")

    /// Has a closure called later, after those that were enqueued before.
    func enqueue(_ body: @escaping @Sendable () -> Void) {
        let (schedules, watches, isParked) = state.withLock { state in
            state.waiting.append(body)
            defer { (state.isScheduled, state.isWatched) = (true, true) }
            return (!state.isScheduled, !state.isWatched, state.isParked)
        }
        if schedules {
            DispatchQueue.main.async { [self] in
                state.withLock { state in
                    state.isScheduled = false
                    state.isParked = false
                }
                callWaiting()
            }
        }
        if isParked { background.async { [self] in callWaiting() } }
        if watches { watch() }
    }

    /// Calls what waits, on this thread, unless another thread does.
    private func callWaiting() {
        while true {
            let batch = state.withLock { state -> [@Sendable () -> Void] in
                guard !state.isCalling else { return [] }
                defer { state.waiting = [] }
                state.isCalling = !state.waiting.isEmpty
                return state.waiting
            }
            guard !batch.isEmpty else { return }
            for body in batch { body() }
            let isOver = state.withLock { state in
                state.isCalling = false
                state.called &+= UInt64(batch.count)
                // The main queue calls the closures that were added since, if it has been asked to.
                return state.waiting.isEmpty || (state.isScheduled && !state.isParked)
            }
            if isOver { return }
        }
    }

    private func watch() {
        let called = state.withLock { $0.called }
        DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + Self.patience) { [self] in
            let (goesOn, isServed) = state.withLock { state in
                state.isWatched = !state.waiting.isEmpty
                return (state.isWatched, state.called != called || state.isCalling)
            }
            guard goesOn else { return }
            if !isServed, RunLoop.main.currentMode == nil {
                state.withLock { $0.isParked = true }
                background.async { [self] in callWaiting() }
            }
            watch()
        }
    }
}
