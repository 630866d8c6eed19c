import Dispatch
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The order of inputs, who takes them, and how long a caller stays.
@Suite(.bounded) struct InputQueueTests {
    @Test(arguments: [false, true])
    func `each input is taken once, in the order in which the inputs were enqueued`(usesCallers: Bool) async throws {
        let (queue, numbers) = numbers(usesCallers)
        let count = 10_000
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<8 {
                group.addTask {
                    for input in stride(from: caller, to: count, by: 8) {
                        // Calls with and without `await`.
                        if input % 3 == 0 { _ = await queue.enqueueAndTake(input) } else { queue.enqueue(input) }
                    }
                }
            }
        }
        queue.close()
        #expect(!queue.enqueue(-1))
        #expect(await !queue.enqueueAndTake(-1))
        await numbers.ended.value()
        let taken = numbers.taken.withLock { $0 }
        expectEqual(Set(taken).count, count)
        expectEqual(taken.count, count)
        for caller in 0..<8 {
            let own = taken.filter { $0 % 8 == caller }
            expectEqual(own, own.sorted())
        }
    }

    @Test func `on callers' threads, an input has taken effect when its call returns`() {
        let (queue, numbers) = numbers(true)
        for input in 1...3 {
            queue.enqueue(input)
            expectEqual(numbers.taken.withLock { $0 }, Array(1...input))
        }
        #expect(!queue.isTakingHere)
    }

    @Test func `an input of a run is taken by the same run`() {
        let (queue, numbers) = numbers(true)
        numbers.whenTaken { input in
            #expect(queue.isTakingHere)
            if input < 3 { queue.enqueue(input + 1) }
            queue.takeNow()
        }
        queue.enqueue(1)
        expectEqual(numbers.taken.withLock { $0 }, [1, 2, 3])
    }

    @Test func `a caller leaves beside a writer, and the rest is taken elsewhere`() async throws {
        let (queue, numbers) = numbers(true)
        let threads = Locked<[UInt64: Int]>([:])
        // Each input enqueues another one, so the queue is never empty.
        numbers.whenTaken { input in
            let thread = UInt64(UInt(bitPattern: pthread_self().hashValue))
            threads.withLock { $0[thread, default: 0] += 1 }
            if input < 5_000 { queue.enqueue(input + 1) } else { queue.close() }
        }
        let thread = UInt64(UInt(bitPattern: pthread_self().hashValue))
        queue.enqueue(1)
        let own = threads.withLock { $0[thread] ?? 0 }
        #expect((1...100).contains(own))
        await numbers.ended.value()
        expectEqual(numbers.taken.withLock { $0.count }, 5_000)
    }

    @Test func `a thread that waits for its turn gets it after the current input`() async throws {
        let (queue, numbers) = numbers(true)
        let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        numbers.whenTaken { input in
            guard input == 1 else { return }
            hasBegun.signal()
            _ = mayEnd.wait(timeout: .now() + 10)
        }
        let ended = Recorder<[Int]>()
        DispatchQueue.global().async { queue.enqueue(1) }
        DispatchQueue.global().async {
            _ = hasBegun.wait(timeout: .now() + 10)
            queue.enqueue(2)
            // Another thread is inside the actor.
            #expect(numbers.taken.withLock { $0 }.isEmpty)
            mayEnd.signal()
            queue.takeNow()
            ended.record(numbers.taken.withLock { $0 })
        }
        expectEqual(try await ended.first(1), [[1, 2]])
    }

    @Test func `a run never has a lower priority than a caller that waits`() async throws {
        let (queue, numbers) = numbers(false)
        let priorities = Locked<[Int: TaskPriority]>([:])
        numbers.whenTaken { input in priorities.withLock { $0[input] = Task.currentPriority } }
        await withTaskGroup(of: Void.self) { group in
            for (caller, priority) in [TaskPriority.background, .utility, .medium, .userInitiated].enumerated() {
                group.addTask {
                    let task = Task.detached(priority: priority) {
                        for input in stride(from: caller, to: 2_000, by: 4) {
                            _ = await queue.enqueueAndTake(input)
                            if input % 16 == caller { await Task.yield() }
                        }
                    }
                    await task.value
                }
            }
        }
        queue.close()
        await numbers.ended.value()
        let taken = priorities.withLock { $0 }
        expectEqual(taken.count, 2_000)
        // The tasks of lower priority may run before the group waits for them, which raises their priority.
        let callers = [TaskPriority.background, .utility, .medium, .userInitiated]
        #expect(taken.allSatisfy { $0.value >= callers[$0.key % 4] })
    }

    @Test func `a woken task inherits no task-local values`() async throws {
        let (queue, numbers) = numbers(false)
        let values = Recorder<Int>()
        numbers.whenTaken { _ in values.record(Stranger.value) }
        Stranger.$value.withValue(1) { _ = queue.enqueue(1) }
        expectEqual(try await values.first(1), [0])
    }

    @Test func `an input may close the queue when it's taken, and the actor ends once`() async {
        let (queue, numbers) = numbers(true)
        numbers.whenTaken { input in if input == 2 { queue.close() } }
        queue.enqueue(1)
        queue.enqueue(2)
        #expect(!queue.enqueue(3))
        await numbers.ended.value()
        expectEqual(numbers.taken.withLock { $0 }, [1, 2])
        expectEqual(numbers.ends.withLock { $0 }, 1)
    }

    private func numbers(_ usesCallers: Bool) -> (InputQueue<Numbers>, Numbers) {
        let queue = InputQueue<Numbers>(usesCallersThreads: usesCallers)
        let numbers = Numbers(queue)
        queue.start(numbers)
        return (queue, numbers)
    }
}

private enum Stranger {
    @TaskLocal static var value = 0
}

/// Takes numbers, one at a time.
private actor Numbers: InputConsumer {
    typealias Input = Int

    nonisolated let unownedExecutor: UnownedSerialExecutor
    nonisolated let taken = Locked<[Int]>([])
    nonisolated let ends = Locked(0)
    nonisolated let ended = Promise<Void>()
    private nonisolated let handler = Locked(Handler())
    private let queue: InputQueue<Numbers>
    private var isTaking = false

    private struct Handler: Sendable {
        var run: (@Sendable (Int) -> Void)?
    }

    init(_ queue: InputQueue<Numbers>) {
        self.queue = queue
        unownedExecutor = queue.executor
    }

    nonisolated func whenTaken(_ run: @escaping @Sendable (Int) -> Void) {
        handler.withLock { $0.run = run }
    }

    func takeInputs(_ share: InputQueue<Numbers>.Share) {
        #expect(!isTaking)
        isTaking = true
        var share = share
        while let input = queue.next(&share) {
            handler.withLock { $0 }.run?(input)
            taken.withLock { $0.append(input) }
        }
        isTaking = false
        guard share.isLast else { return }
        ends.withLock { $0 += 1 }
        ended.fulfill(())
    }

    nonisolated func didTakeInputs() {}
}
