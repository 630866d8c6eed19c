import Dispatch
import Foundation
package import Testing

extension Trait where Self == BoundedTests {
    /// A trait for every suite: a test that doesn't end fails within a minute.
    package static var bounded: Self { Self() }
}

/// Limits the time of every test.
///
/// A test that hasn't ended after 45 seconds, or after `TEST_TIME_LIMIT` seconds, fails and is canceled. If the test
/// ignores the cancellation, the process ends ten seconds later, because no other way ends a task. Only a few tests per
/// processor run at a time, so that a test's time doesn't include waiting for other tests. Other load on the processors
/// extends the time. After three expired tests, the remaining tests fail immediately, so that the run ends soon.
package struct BoundedTests: SuiteTrait, TestTrait, TestScoping {
    private static let limit = ProcessInfo.processInfo.environment["TEST_TIME_LIMIT"].flatMap(TimeInterval.init) ?? 45
    private static let grace: TimeInterval = 10
    /// After this time the process ends, even if the shared thread pool is blocked.
    private static let backstop = limit + 255

    package var isRecursive: Bool { true }

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await TestTurns.shared.take()
        let begin = Date()
        let hasExpired: Bool
        do {
            guard await TestTurns.shared.allowsTests else {
                Issue.record("Skipped, because three tests have expired.")
                return await TestTurns.shared.pass(hasExpired: false)
            }
            hasExpired = try await perform(function, as: test.name)
        } catch {
            // A wait in a test throws after ten seconds.
            await TestTurns.shared.pass(hasExpired: Date().timeIntervalSince(begin) > 9)
            throw error
        }
        await TestTurns.shared.pass(hasExpired: hasExpired)
    }

    /// Runs a test, and returns whether the test has expired.
    private func perform(_ function: @concurrent @Sendable () async throws -> Void, as name: String) async throws
        -> Bool
    {
        let end = Self.endOfProcess(after: Self.backstop, blaming: name)
        defer { end.cancel() }
        return try await withoutActuallyEscaping(function) { function in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    try await function()
                    return true
                }
                group.addTask {
                    await Self.tenths(Int(Self.limit * 10))
                    try Task.checkCancellation()
                    return false
                }
                guard try await group.next() == false else { return false }
                Issue.record("The test hasn't ended after \(Int(Self.limit)) s, because a call in it hasn't returned.")
                group.cancelAll()
                let end = Self.endOfProcess(after: Self.grace, blaming: name)
                defer { end.cancel() }
                while try await group.next() != nil {}
                return true
            }
        }
    }

    /// Waits for a number of tenths of a second or the cancellation of the task. Tenths in which the shared thread pool
    /// didn't run this task are ignored.
    private static func tenths(_ count: Int) async {
        let (ticks, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + 0.1, repeating: 0.1)
        timer.setEventHandler { continuation.yield() }
        timer.resume()
        defer { timer.cancel() }
        var passed = 0
        for await _ in ticks {
            passed += 1
            if passed >= count { return }
        }
    }

    private static func endOfProcess(after seconds: TimeInterval, blaming name: String) -> DispatchWorkItem {
        let end = DispatchWorkItem {
            let text = "The test \(name) has neither ended nor responded to its cancellation. The run ends here.\n"
            FileHandle.standardError.write(Data(text.utf8))
            _exit(EXIT_FAILURE)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: end)
        return end
    }
}

/// The number of tests that run at the same time.
private actor TestTurns {
    static let shared = TestTurns()

    private var free = max(4, ProcessInfo.processInfo.activeProcessorCount * 2)
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var expiredCount = 0

    /// Whether further tests can begin.
    var allowsTests: Bool { expiredCount < 3 }

    func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func pass(hasExpired: Bool) {
        if hasExpired { expiredCount += 1 }
        guard !waiting.isEmpty else {
            free += 1
            return
        }
        waiting.removeFirst().resume()
    }
}
