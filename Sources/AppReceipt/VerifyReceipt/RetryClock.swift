package import Foundation

/// The pauses between attempts; tests bring a clock that does not wait.
package protocol RetryClock: Sendable {
    /// Returns after `seconds`, or throws `CancellationError` as soon as the task is cancelled.
    func sleep(for seconds: TimeInterval) async throws
}

/// Pauses in real time.
package struct SystemRetryClock: RetryClock {
    package init() {}

    package func sleep(for seconds: TimeInterval) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 3_600)) * 1e9))
    }
}
