import Dispatch
public import Foundation

/// The clock by which a store measures timeouts and retries.
///
/// `Clock` isn't available on the oldest supported systems. Tests use a clock that they control.
public protocol StoreClock: Sendable {
    /// The time now.
    var now: Date { get }
    /// Returns at a date, or immediately if the date is in the past. Throws `CancellationError` as soon as the task is
    /// canceled.
    ///
    /// The parameter is a date, so that a task that starts late doesn't sleep longer.
    func sleep(until deadline: Date) async throws
    /// Returns after the app has run for a number of seconds. Throws `CancellationError` as soon as the task is
    /// canceled.
    ///
    /// Timeouts use this function, so that a suspended app doesn't miss an answer. The default implementation measures
    /// all time.
    func sleep(whileRunningFor seconds: TimeInterval) async throws
}

extension StoreClock {
    /// Counts all time.
    public func sleep(whileRunningFor seconds: TimeInterval) async throws {
        try await sleep(for: seconds)
    }

    /// Returns after a number of seconds. Throws `CancellationError` as soon as the task is canceled. NaN is treated
    /// as 0.
    public func sleep(for seconds: TimeInterval) async throws {
        try await sleep(until: now.addingTimeInterval(seconds.isNaN ? 0 : seconds))
    }
}

/// The clock of the device.
public struct SystemStoreClock: StoreClock {
    /// Creates the clock.
    public init() {}

    /// The device's time.
    public var now: Date { Date() }

    /// Sleeps without blocking a thread, for thirty years at the most.
    ///
    /// Time continues while the device is asleep. If the deadline passes meanwhile, the function returns when the
    /// device wakes; on iOS 15, macOS 12, tvOS 15 and watchOS 8, it returns within a minute of the wake. If the
    /// device's clock is set ahead, the function returns within five minutes of the deadline, within 15 minutes if the
    /// deadline was more than an hour away, and within an hour if it was more than a day away. If the clock is set
    /// back, the sleep doesn't get longer.
    public func sleep(until deadline: Date) async throws {
        if #available(iOS 16, macOS 13, tvOS 16, watchOS 9, *) {
            // The continuous clock runs while the device is asleep.
            try await Self.sleep(until: deadline, now: { now }, longestWait: Self.longestWait) {
                // A long wait ends together with other timers of the system. The last one before the deadline is short.
                let tolerance: Duration? = $0 > 300 ? .seconds($0 / 10) : nil
                try await Task.sleep(for: .seconds($0), tolerance: tolerance, clock: .continuous)
            }
        } else {
            try await Self.sleep(until: deadline, now: { now }, longestWait: { _ in 60 }) {
                try await Task.sleep(nanoseconds: UInt64($0 * 1_000_000_000))
            }
        }
    }

    /// Sleeps without blocking a thread, and doesn't count the time in which the app is suspended, such as in the
    /// background.
    ///
    /// After a suspension the function sleeps for at least five more seconds, or for `seconds` if that is less, so that
    /// events that arrived in the meantime are handled first.
    public func sleep(whileRunningFor seconds: TimeInterval) async throws {
        try Task.checkCancellation()
        let hasFired = Promise<Bool>()
        let cancel = startTimer(whileRunningFor: seconds) { hasFired.fulfill(true) }
        let isOver = await hasFired.value {
            cancel()
            hasFired.fulfill(false)
        }
        guard isOver else { throw CancellationError() }
    }

    /// Starts a timer of Dispatch, which costs a fraction of a task that sleeps and is canceled. A canceled timer ends
    /// with its present part, without an effect.
    fileprivate static func start(
        _ time: RunningTime, while isPending: Locked<Bool>, _ fire: @escaping @Sendable () -> Void
    ) {
        let begin = monotonicTime
        DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + time.wait) {
            guard isPending.withLock({ $0 }) else { return }
            var time = time
            if time.waitEnded(after: monotonicTime - begin) { fire() } else { start(time, while: isPending, fire) }
        }
    }

    /// The seconds of a clock that can't be set. It doesn't stop while the device sleeps or the app is suspended.
    package static var monotonicTime: TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
    }

    /// The longest time between two checks of the date, in seconds. An idle device wakes rarely for a distant date.
    static func longestWait(left: TimeInterval) -> TimeInterval {
        switch left {
        case ...3_600: 300
        case ...86_400: 900
        default: 3_600
        }
    }

    /// Sleeps in short waits, until the deadline or until the waits add up to the time that was left at the call.
    ///
    /// - Parameters:
    ///   - longestWait: Returns the longest time between two checks of the date, in seconds, for the seconds left.
    ///   - wait: Sleeps for some seconds. It may take longer.
    static func sleep(
        until deadline: Date, now: () -> Date, longestWait: (_ left: TimeInterval) -> TimeInterval,
        wait: (TimeInterval) async throws -> Void
    ) async throws {
        let longest: TimeInterval = 1_000_000_000
        var left = max(0, min(deadline.timeIntervalSince(now()), longest))
        repeat {
            let seconds = min(left, longestWait(left))
            try await wait(seconds)
            left = min(left - seconds, deadline.timeIntervalSince(now()))
        } while left > 0
    }
}

