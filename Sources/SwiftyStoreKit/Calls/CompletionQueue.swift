import AsyncStoreKit
import Dispatch
package import Foundation

/// Calls the closures of the block API on the main queue, in order. So a completion never runs inside the call that it
/// belongs to.
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
        let (schedules, watches, isBlocked) = withState { state in
            defer { (state.isScheduled, state.isWatched) = (true, true) }
            state.waiting.append(body)
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
