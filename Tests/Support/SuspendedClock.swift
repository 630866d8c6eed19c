package import AsyncStoreKit
package import Foundation

/// The clock of a suspended app: dates pass, and the app doesn't run.
package struct SuspendedClock: StoreClock {
    private let dates: any StoreClock

    package init(_ dates: any StoreClock) {
        self.dates = dates
    }

    package var now: Date { dates.now }

    package func sleep(until deadline: Date) async throws { try await dates.sleep(until: deadline) }

    /// Returns only when the task is canceled.
    package func sleep(whileRunningFor seconds: TimeInterval) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        continuation.finish()
        throw CancellationError()
    }
}
