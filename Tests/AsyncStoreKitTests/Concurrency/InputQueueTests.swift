import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct InputQueueTests {
    private let queue = InputQueue<Int>()
    private let wakeUps = Locked(0)

    init() {
        queue.onWake { [wakeUps] in wakeUps.withLock { $0 += 1 } }
    }

    private func takeAll() -> [Int] {
        queue.beginDraining()
        var taken: [Int] = []
        while let input = queue.next() { taken.append(input) }
        return taken
    }

    @Test func `inputs leave the queue in the order in which they were enqueued`() {
        for input in 1...5 { queue.enqueueAndWake(input) }
        expectEqual(takeAll(), [1, 2, 3, 4, 5])
        expectEqual(takeAll(), [])
    }

    @Test func `the actor is woken once for inputs that no task is draining`() {
        for input in 1...3 { queue.enqueueAndWake(input) }
        expectEqual(wakeUps.withLock { $0 }, 1)
        expectEqual(takeAll(), [1, 2, 3])
        queue.enqueueAndWake(4)
        expectEqual(wakeUps.withLock { $0 }, 2)
    }

    @Test func `the actor isn't woken for inputs that a caller drains`() {
        expectEqual(queue.enqueue(1), .idle)
        queue.beginDraining()
        expectEqual(queue.enqueue(2), .draining)
        queue.enqueueAndWake(3)
        expectEqual([queue.next(), queue.next(), queue.next(), queue.next()], [1, 2, 3, nil])
        expectEqual(wakeUps.withLock { $0 }, 0)
    }

    @Test func `the actor is woken only for the remaining inputs`() {
        expectEqual(queue.enqueue(1), .idle)
        expectEqual(queue.enqueue(2), .idle)
        queue.beginDraining()
        expectEqual(queue.next(), 1)
        queue.endDraining()
        expectEqual(wakeUps.withLock { $0 }, 1)
        expectEqual(takeAll(), [2])
        queue.beginDraining()
        queue.endDraining()
        expectEqual(wakeUps.withLock { $0 }, 1)
    }

    @Test func `the actor is woken for earlier inputs`() {
        let queue = InputQueue<Int>()
        queue.enqueueAndWake(1)
        queue.onWake { [wakeUps] in wakeUps.withLock { $0 += 1 } }
        expectEqual(wakeUps.withLock { $0 }, 1)
    }

    @Test func `after draining, callers drain their own inputs`() {
        expectEqual(queue.enqueue(1), .idle)
        expectEqual(takeAll(), [1])
        expectEqual(queue.enqueue(2), .idle)
    }

    @Test func `a closed queue refuses inputs and still returns its own, and the actor is woken for the last time`() {
        queue.enqueueAndWake(1)
        queue.close()
        expectEqual(wakeUps.withLock { $0 }, 2)
        #expect(!queue.enqueueAndWake(2))
        expectEqual(queue.enqueue(3), .refused)
        #expect(queue.beginDraining())
        expectEqual(takeAll(), [1])
    }

    @Test func `an input may close the queue when it's released`() {
        final class Closing: Sendable {
            private let queue: InputQueue<Closing>

            init(_ queue: InputQueue<Closing>) {
                self.queue = queue
            }

            deinit { queue.close() }
        }
        let queue = InputQueue<Closing>()
        for _ in 0..<4 { queue.enqueueAndWake(Closing(queue)) }
        #expect(!queue.beginDraining())
        while queue.next() != nil {}
        #expect(queue.beginDraining())
    }

    @Test func `no input is lost when several tasks enqueue during a drain`() async {
        let count = 10_000
        let taken = Locked<[Int]>([])
        let ended = Promise<Void>()
        let drainer = Drainer()
        queue.onWake { [queue] in
            Task {
                await drainer.run {
                    let isClosed = queue.beginDraining()
                    while let input = queue.next() { taken.withLock { $0.append(input) } }
                    if isClosed { ended.fulfill(()) }
                }
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
        await ended.value()
        expectEqual(Set(taken.withLock { $0 }).count, count)
        expectEqual(taken.withLock { $0.count }, count)
    }
}

/// Drains one input at a time, as the actor does.
private actor Drainer {
    func run(_ drain: () -> Void) { drain() }
}
