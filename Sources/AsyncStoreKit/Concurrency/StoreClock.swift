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
    public func sleep(until deadline: Date) async throws {
        let longest: TimeInterval = 1_000_000_000
        let bounded = max(0, min(deadline.timeIntervalSince(now), longest))
        try await Task.sleep(nanoseconds: UInt64(bounded * 1_000_000_000))
    }
}
