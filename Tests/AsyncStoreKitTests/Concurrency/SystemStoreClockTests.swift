import AsyncStoreKit
import Foundation
import Support
import TestHarness
import Testing

@Suite(.bounded) struct SystemStoreClockTests {
    private let clock = SystemStoreClock()

    @Test func `a sleep of years ends when its task is cancelled`() async throws {
        let asleep = Gate()
        let task = Task {
            await asleep.pass()
            try await clock.sleep(for: 1_000_000_000)
        }
        asleep.open()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: [0, -0.0, -1, -1e300, -TimeInterval.infinity, .nan, .leastNonzeroMagnitude])
    func `there is no time to sleep below zero, and none for what is not a number`(seconds: TimeInterval) async throws {
        try await clock.sleep(for: seconds)
    }

    @Test(arguments: [TimeInterval.infinity, .greatestFiniteMagnitude, 1e300, 1_000_000_000])
    func `a sleep without end can be cancelled too`(seconds: TimeInterval) async throws {
        let task = Task { try await clock.sleep(for: seconds) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `the time does not run backwards between two looks`() {
        let first = clock.now
        #expect(clock.now >= first)
        #expect(first > Date(timeIntervalSince1970: 1_700_000_000))
    }
}
