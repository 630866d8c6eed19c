import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct ObservationTests {
    /// A sequence that keeps elements only once an iterator exists, as the sequences of StoreKit do.
    private struct Updates: AsyncSequence, Sendable {
        let continuations = Locked<[AsyncStream<Int>.Continuation]>([])

        struct AsyncIterator: AsyncIteratorProtocol {
            var base: AsyncStream<Int>.Iterator

            @concurrent mutating func next() async -> Int? { await base.next() }
        }

        func makeAsyncIterator() -> AsyncIterator {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            continuations.withLock { $0.append(continuation) }
            return AsyncIterator(base: stream.makeAsyncIterator())
        }

        func send(_ element: Int) {
            continuations.withLock { $0 }.forEach { $0.yield(element) }
        }
    }

    private struct Failing: AsyncSequence, AsyncIteratorProtocol, Sendable {
        struct Failure: Error {}

        var count = 0

        mutating func next() async throws -> Int? {
            count += 1
            if count > 2 { throw Failure() }
            return count
        }

        func makeAsyncIterator() -> Failing { self }
    }

    @Test func `the iterator exists when observing begins, so that no element is missed`() async throws {
        let updates = Updates()
        let elements = Recorder<Int>()
        let task = observe(updates) { elements.record($0) }
        expectEqual(updates.continuations.withLock { $0.count }, 1)
        // The task may not have run yet.
        updates.send(1)
        updates.send(2)
        expectEqual(try await elements.first(2), [1, 2])
        task.cancel()
        await task.value
        updates.send(3)
        expectEqual(elements.elements, [1, 2])
    }

    @Test func `an error of the sequence ends the task`() async throws {
        let elements = Recorder<Int>()
        await observe(Failing()) { elements.record($0) }.value
        expectEqual(elements.elements, [1, 2])
    }
}
