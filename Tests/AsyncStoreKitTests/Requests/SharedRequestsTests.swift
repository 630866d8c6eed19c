import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct SharedRequestsTests {
    typealias Answer = Result<[String: Int], StoreError>

    private let clock = SimulatedClock()
    private let asked = Recorder<Set<String>>()
    private let cancelled = Recorder<Bool>()
    private let gate = Gate()

    /// Requests that are answered with each key's length when the gate is open. A cancellation doesn't stop them.
    private func requests(failing error: StoreError? = nil) -> SharedRequests<String, Int> {
        SharedRequests(
            of: "words", timeout: 30, clock: clock, keepsAnswers: true
        ) { [asked, cancelled, gate] keys throws(StoreError) in
            asked.record(keys)
            await gate.pass()
            cancelled.record(Task.isCancelled)
            if let error { throw error }
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, $0.count) })
        }
    }

    /// Makes a call in a separate task, and returns when the call is registered.
    private func call(_ requests: SharedRequests<String, Int>, _ keys: Set<String>) -> Task<Answer, Never> {
        Task {
            do throws(StoreError) {
                return .success(try await requests.values(for: keys))
            } catch {
                return .failure(error)
            }
        }
    }

    @Test func `a call for requested keys shares the running request, and answers are cached`() async throws {
        let requests = requests()
        let first = call(requests, ["a", "bb"])
        expectEqual(try await asked.first(1), [["a", "bb"]])
        let shared = Recorder<Answer>()
        requests.register(CallID(), ["bb"]) { shared.record($0) }
        let second = call(requests, ["bb", "ccc"])
        expectEqual(try await asked.first(2), [["a", "bb"], ["bb", "ccc"]])
        gate.open()
        expectEqual(await first.value, .success(["a": 1, "bb": 2]))
        expectEqual(try await shared.first(1), [.success(["bb": 2])])
        expectEqual(await second.value, .success(["bb": 2, "ccc": 3]))
        expectEqual(requests.known("ccc"), 3)
        expectEqual(try await requests.values(for: ["a", "bb", "ccc"]), ["a": 1, "bb": 2, "ccc": 3])
        expectEqual(asked.elements.count, 2)
    }

    @Test func `a call that shares a silent request has its own timeout, and a later one has its own request`()
        async throws
    {
        let requests = requests()
        let silent = call(requests, ["a"])
        _ = try await asked.first(1)
        try await clock.waitForSleepers(1)
        clock.advance(by: 20)
        let shared = Recorder<Answer>()
        requests.register(CallID(), ["a"]) { shared.record($0) }
        try await clock.waitForSleepers(2)
        clock.advance(by: 10)
        expectEqual(await code(of: silent), .timedOut)
        #expect(shared.elements.isEmpty)
        let later = call(requests, ["a"])
        expectEqual(try await asked.first(2), [["a"], ["a"]])
        try await clock.waitForSleepers(2)
        clock.advance(by: 20)
        expectEqual(try await shared.first(1).map { $0.failure?.code }, [.timedOut])
        gate.open()
        expectEqual(await later.value, .success(["a": 1]))
    }

    @Test func `canceling the last call cancels the request, whose late answer isn't kept`() async throws {
        let requests = requests()
        let first = call(requests, ["a"])
        _ = try await asked.first(1)
        first.cancel()
        expectEqual(await code(of: first), .taskCancelled, "although the cancellation doesn't stop the request")
        gate.open()
        expectEqual(try await cancelled.first(1), [true])
        expectEqual(await call(requests, ["a"]).value, .success(["a": 1]))
        expectEqual(asked.elements, [["a"], ["a"]], "the key was requested again")
    }

    @Test func `a task that was canceled before its call sends no request`() async {
        let requests = requests()
        let start = Gate()
        let task = Task { () -> Answer in
            await start.pass()
            return await call(requests, cancelledNow: ["a"])
        }
        task.cancel()
        start.open()
        await expectError(\StoreError.code, .taskCancelled) { try await task.value.get() }
        #expect(asked.elements.isEmpty)
        expectEqual(requests.state.withLock { remembered(by: $0) }, 0)
    }

    @Test func `a silent request ends with a timeout that names it, and is canceled`() async throws {
        let requests = requests()
        let first = call(requests, ["a"])
        try await clock.waitForSleepers(1)
        clock.advance(by: 30)
        guard case .failure(let error) = await first.value else { throw StoreWorld.Unexpected(result: "an answer") }
        expectEqual(error.code, .timedOut)
        #expect(error.message.contains("words"))
        #expect(error.message.contains("30"))
        gate.open()
        expectEqual(try await cancelled.first(1), [true])
        expectEqual(requests.known("a"), nil)
    }

    @Test func `an answered request doesn't time out`() async throws {
        let requests = requests()
        let first = call(requests, ["a"])
        try await clock.waitForSleepers(1)
        clock.advance(by: 29)
        gate.open()
        expectEqual(await first.value, .success(["a": 1]))
        clock.advance(by: 30)
        expectEqual(requests.known("a"), 1)
    }
}

