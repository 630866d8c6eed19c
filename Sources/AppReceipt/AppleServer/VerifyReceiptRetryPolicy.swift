public import Foundation

/// How often, and after how long, a passing failure is tried again.
public struct VerifyReceiptRetryPolicy: Sendable, Hashable {
    /// How many times to try again; 0 for never. Going over to the sandbox is not counted.
    public var maximumRetries: Int
    /// The pause before the first of them, in seconds; every further one is twice as long.
    public var firstDelay: TimeInterval
    /// The longest pause, in seconds.
    public var longestDelay: TimeInterval

    /// Creates a policy.
    public init(maximumRetries: Int = 3, firstDelay: TimeInterval = 1, longestDelay: TimeInterval = 8) {
        self.maximumRetries = maximumRetries
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// Never again.
    public static let never = VerifyReceiptRetryPolicy(maximumRetries: 0)

    /// The pause before retry `retry`, counted from 0; `nil` when that is one too many.
    func delay(beforeRetry retry: Int) -> TimeInterval? {
        guard retry < maximumRetries else { return nil }
        return max(0, min(firstDelay * pow(2, Double(min(retry, 60))), longestDelay))
    }
}

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
