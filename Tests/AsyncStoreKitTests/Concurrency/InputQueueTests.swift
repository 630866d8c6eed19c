import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct InputQueueTests {
    private let queue = InputQueue<Int>()

    private func takeAll() -> [Int] {
        queue.beginDraining()
        var taken: [Int] = []
        while let input = queue.next() { taken.append(input) }
        return taken
    }

    @Test func `what is enqueued is taken out in the same order`() {
        for input in 1...5 { queue.enqueueAndWake(input) }
        #expect(takeAll() == [1, 2, 3, 4, 5])
        #expect(takeAll() == [])
    }

    @Test func `the actor is woken for what is enqueued while nobody drains`() async throws {
        queue.enqueueAndWake(1)
        var wakeUps = queue.wakeUps.makeAsyncIterator()
        #expect(await wakeUps.next() != nil)
        #expect(takeAll() == [1])
    }

    @Test func `the actor is woken neither for what a caller drains itself nor for what is taken out at once`() async throws {
        #expect(queue.enqueue(1) == .idle)
        queue.beginDraining()
        #expect(queue.enqueue(2) == .draining)
        queue.enqueueAndWake(3)
        #expect([queue.next(), queue.next(), queue.next(), queue.next()] == [1, 2, 3, nil])
        queue.close()
        var wakeUps = queue.wakeUps.makeAsyncIterator()
        #expect(await wakeUps.next() == nil)
    }

    @Test func `the actor is woken for what is left over, and only then`() async throws {
        #expect(queue.enqueue(1) == .idle)
        #expect(queue.enqueue(2) == .idle)
        queue.beginDraining()
        #expect(queue.next() == 1)
        queue.endDraining()
        var wakeUps = queue.wakeUps.makeAsyncIterator()
        #expect(await wakeUps.next() != nil)
        #expect(takeAll() == [2])
        queue.beginDraining()
        queue.endDraining()
        queue.close()
        #expect(await wakeUps.next() == nil)
    }

    @Test func `after it has been drained, callers have to see to what they enqueue`() {
        #expect(queue.enqueue(1) == .idle)
        #expect(takeAll() == [1])
        #expect(queue.enqueue(2) == .idle)
    }

    @Test func `once closed it refuses, and gives out what it has`() {
        queue.enqueueAndWake(1)
        queue.close()
        #expect(!queue.enqueueAndWake(2))
        #expect(queue.enqueue(3) == .refused)
        #expect(takeAll() == [1])
    }

    @Test func `nothing is lost or left behind, whoever enqueues while somebody drains`() async {
        let count = 10_000
        let taken = Locked<[Int]>([])
        let draining = Task { [queue] in
            for await _ in queue.wakeUps {
                queue.beginDraining()
                while let input = queue.next() { taken.withLock { $0.append(input) } }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<8 {
                group.addTask { [queue] in
                    for input in stride(from: caller, to: count, by: 8) { queue.enqueueAndWake(input) }
                }
            }
        }
        queue.close()
        await draining.value
        let left = takeAll()
        #expect(Set(taken.withLock { $0 } + left).count == count)
        #expect(taken.withLock { $0.count } + left.count == count)
    }
}
