/// The actor that takes the inputs of an ``InputQueue``.
protocol InputConsumer: Actor {
    associatedtype Input: Sendable
    /// Takes inputs until `next` returns `nil`.
    func takeInputs(_ next: () -> Input?)
    /// The queue is closed, and all of its inputs were taken.
    func inputsEnded()
    /// Calls code outside the package, which may wait for another thread. Called when the actor is free.
    nonisolated func didTakeInputs()
}

/// The only channel into an actor. Inputs take effect in the order in which they are enqueued, from any thread.
///
/// One task at a time takes the inputs, on the actor. A call with `await` takes its input, and some of the inputs that
/// follow, on its own task: waking another task would make a purchase three to four times as expensive. For a call
/// without `await` a task of the pool is woken. So no work of the actor runs on the thread of a caller, and the main
/// thread never waits for a file.
final class InputQueue<Consumer: InputConsumer>: Sendable {
    typealias Input = Consumer.Input

    private struct State: Sendable {
        /// The actor, from the start until the queue is closed and empty.
        var consumer: Consumer?
        /// The inputs to take next, the last one first. It's filled with ``later`` when it's empty, so that taking and
        /// enqueuing take the same time, however many inputs wait.
        private var next: [Input] = []
        private var later: [Input] = []
        /// Whether a task takes inputs, or is about to.
        var isTaken = false
        var isClosed = false

        var isEmpty: Bool { next.isEmpty && later.isEmpty }

        mutating func append(_ input: Input) { later.append(input) }

        mutating func takeFirst() -> Input? {
            if next.isEmpty {
                swap(&next, &later)
                next.reverse()
            }
            return next.popLast()
        }

        /// Returns the actor if a task has to begin to take inputs. The caller begins one.
        mutating func beginTaking() -> Consumer? {
            guard !isTaken, let consumer, isClosed || !isEmpty else { return nil }
            isTaken = true
            return consumer
        }
    }

    /// The number of inputs that a call takes on its own task.
    private static var share: Int { 100 }

    private let state = Locked(State())
    private let work: (any StoreWork)?

    /// - Parameter work: Counts every input until it's taken.
    init(work: (any StoreWork)? = nil) {
        self.work = work
    }

    /// Sets the actor. It's kept until the queue is closed and empty.
    func start(_ consumer: Consumer) {
        wake(
            state.withLock { state in
                state.consumer = consumer
                return state.beginTaking()
            })
    }

    /// Enqueues an input. Returns `false` if the queue is closed.
    @discardableResult
    func enqueue(_ input: Input) -> Bool {
        let (isAccepted, consumer) = append(input)
        wake(consumer)
        return isAccepted
    }

    /// Enqueues an input whose caller waits for the response. The actor takes the input on this task, unless another
    /// task is taking inputs, or this task has a low priority: then other calls would wait for it.
    /// - Returns: `false` if the queue is closed.
    nonisolated(nonsending) func enqueueAndTake(_ input: Input) async -> Bool {
        guard Task.currentPriority >= .medium else { return enqueue(input) }
        let (isAccepted, consumer) = append(input)
        guard let consumer else { return isAccepted }
        await takeInputs(on: consumer, atMost: Self.share)
        consumer.didTakeInputs()
        return true
    }

    /// Closes the queue. The inputs that are in it are still taken.
    func close() {
        wake(
            state.withLock { state in
                state.isClosed = true
                return state.beginTaking()
            })
    }

    private func append(_ input: Input) -> (isAccepted: Bool, consumer: Consumer?) {
        work?.begin(.input)
        let (isAccepted, consumer) = state.withLock { state -> (Bool, Consumer?) in
            guard !state.isClosed else { return (false, nil) }
            state.append(input)
            return (true, state.beginTaking())
        }
        if !isAccepted { work?.end(.input) }
        return (isAccepted, consumer)
    }

    /// Takes all inputs on a task of the pool.
    private func wake(_ consumer: Consumer?) {
        guard let consumer else { return }
        // Detached: the work isn't that of the task that enqueues, and inherits neither its priority nor its values.
        Task.detached(priority: .userInitiated) { [self] in
            await takeInputs(on: consumer, atMost: .max)
            consumer.didTakeInputs()
        }
    }

    // Not inlined, to keep the async frame of waiting calls small.
    @inline(never)
    private func takeInputs(on consumer: isolated Consumer, atMost share: Int) {
        var (count, isTaking) = (0, false)
        consumer.takeInputs {
            if isTaking { work?.end(.input) }
            let input = count < share ? state.withLock { $0.takeFirst() } : nil
            (count, isTaking) = (count + 1, input != nil)
            return input
        }
        let (isLast, next) = state.withLock { state -> (Bool, Consumer?) in
            state.isTaken = false
            guard state.isClosed, state.isEmpty else { return (false, state.beginTaking()) }
            defer { state.consumer = nil }
            return (state.consumer != nil, nil)
        }
        if isLast { consumer.inputsEnded() }
        wake(next)
    }
}
