import AsyncStoreKit
import Dispatch
package import Foundation

/// Calls the closures of the block API on the main thread, in order.
///
/// Closures that result from a report of StoreKit on the main thread are called before StoreKit's call returns: waking
/// a thread costs more than a purchase. All other closures are called later on the main queue, so that a
/// completion never runs inside the call that it belongs to.
///
/// A command-line tool may block its main thread forever, for example on a semaphore that a completion signals. If the
/// main thread of a tool runs no run loop and doesn't serve its queue for a time, closures run on a background queue
/// until the main queue is served again. The main thread of an app that has no run loop yet is still launching, however
/// long that takes, so its closures wait.
// @unchecked because: the state is only touched while the lock is held. The lock is Foundation's because `Locked` is
// slower outside its own module, where its code is generic.
package final class CompletionQueue: @unchecked Sendable {
    private struct State: Sendable {
        var waiting: [@Sendable () -> Void] = []
        /// The number of closures that were called.
        var called: UInt64 = 0
        var isCalling = false
        /// The number of calls that the main thread is making, and during which StoreKit can report.
        var calls = 0
        /// Whether the main thread is processing a report of StoreKit, and calls the waiting closures after it.
        var isReporting = false
        /// Whether a call of the waiting closures is scheduled on the main queue.
        var isScheduled = false
        /// Whether a timer checks that the main queue is served.
        var isWatched = false
        /// Whether the main thread was found blocked, and its queue hasn't been served since.
        var isBlocked = false
    }

    static let shared = CompletionQueue()

    /// The time without service of the main queue after which a tool's main thread is treated as blocked, in seconds;
    /// `nil` in an app.
    private let blockedAfter: TimeInterval?
    private let lock = NSLock()
    private var state = State()
    private let background = DispatchQueue(label: "SwiftyStoreKit.completions")

    /// - Parameter blockedAfter: The time after which the main thread is treated as blocked, in seconds; `nil` for
    ///   never.
    package init(blockedAfter: TimeInterval? = CompletionQueue.isApp(Bundle.main) ? nil : 2) {
        self.blockedAfter = blockedAfter
    }

    /// Whether a main bundle is that of an app, or of an extension of one. Both have a run loop after their launch.
    package static func isApp(_ bundle: Bundle) -> Bool {
        isApp(packageType: bundle.object(forInfoDictionaryKey: "CFBundlePackageType") as? String)
    }

    /// Whether the type of a main bundle is that of an app, or of an extension of one. A tool has none.
    package static func isApp(packageType: String?) -> Bool {
        packageType == "APPL" || packageType == "XPC!"
    }

    private func withState<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }

    /// Enqueues a closure. Closures run one after another, in the order of these calls.
    package func enqueue(_ body: @escaping @Sendable () -> Void) {
        let isOnMainThread = MainThread.isCurrent
        let isCalledAfterReport = withState { state in
            state.waiting.append(body)
            return state.isReporting && isOnMainThread
        }
        if !isCalledAfterReport { schedule() }
    }

    /// Makes a call during which StoreKit can report. The closures of such a report are called after the call.
    func makeCall<Result>(_ call: () -> Result) -> Result {
        guard MainThread.isCurrent else { return call() }
        withState { $0.calls += 1 }
        defer { withState { $0.calls -= 1 } }
        return call()
    }

    /// Processes a report of StoreKit. On the main thread, then calls the waiting closures.
    func process(_ report: () -> Void) {
        let begins =
            MainThread.isCurrent
            && withState { state in
                guard !state.isReporting, state.calls == 0 else { return false }
                state.isReporting = true
                return true
            }
        report()
        guard begins else { return }
        let hasWaiting = withState { state in
            state.isReporting = false
            state.isBlocked = false
            return !state.waiting.isEmpty
        }
        guard hasWaiting else { return }
        callWaitingClosures()
        // Closures wait on if StoreKit reports from inside a closure, or while another thread is calling one.
        if withState({ !$0.waiting.isEmpty }) { schedule() }
    }

    /// Has the waiting closures called on the main queue.
    private func schedule() {
        let (schedules, watches, isBlocked) = withState { state in
            defer { (state.isScheduled, state.isWatched) = (true, true) }
            return (!state.isScheduled, !state.isWatched, state.isBlocked)
        }
        if schedules {
            DispatchQueue.main.async { [self] in
                withState { state in
                    state.isScheduled = false
                    state.isBlocked = false
                }
                callWaitingClosures()
            }
        }
        if isBlocked { background.async { [self] in callWaitingClosures() } }
        if watches, let blockedAfter { watchMainQueue(every: blockedAfter) }
    }

    /// Calls the waiting closures on this thread, unless another thread is calling them.
    private func callWaitingClosures() {
        while true {
            let batch = withState { state -> [@Sendable () -> Void] in
                guard !state.isCalling else { return [] }
                defer { state.waiting = [] }
                state.isCalling = !state.waiting.isEmpty
                return state.waiting
            }
            guard !batch.isEmpty else { return }
            for body in batch { body() }
            let isOver = withState { state in
                state.isCalling = false
                state.called &+= UInt64(batch.count)
                // If a call is scheduled, the main queue calls the closures that were added since.
                return state.waiting.isEmpty || (state.isScheduled && !state.isBlocked)
            }
            if isOver { return }
        }
    }

    /// Checks after a time whether the main queue was served, and repeats while closures are waiting.
    private func watchMainQueue(every delay: TimeInterval) {
        let called = withState { $0.called }
        DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + delay) { [self] in
            let (hasWaiting, isServed) = withState { state in
                state.isWatched = !state.waiting.isEmpty
                return (state.isWatched, state.called != called || state.isCalling)
            }
            guard hasWaiting else { return }
            if !isServed, RunLoop.main.currentMode == nil {
                withState { $0.isBlocked = true }
                background.async { [self] in callWaitingClosures() }
            }
            watchMainQueue(every: delay)
        }
    }
}
