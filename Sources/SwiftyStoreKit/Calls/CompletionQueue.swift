import AsyncStoreKit
import Dispatch
import Foundation

/// Calls the closures of the block API on the main thread, in order.
///
/// Closures that result from a report of StoreKit on the main thread are called before StoreKit's call returns: waking
/// a thread costs more than a purchase. All other closures are called in a later turn of the main queue, so that a
/// completion never runs inside the call that it belongs to.
///
/// A command-line tool may block its main thread, for example on a semaphore that a completion signals. If the main
/// thread runs no run loop and doesn't serve its queue for ``parkedThreadDelay`` seconds, closures run on a background
/// queue until the main queue is served again.
final class CompletionQueue: Sendable {
    private struct State: Sendable {
        var waiting: [@Sendable () -> Void] = []
        /// The number of closures that were called.
        var called: UInt64 = 0
        var isCalling = false
        /// Whether the main thread is processing a report of StoreKit, and calls the waiting closures after it.
        var isReporting = false
        /// Whether a call of the waiting closures is scheduled on the main queue.
        var isScheduled = false
        /// Whether a timer checks that the main queue is served.
        var isWatched = false
        /// Whether the main thread was found blocked, and its queue hasn't been served since.
        var isParked = false
    }

    static let shared = CompletionQueue()

    /// The time without service of the main queue after which the main thread counts as blocked, in seconds.
    static let parkedThreadDelay = 2.0

    private let state = Locked(State())
    private let background = DispatchQueue(label: "SwiftyStoreKit.completions")

    /// Enqueues a closure. Closures run one after another, in the order of these calls.
    func enqueue(_ body: @escaping @Sendable () -> Void) {
        let isOnMainThread = MainThread.isCurrent
        let isCalledAfterReport = state.withLock { state in
            state.waiting.append(body)
            return state.isReporting && isOnMainThread
        }
        if !isCalledAfterReport { schedule() }
    }

    /// Processes a report of StoreKit. On the main thread, then calls the waiting closures.
    func process(_ report: () -> Void) {
        let begins =
            MainThread.isCurrent
            && state.withLock { state in
                defer { state.isReporting = true }
                return !state.isReporting
            }
        report()
        guard begins else { return }
        let hasWaiting = state.withLock { state in
            state.isReporting = false
            state.isParked = false
            return !state.waiting.isEmpty
        }
        guard hasWaiting else { return }
        callWaitingClosures()
        // Closures wait on if StoreKit reports from inside a closure, or while another thread is calling one.
        if state.withLock({ !$0.waiting.isEmpty }) { schedule() }
    }

    /// Has the waiting closures called on the main queue.
    private func schedule() {
        let (schedules, watches, isParked) = state.withLock { state in
            defer { (state.isScheduled, state.isWatched) = (true, true) }
            return (!state.isScheduled, !state.isWatched, state.isParked)
        }
        if schedules {
            DispatchQueue.main.async { [self] in
                state.withLock { state in
                    state.isScheduled = false
                    state.isParked = false
                }
                callWaitingClosures()
            }
        }
        if isParked { background.async { [self] in callWaitingClosures() } }
        if watches { watchMainQueue() }
    }

    /// Calls the waiting closures on this thread, unless another thread is calling them.
    private func callWaitingClosures() {
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
                // If a call is scheduled, the main queue calls the closures that were added since.
                return state.waiting.isEmpty || (state.isScheduled && !state.isParked)
            }
            if isOver { return }
        }
    }

    /// Checks after ``parkedThreadDelay`` whether the main queue was served, and repeats while closures are waiting.
    private func watchMainQueue() {
        let called = state.withLock { $0.called }
        DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + Self.parkedThreadDelay) { [self] in
            let (hasWaiting, isServed) = state.withLock { state in
                state.isWatched = !state.waiting.isEmpty
                return (state.isWatched, state.called != called || state.isCalling)
            }
            guard hasWaiting else { return }
            if !isServed, RunLoop.main.currentMode == nil {
                state.withLock { $0.isParked = true }
                background.async { [self] in callWaitingClosures() }
            }
            watchMainQueue()
        }
    }
}
