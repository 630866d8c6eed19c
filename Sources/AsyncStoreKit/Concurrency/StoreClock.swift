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