/// The time that is left of a timer that measures only the time in which the app runs.
///
/// The timer waits in parts of at most five seconds. If a part takes more than a second longer than planned, the app
/// was suspended, so the planned length is used. After that, the timer has at least five more seconds, or its whole
/// time if that is less, so that events that arrived in the meantime are handled first.
struct RunningTime: Sendable {
    /// The longest part, in seconds.
    static let longestWait: TimeInterval = 5

    private let seconds: TimeInterval
    private var left: TimeInterval

    /// - Parameter seconds: NaN is treated as 0.
    init(seconds: TimeInterval) {
        self.seconds = seconds.isNaN ? 0 : max(0, min(seconds, 1_000_000_000))
        left = self.seconds
    }

    /// The length of the next part, in seconds.
    var wait: TimeInterval { min(left, Self.longestWait) }

    /// Ends a part that took a number of seconds. Returns whether the whole time has passed.
    mutating func waitEnded(after elapsed: TimeInterval) -> Bool {
        let wasSuspended = elapsed - wait > 1
        left = wasSuspended ? max(left - wait, min(seconds, Self.longestWait)) : max(0, left - elapsed)
        // A clock can differ by a fraction of a millisecond.
        return left <= 0.001
    }
}

// Timers.
extension StoreClock {
    /// Calls a closure on any thread after the app has run for a number of seconds. Returns the cancellation.
    func startTimer(whileRunningFor seconds: TimeInterval, _ fire: @escaping @Sendable () -> Void)
        -> @Sendable () -> Void
    {
        guard self is SystemStoreClock else { return startTimer(fire) { try await sleep(whileRunningFor: seconds) } }
        let isPending = Locked(true)
        SystemStoreClock.start(RunningTime(seconds: seconds), while: isPending, fire)
        return { isPending.withLock { $0 = false } }
    }

    /// Calls a closure after a wait. Returns the cancellation.
    func startTimer(
        _ fire: @escaping @Sendable () -> Void, after wait: @escaping @Sendable () async throws -> Void
    ) -> @Sendable () -> Void {
        let task = storeWork.task {
            // A failure means that the timer is no longer needed.
            if (try? await wait()) != nil { fire() }
        }
        return { task.cancel() }
    }

    /// Starts a timer that a test doesn't see when it waits for sleeping tasks.
    func startWarningTimer(_ seconds: TimeInterval, _ warn: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        if let clock = self as? any WorkCountingClock { return clock.schedule(at: clock.now + seconds, warn) }
        return startTimer(whileRunningFor: seconds, warn)
    }

    /// Returns what an operation returns, or `nil` if the operation takes longer than a number of seconds in which the
    /// app runs. The operation continues in any case.
    func value<Value: Sendable>(
        within seconds: TimeInterval, of operation: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let response = Promise<Value?>()
        let limit = storeWork.task {
            if (try? await sleep(whileRunningFor: seconds)) != nil { response.fulfill(nil) }
        }
        _ = storeWork.task { response.fulfill(await operation()) }
        defer { limit.cancel() }
        return await response.value(isResponse: true)
    }
}
