import AppReceipt
public import Foundation

/// The number of retries after temporary failures, and their delays.
public struct VerifyReceiptRetryPolicy: Sendable, Hashable {
    /// The maximum number of retries, without the change to the sandbox.
    public var maximumRetries: Int
    /// The delay before the first retry, in seconds. Each delay is twice as long as the previous one.
    public var firstDelay: TimeInterval
    /// The maximum delay, in seconds.
    public var longestDelay: TimeInterval

    /// Creates a policy.
    public init(maximumRetries: Int = 3, firstDelay: TimeInterval = 1, longestDelay: TimeInterval = 8) {
        self.maximumRetries = maximumRetries
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
    }

    /// A policy without retries.
    public static let never = VerifyReceiptRetryPolicy(maximumRetries: 0)

    /// Returns the delay before a retry, counted from 0; `nil` after the last retry.
    func delay(beforeRetry retry: Int) -> TimeInterval? {
        guard retry < maximumRetries else { return nil }
        return max(0, min(firstDelay * pow(2, Double(min(retry, 60))), longestDelay))
    }
}

/// The clock for delays between attempts. Tests use a clock that doesn't wait.
package protocol RetryClock: Sendable {
    /// Returns after `seconds`, or throws `CancellationError` as soon as the task is canceled.
    func sleep(for seconds: TimeInterval) async throws
}

/// A clock that waits in real time.
package struct SystemRetryClock: RetryClock {
    package init() {}

    package func sleep(for seconds: TimeInterval) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 3_600)) * 1e9))
    }
}
