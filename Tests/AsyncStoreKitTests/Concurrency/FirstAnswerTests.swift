import AsyncStoreKit
import Support
import Testing

@Suite struct FirstAnswerTests {
    private let first = FirstAnswer<Int>()
    private let started = Recorder<Int>()
    private let cancelled = Recorder<Int>()

    private func wait() async -> FirstAnswer<Int>.Answer {
        await first.wait(start: { started.record(1) }, cancel: { [cancelled] in cancelled.record(1) })
    }

    private func isCancelled(_ answer: FirstAnswer<Int>.Answer) -> Bool {
        guard case .failure(let error) = answer else { return false }
        return error is CancellationError
    }

    @Test func `an answer that comes from inside the start is not missed`() async throws {
        let answer = await first.wait(start: { first.end(.success(1)) }, cancel: {})
        #expect(try answer.get() == 1)
    }

    @Test func `an answer that comes later ends the wait`() async throws {
        async let answer = wait()
        _ = await started.first(1)
        first.end(.success(2))
        #expect(try await answer.get() == 2)
    }

    @Test func `the first of several answers counts`() async throws {
        let answer = await first.wait(
            start: {
                first.end(.success(1))
                first.end(.success(2))
                first.end(.failure(StoreError(.network, "")))
            }, cancel: {})
        #expect(try answer.get() == 1)
        first.end(.success(3))
    }

    @Test func `a failure is an answer`() async {
        let answer = await first.wait(start: { first.end(.failure(StoreError(.network, ""))) }, cancel: {})
        guard case .failure(let error) = answer else {
            Issue.record("It succeeded.")
            return
        }
        #expect(error as? StoreError == StoreError(.network, ""))
    }

    @Test func `cancelling ends the wait at once, and says so to what was started`() async {
        let task = Task { await wait() }
        _ = await started.first(1)
        task.cancel()
        #expect(isCancelled(await task.value))
        #expect(cancelled.elements == [1])
        first.end(.success(1))
    }

    @Test func `a task that is cancelled before does not start`() async {
        let gate = Gate()
        let task = Task {
            await gate.pass()
            return await wait()
        }
        task.cancel()
        gate.open()
        #expect(isCancelled(await task.value))
        #expect(started.elements.isEmpty)
    }

    @Test func `after an answer that came too early nothing starts`() async {
        first.end(.success(1))
        #expect(isCancelled(await wait()))
        #expect(started.elements.isEmpty)
    }

    @Test func `it waits once`() async throws {
        let answer = await first.wait(start: { first.end(.success(1)) }, cancel: {})
        #expect(try answer.get() == 1)
        #expect(isCancelled(await wait()))
        #expect(started.elements.isEmpty)
    }

    @Test func `of an answer and a cancellation at the same time one ends the wait`() async {
        for _ in 0..<100 {
            let first = FirstAnswer<Int>()
            let task = Task { await first.wait(start: {}, cancel: {}) }
            let answering = Task.detached { first.end(.success(1)) }
            task.cancel()
            let answer = await task.value
            await answering.value
            #expect(isCancelled(answer) || (try? answer.get()) == 1)
        }
    }
}
