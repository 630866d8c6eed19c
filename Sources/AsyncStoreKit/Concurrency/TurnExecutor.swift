import Dispatch
import Foundation

/// An executor that also runs its actor on threads that call without `await`.
///
/// One thread at a time has the turn: a calling thread, or a Dispatch thread that runs the actor's jobs. Taking the
/// turn on the calling thread costs a lock. Waking another thread costs several times as much as most calls.
final class TurnExecutor: SerialExecutor {
    // Recursive, because a closure that has the turn may call a function that takes it.
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
    /// Runs a closure with the actor's isolation. The caller guarantees that nothing else of the actor is running.
    ///
    /// Before iOS 18 and macOS 15, `assumeIsolated` rejects executors such as ``TurnExecutor``.
    // The closure is escaping because a cast of one that isn't allocates memory.
    nonisolated func withoutHop<Value>(_ body: @escaping (isolated Self) -> Value) -> Value {
        typealias Unisolated = (Self) -> Value
        // The same cast as in assumeIsolated: both function types have the same calling convention.
        return unsafeBitCast(body, to: Unisolated.self)(self)
    }
}