// A late cancellation.
extension SharedRequestsTests {
    /// A clock that calls a function the moment one of its sleepers is canceled.
    private struct TellingClock: StoreClock {
        let base = SimulatedClock()
        let whenCancelled = Locked<(@Sendable () -> Void)?>(nil)

        var now: Date { base.now }

        func sleep(until deadline: Date) async throws {
            try await withTaskCancellationHandler {
                try await base.sleep(until: deadline)
            } onCancel: {
                whenCancelled.withLock { $0 }?()
            }
        }
    }

    @Test func `a cancellation between the answer and the caller has no effect, and isn't remembered`() async throws {
        let clock = TellingClock()
        let requests = SharedRequests<String, Int>(of: "words", timeout: 30, clock: clock, keepsAnswers: false) {
            [gate] keys throws(StoreError) in
            await gate.pass()
            return Dictionary(uniqueKeysWithValues: keys.map { ($0, $0.count) })
        }
        let call = call(requests, ["a"])
        // The timeout is canceled when the answer has arrived, and before the caller has it.
        clock.whenCancelled.withLock { $0 = { call.cancel() } }
        try await clock.base.waitForSleepers(1)
        gate.open()
        expectEqual(await call.value, .success(["a": 1]))
        expectEqual(requests.state.withLock { remembered(by: $0) }, 0)
    }
}

extension SharedRequestsTests {
    private func call(_ requests: SharedRequests<String, Int>, cancelledNow keys: Set<String>) async -> Answer {
        do throws(StoreError) {
            return .success(try await requests.values(for: keys))
        } catch {
            return .failure(error)
        }
    }

    private func code(of call: Task<Answer, Never>) async -> StoreError.Code? {
        guard case .failure(let error) = await call.value else { return nil }
        return error.code
    }

    @Test func `a canceled waiter is called once before cancel returns, and the others that share its request aren't`()
        async throws
    {
        let requests = requests()
        let answers = Recorder<Answer>()
        let id = CallID()
        requests.register(id, ["a"]) { answers.record($0) }
        _ = try await asked.first(1)
        let other = Recorder<Answer>()
        requests.register(CallID(), ["a"]) { other.record($0) }
        requests.cancel(id)
        expectEqual(answers.elements.map { $0.failure?.code }, [.taskCancelled])
        requests.cancel(id)
        gate.open()
        expectEqual(try await other.first(1), [.success(["a": 1])])
        requests.cancel(id)
        expectEqual(answers.elements.count, 1)
    }

    @Test func `a waiter for a cached value is called immediately, and can't be canceled afterwards`() async throws {
        let requests = requests()
        gate.open()
        _ = try await requests.values(for: ["a"])
        let answers = Recorder<Answer>()
        let id = CallID()
        requests.register(id, ["a"]) { answers.record($0) }
        expectEqual(answers.elements, [.success(["a": 1])])
        requests.cancel(id)
        expectEqual(answers.elements.count, 1)
    }
}

extension Result where Failure == StoreError {
    fileprivate var failure: StoreError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
