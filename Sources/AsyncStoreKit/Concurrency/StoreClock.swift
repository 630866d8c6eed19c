public import Foundation

/// The time by which a store measures its time-outs and retries.
///
/// `Clock` is not there on the oldest systems this package runs on. Tests bring their own, and so wait for nothing.
public protocol StoreClock: Sendable {
    /// The time now.
    var now: Date { get }
    /// Returns when a date has come, at once when it is past, or throws `CancellationError` as soon as the task is cancelled.
    ///
    /// A date rather than a duration: a task that is late to begin does not sleep longer for it.
    func sleep(until deadline: Date) async throws
}

extension StoreClock {
    /// Returns after so many seconds, or throws `CancellationError` as soon as the task is cancelled. What is not a number counts as 0.
    public func sleep(for seconds: TimeInterval) async throws {
        try await sleep(until: now.addingTimeInterval(seconds.isNaN ? 0 : seconds))
    }
}

/// The clock of the device.
public struct SystemStoreClock: StoreClock {
    /// Makes the clock.
    public init() {}

    /// The device's time.
    public var now: Date { Date() }

    /// Sleeps without blocking a thread, for thirty years at the most.
    ///
    /// Time continues while the device is asleep. If the deadline passes meanwhile, the function returns when the
    /// device wakes; on iOS 15, macOS 12, tvOS 15 and watchOS 8, it returns within a minute of the wake. If the
    /// device's clock is set ahead, the function returns within five minutes of the deadline. If the clock is set
    /// back, the sleep doesn't get longer.
    public func sleep(until deadline: Date) async throws {
        if #available(iOS 16, macOS 13, tvOS 16, watchOS 9, *) {
            // The continuous clock runs while the device is asleep.
            try await Self.sleep(until: deadline, now: { now }, longestNap: 300) {
                try await Task.sleep(for: .seconds($0), clock: .continuous)
            }
        } else {
            try await Self.sleep(until: deadline, now: { now }, longestNap: 60) {
                try await Task.sleep(nanoseconds: UInt64($0 * 1_000_000_000))
            }
        }
    }

    /// Sleeps in naps, until the date has come or the naps are as long as the date was away.
    ///
    /// - Parameters:
    ///   - longestNap: The longest time without a look at the date, in seconds.
    ///   - nap: Sleeps for some seconds. It may take longer.
    static func sleep(
        until deadline: Date, now: () -> Date, longestNap: TimeInterval, nap: (TimeInterval) async throws -> Void
    ) async throws {
        let longest: TimeInterval = 1_000_000_000
        var left = max(0, min(deadline.timeIntervalSince(now()), longest))
        repeat {
            let seconds = min(left, longestNap)
            try await nap(seconds)
            left = min(left - seconds, deadline.timeIntervalSince(now()))
        } while left > 0
    }
}
