import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The order of inputs, who takes them, and how long a caller stays.
@Suite(.bounded) struct InputQueueTests {
    @Test func `each input is taken once, in the order in which the inputs were enqueued`() async throws {
        let (queue, numbers) = numbers()
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

    @Test func `a call with await takes its input, and those that result from it, on its own task`() async {
        let (queue, numbers) = numbers()
        let values = Recorder<Int>()
        numbers.whenTaken { input in
            values.record(Caller.value)
            if input < 3 { queue.enqueue(input + 1) }
        }
        await Caller.$value.withValue(1) { _ = await queue.enqueueAndTake(1) }
        expectEqual(numbers.taken.withLock { $0 }, [1, 2, 3])
        expectEqual(values.elements, [1, 1, 1])
    }

    @Test func `a caller leaves after a hundred inputs, and a woken task takes the rest`() async throws {
        let (queue, numbers) = numbers()
        let own = Locked(0)
        // Each input enqueues another one, so the queue is never empty.
        numbers.whenTaken { input in
            if Caller.value == 1 { own.withLock { $0 += 1 } }
            if input < 5_000 { queue.enqueue(input + 1) } else { queue.close() }
        }
        await Caller.$value.withValue(1) { _ = await queue.enqueueAndTake(1) }
        await numbers.ended.value()
        expectEqual(own.withLock { $0 }, 100)
        expectEqual(numbers.taken.withLock { $0.count }, 5_000)
    }

    @Test func `no input is taken by a task of a low priority`() async throws {
        let (queue, numbers) = numbers()
        let priorities = Locked<[TaskPriority]>([])
        numbers.whenTaken { _ in priorities.withLock { $0.append(Task.currentPriority) } }
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
        #expect(taken.allSatisfy { $0 >= .medium })
    }

    @Test func `a woken task inherits no task-local values`() async throws {
        let (queue, numbers) = numbers()
        let values = Recorder<Int>()
        numbers.whenTaken { _ in values.record(Caller.value) }
        Caller.$value.withValue(1) { _ = queue.enqueue(1) }
        expectEqual(try await values.first(1), [0])
    }

    @Test func `an input may close the queue when it's taken, and the actor ends once`() async {
        let (queue, numbers) = numbers()
        numbers.whenTaken { input in if input == 2 { queue.close() } }
        #expect(await queue.enqueueAndTake(1))
        #expect(await queue.enqueueAndTake(2))
        #expect(!queue.enqueue(3))
        await numbers.ended.value()
        expectEqual(numbers.taken.withLock { $0 }, [1, 2])
        expectEqual(numbers.ends.withLock { $0 }, 1)
    }

    private func numbers() -> (InputQueue<Numbers>, Numbers) {
        let (queue, numbers) = (InputQueue<Numbers>(), Numbers())
        queue.start(numbers)
        return (queue, numbers)
    }
}

private enum Caller {
    @TaskLocal static var value = 0
}

/// Takes numbers, one at a time.
private actor Numbers: InputConsumer {
    typealias Input = Int

    nonisolated let taken = Locked<[Int]>([])
    nonisolated let ends = Locked(0)
    nonisolated let ended = Promise<Void>()
    private nonisolated let handler = Locked(Handler())
    private var isTaking = false

    private struct Handler: Sendable {
        var run: (@Sendable (Int) -> Void)?
    }

    nonisolated func whenTaken(_ run: @escaping @Sendable (Int) -> Void) {
        handler.withLock { $0.run = run }
    }

    func takeInputs(_ next: () -> Int?) {
        #expect(!isTaking)
        isTaking = true
        while let input = next() {
            handler.withLock { $0 }.run?(input)
            taken.withLock { $0.append(input) }
        }
        isTaking = false
    }

    func inputsEnded() {
        ends.withLock { $0 += 1 }
        ended.fulfill(())
    }

    nonisolated func didTakeInputs() {}
}
