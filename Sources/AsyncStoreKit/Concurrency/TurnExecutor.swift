import Dispatch
import Foundation

/// Runs the jobs of an actor one at a time, on threads of the pool, and lets synchronous code have a turn among them.
///
/// To wake a thread costs more than nearly everything that an actor here does. Whoever is on a thread already has the actor work on it.
final class TurnExecutor: SerialExecutor {
    // @unchecked because: it is only compared.
    private struct ThreadID: @unchecked Sendable {
        private let thread = pthread_self()

        var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }
    }

    private struct State: Sendable {
        var jobs = FirstInFirstOut<UnownedJob>()
        /// Whose turn it is.
        var thread: ThreadID?
        /// Whether a thread of the pool is on its way.
        var isWaking = false

        /// Whether a thread has to be woken for the jobs that wait.
        mutating func beginWaking() -> Bool {
            guard thread == nil, !isWaking, !jobs.isEmpty else { return false }
            isWaking = true
            return true
        }

        /// The job that runs next. Without one, and without a body that runs, the turn ends.
        mutating func nextJob(isRunning: Bool) -> UnownedJob? {
            isWaking = false
            guard isRunning || thread == nil else { return nil }
            let job = jobs.removeFirst()
            thread = job == nil ? nil : ThreadID()
            return job
        }
    }

    private let state = Locked(State())

    // The standard library's own is not there on the oldest systems.
    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func enqueue(_ job: UnownedJob) {
        let mustWake = state.withLock { state in
            state.jobs.append(job)
            return state.beginWaking()
        }
        if mustWake { wake() }
    }

    /// Runs the body on this thread, in isolation from the jobs. False when it is another's turn, also this thread's own.
    ///
    /// The body must not wait for anything that the actor does.
    func takeTurn(_ body: () -> Void) -> Bool {
        let isFree = state.withLock { state in
            guard state.thread == nil else { return false }
            state.thread = ThreadID()
            return true
        }
        guard isFree else { return false }
        body()
        let mustWake = state.withLock { state in
            state.thread = nil
            return state.beginWaking()
        }
        if mustWake { wake() }
        return true
    }

    /// Asked by the runtime, from iOS 26 on and on Linux, where no job runs.
    func isIsolatingCurrentContext() -> Bool? {
        state.withLock { $0.thread?.isCurrent ?? false }
    }

    private func wake() {
        DispatchQueue.global().async { self.runJobs() }
    }

    private func runJobs() {
        var isRunning = false
        while let job = state.withLock({ $0.nextJob(isRunning: isRunning) }) {
            isRunning = true
            job.runSynchronously(on: asUnownedSerialExecutor())
        }
    }
}
