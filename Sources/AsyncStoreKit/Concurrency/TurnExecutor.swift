import Dispatch
import Foundation

/// An executor that also lends its actor to threads that call without `await`.
///
/// One thread at a time has the turn: a thread that took it, or one of Dispatch's that runs the actor's jobs. To take the turn where a call
/// is made costs a lock. To have another thread woken for it costs several times what most calls do.
final class TurnExecutor: SerialExecutor {
    // Recursive: a closure that has the turn may call a function that takes it.
    private let turn = NSRecursiveLock()

    /// Runs a job of the actor when its turn comes.
    func enqueue(_ job: UnownedJob) {
        takeLater { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Runs a closure on this thread, after the thread that has the turn.
    func take(_ body: () -> Void) {
        turn.lock()
        defer { turn.unlock() }
        body()
    }

    /// Runs a closure on this thread. Returns `false`, without running it, if another thread has the turn.
    func takeIfFree(_ body: () -> Void) -> Bool {
        guard turn.try() else { return false }
        defer { turn.unlock() }
        body()
        return true
    }

    /// Runs a closure on a thread of Dispatch, after the thread that has the turn.
    func takeLater(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .userInitiated).async { [self] in take(body) }
    }
}

extension Actor {
    /// Runs a closure as the actor's own. The caller has seen to it that nothing else of the actor runs.
    ///
    /// `assumeIsolated` doesn't know an executor that lends its actor, before iOS 18 and macOS 15.
    nonisolated func withoutHop<Value>(_ body: (isolated Self) -> Value) -> Value {
        typealias Unisolated = (Self) -> Value
        return withoutActuallyEscaping(body) { (body: @escaping (isolated Self) -> Value) in
            // As assumeIsolated does: both functions are called in the same way.
            unsafeBitCast(body, to: Unisolated.self)(self)
        }
    }
}
