import Dispatch
import Foundation

/// Timers that measure only the time in which the app runs.
///
/// One timer of Dispatch serves all of them, and stays when they are canceled. So starting and canceling a timer
/// costs only a lock, and no thread wakes for it.
final class RunningTimers: Sendable {
    static let shared = RunningTimers()

    private let schedule = Locked(RunningTimerSchedule())

    /// Starts a timer, and returns its cancellation. `fire` is called on any thread. NaN is treated as 0 seconds.
    func start(whileRunningFor seconds: TimeInterval, _ fire: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let id = CallID()
        let now = SystemStoreClock.monotonicTime
        if let wait = schedule.withLock({ $0.addTimer(id, seconds: seconds, now: now, fire) }) { sleep(wait) }
        return { [schedule] in _ = schedule.withLock { $0.removeTimer(id) } }
    }

    private func sleep(_ wait: RunningTimerSchedule.Wait) {
        DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + wait.seconds) { [self] in
            let now = SystemStoreClock.monotonicTime
            let (due, next) = schedule.withLock { $0.waitEnded(wait, now: now) }
            if let next { sleep(next) }
            due.forEach { $0() }
        }
    }
}

/// Decides which timers are due, and how long to sleep until the next one.
///
/// If a sleep takes more than a second longer than planned, the app was suspended, so the planned length is used.
/// After that, a timer has at least five more seconds, or its whole time if that is less, so that events that arrived
/// in the meantime are handled first.
struct RunningTimerSchedule: Sendable {
    typealias Fire = @Sendable () -> Void

    /// A sleep that isn't canceled. A sleep that another one has replaced ends without an effect.
    struct Wait: Sendable {
        fileprivate let number: UInt64
        fileprivate let end: TimeInterval
        let seconds: TimeInterval
    }

    private struct Timer: Sendable {
        /// When the timer fires, by the time without suspensions.
        var date: TimeInterval
        let seconds: TimeInterval
        let fire: Fire
    }

    /// The longest sleep, in seconds.
    static let longestWait: TimeInterval = 5

    private var timers: [CallID: Timer] = [:]
    /// The known time in which the app was suspended, in seconds.
    private var suspendedTime: TimeInterval = 0
    /// The current sleep.
    private var wait: Wait?
    private var lastNumber: UInt64 = 0

    /// Adds a timer. Returns a sleep to begin if the current one would end too late.
    /// - Parameter now: The seconds of a clock that can't be set.
    mutating func addTimer(_ id: CallID, seconds: TimeInterval, now: TimeInterval, _ fire: @escaping Fire) -> Wait? {
        noticeSuspension(now: now)
        let seconds = seconds.isNaN ? 0 : max(0, min(seconds, 1_000_000_000))
        let date = now - suspendedTime + seconds
        timers[id] = Timer(date: date, seconds: seconds, fire: fire)
        if let wait, wait.end - suspendedTime <= max(date, now - suspendedTime) { return nil }
        return beginWait(for: seconds, now: now)
    }

    /// Removes a timer, and returns its closure, which the caller releases outside the lock.
    mutating func removeTimer(_ id: CallID) -> Fire? {
        timers.removeValue(forKey: id)?.fire
    }

    /// Ends a sleep. Returns the timers that are due, in order, and the next sleep to begin.
    mutating func waitEnded(_ ended: Wait, now: TimeInterval) -> (due: [Fire], next: Wait?) {
        guard ended.number == wait?.number else { return ([], nil) }
        noticeSuspension(now: now)
        wait = nil
        let runningTime = now - suspendedTime
        // Dispatch's clock can differ by a fraction of a millisecond.
        let due = timers.filter { $0.value.date <= runningTime + 0.001 }.sorted { $0.value.date < $1.value.date }
        for (id, _) in due { timers[id] = nil }
        let next = timers.values.map(\.date).min().map { beginWait(for: $0 - runningTime, now: now) }
        return (due.map(\.value.fire), next)
    }

    private mutating func beginWait(for seconds: TimeInterval, now: TimeInterval) -> Wait {
        lastNumber &+= 1
        let seconds = min(seconds, Self.longestWait)
        let wait = Wait(number: lastNumber, end: now + seconds, seconds: seconds)
        self.wait = wait
        return wait
    }

    private mutating func noticeSuspension(now: TimeInterval) {
        guard let wait, now - wait.end > 1 else { return }
        suspendedTime += now - wait.end
        let runningTime = now - suspendedTime
        for (id, timer) in timers {
            timers[id]?.date = max(timer.date, runningTime + min(timer.seconds, Self.longestWait))
        }
        // The overdue sleep is no longer current, but it hasn't ended yet.
        self.wait = Wait(number: wait.number, end: now, seconds: wait.seconds)
    }
}

extension StoreClock {
    /// Calls a closure on any thread after the app has run for a number of seconds. Returns the cancellation.
    func startTimer(whileRunningFor seconds: TimeInterval, _ fire: @escaping @Sendable () -> Void)
        -> @Sendable () -> Void
    {
        if self is SystemStoreClock { return RunningTimers.shared.start(whileRunningFor: seconds, fire) }
        let task = storeWork.task { [self] in
            // A failure means that the timer is no longer needed.
            guard (try? await sleep(whileRunningFor: seconds)) != nil else { return }
            fire()
        }
        return { task.cancel() }
    }

    /// Starts a timer that a test doesn't see when it waits for sleeping tasks.
    func startWarningTimer(_ seconds: TimeInterval, _ warn: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        if let clock = self as? any WorkCountingClock { return clock.schedule(at: clock.now + seconds, warn) }
        return startTimer(whileRunningFor: seconds, warn)
    }
}
