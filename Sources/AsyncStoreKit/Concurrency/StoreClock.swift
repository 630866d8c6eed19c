public import Foundation

/// The time by which a store measures its time-outs and retries.
///
/// `Clock` is not there on the oldest systems this package runs on. Tests bring their own, and so wait for nothing.
public protocol StoreClock: Sendable {
    /// The time now.
    var now: Date { get }
    /// Returns after so many seconds, or throws `CancellationError` as soon as the task is cancelled.
    func sleep(for seconds: TimeInterval) async throws
}

extension StoreClock {
    /// Sleeps until a date that was set before: a task that is late to begin does not sleep longer for it.
    func sleep(until deadline: Date) async throws {
        try await sleep(for: max(0, deadline.timeIntervalSince(now)))
    }
}

/// The clock of the device.
public struct SystemStoreClock: StoreClock {
    /// Makes the clock.
    public init() {}

    /// The device's time.
    public var now: Date { Date() }

    /// Sleeps without blocking a thread.
    public func sleep(for seconds: TimeInterval) async throws {
        let longest: TimeInterval = 1_000_000_000
        let bounded = seconds.isNaN ? 0 : max(0, min(seconds, longest))
        try await Task.sleep(nanoseconds: UInt64(bounded * 1_000_000_000))
    }
}
