import Dispatch
import Foundation

/// The actor that takes the inputs of an ``InputQueue``.
protocol InputConsumer: Actor {
    associatedtype Input: Sendable
    /// Takes inputs until ``InputQueue/next(_:)`` returns `nil`, and ends if ``InputQueue/Share/isLast`` is `true`.
    func takeInputs(_ share: InputQueue<Self>.Share)
    /// Calls code outside the package, which may wait for another thread. Called when the actor is free.
    nonisolated func didTakeInputs()
}

/// The only channel into an actor, and the only place that knows where the actor runs. Inputs take effect in the order
/// in which they are enqueued, from any thread.
///
/// An actor has one of two executors, because neither is good for both kinds of callers:
///
/// - **The pool.** A call with `await` lets the actor take the input on the call's own task; for a call without `await`
///   a task of the pool is woken. No work of the actor runs on the main thread, so the main thread never waits for
///   a file. Waking a task makes a purchase of the callback API three to four times as expensive.
/// - **The callers' threads.** A call takes its input before it returns. The callback module needs this: like
///   StoreKit's own functions, its functions have reached the App Store when they return.
///
/// A caller leaves after its own input and a bounded number of others. A woken task or thread takes the rest, at
/// user-initiated priority.
final class InputQueue<Consumer: InputConsumer>: Sendable {
    typealias Input = Consumer.Input

    /// The inputs that one run of the actor may take.
    struct Share: Sendable {
        /// The number of the caller's input; `nil` for all inputs.
        fileprivate let own: UInt64?
        /// Whether the previous run ends early so that this one can begin.
        fileprivate var isAwaited = false
        fileprivate var count = 0
        fileprivate var isTaking = false
        /// Whether the queue is closed, and this run has taken the last input.
        fileprivate(set) var isLast = false

        /// The number of inputs that a run takes even after its caller's own: waking a thread costs more.
        fileprivate static var usual: Int { 100 }
        /// The number of inputs after which a caller leaves, even if its own input waits.
        fileprivate static var limit: Int { 1_000 }

        fileprivate func allowsMore(after taken: UInt64) -> Bool {
            own == nil || count < Self.usual || (count < Self.limit && isWaiting(after: taken))
        }

        /// Whether the caller's input hasn't been taken.
        fileprivate func isWaiting(after taken: UInt64) -> Bool { own.map { taken < $0 } ?? false }
    }

    private struct State: Sendable {
        var consumer: Consumer?
        var inputs = FirstInFirstOut<Input>()
        /// The number of the last input that was enqueued, and of the last that was taken.
        var (enqueued, taken): (UInt64, UInt64) = (0, 0)
        /// On the pool: the priority of the run that takes inputs, or is about to; `nil` if there is none.
        var priority: TaskPriority?
        /// On callers' threads: the thread that takes inputs.
        var thread: ThreadID?
        /// Whether the turn was given to a waiting thread that hasn't woken yet.
        var isGiven = false
        /// Whether a thread was woken, and hasn't begun yet.
        var isWoken = false
        /// The threads that wait for their turn.
        var waiting = FirstInFirstOut<DispatchSemaphore>()
        /// The number of runs for which the current one ends early.
        var awaited = 0
        var isClosed = false
        var hasEnded = false

        /// Whether inputs, or the end of the queue, are still to be handled.
        var isUnfinished: Bool { !inputs.isEmpty || (isClosed && !hasEnded) }
        var isBusy: Bool { thread != nil || isGiven }

        mutating func append(_ input: Input) -> UInt64 {
            inputs.append(input)
            enqueued &+= 1
            return enqueued
        }
    }

    private let state = Locked(State())
    private let work: StoreWork?
    private let pool: PoolActor?

    /// - Parameters:
    ///   - work: Counts every input until it's taken.
    ///   - usesCallersThreads: Whether the actor runs on the threads of its callers instead of the pool.
    init(work: StoreWork? = nil, usesCallersThreads: Bool = false) {
        self.work = work
        pool = usesCallersThreads ? nil : PoolActor()
    }

    /// The executor of the actor.
    var executor: UnownedSerialExecutor { pool?.unownedExecutor ?? asUnownedSerialExecutor() }

    /// Sets the actor. It's kept until the queue is closed and empty.
    func start(_ consumer: Consumer) {
        state.withLock { $0.consumer = consumer }
        wake()
    }

    /// Enqueues an input. On callers' threads, the input has taken effect when the function returns, unless another
    /// thread is taking inputs; then that thread takes it soon.
    /// - Returns: `false` if the queue is closed.
    @discardableResult
    func enqueue(_ input: Input) -> Bool {
        work?.begin(.input)
        let (isAccepted, consumer, number) = state.withLock { state -> (Bool, Consumer?, UInt64) in
            guard !state.isClosed else { return (false, nil, 0) }
            let number = state.append(input)
            if pool != nil {
                guard state.priority == nil else { return (true, nil, number) }
                state.priority = state.consumer.map { _ in .userInitiated }
            } else {
                guard !state.isBusy else { return (true, nil, number) }
                state.thread = state.consumer.map { _ in .current }
            }
            return (true, state.consumer, number)
        }
        if !isAccepted { work?.end(.input) }
        guard let consumer else { return isAccepted }
        if pool != nil { run(consumer) } else { runHere(consumer, Share(own: number)) }
        return true
    }

    /// Enqueues an input whose caller waits for the response. On the pool, the actor takes the input on this task,
    /// unless another task is taking inputs.
    ///
    /// A task with a priority below `medium` wakes another task instead. A task with a higher priority than the one
    /// that is taking inputs replaces that task. So no call waits for a task of a lower priority.
    /// - Returns: `false` if the queue is closed.
    nonisolated(nonsending) func enqueueAndTake(_ input: Input) async -> Bool {
        let priority = Task.currentPriority
        guard pool != nil, priority >= .medium else { return enqueue(input) }
        work?.begin(.input)
        let (isAccepted, consumer, share) = state.withLock { state -> (Bool, Consumer?, Share) in
            guard !state.isClosed else { return (false, nil, Share(own: nil)) }
            var share = Share(own: state.append(input))
            if let running = state.priority {
                guard running < priority else { return (true, nil, share) }
                share.isAwaited = true
                state.awaited += 1
            }
            state.priority = state.consumer.map { _ in priority }
            return (true, state.consumer, share)
        }
        if !isAccepted { work?.end(.input) }
        guard let consumer else { return isAccepted }
        await consumer.takeInputs(share)
        consumer.didTakeInputs()
        return true
    }

    /// Takes all inputs that are in the queue before it returns, on callers' threads. Waits for another thread that is
    /// taking inputs. Does nothing on the thread that takes inputs, nor on the pool.
    func takeNow() {
        guard pool == nil else { return }
        let (consumer, number) = state.withLock { ($0.consumer, $0.enqueued) }
        guard let consumer, beginTurn(ifNeededFor: number) else { return }
        runHere(consumer, Share(own: number))
    }

    /// Whether this thread is taking inputs, on callers' threads.
    var isTakingHere: Bool { state.withLock { $0.thread == .current } }

    /// Closes the queue. The inputs that are in it are still taken.
    func close() {
        state.withLock { $0.isClosed = true }
        wake()
    }
}

// The actor.
extension InputQueue {
    /// Removes and returns the next input, and ends the one before. Returns `nil` when the run has to end. Only the
    /// actor calls this function.
    func next(_ share: inout Share) -> Input? {
        let hasTaken = share.isTaking
        let (input, released, wakes) = state.withLock { state -> (Input?, Consumer?, Bool) in
            if share.isTaking { state.taken &+= 1 }
            if share.isAwaited { state.awaited -= 1 }
            (share.isTaking, share.isAwaited) = (false, false)
            // On callers' threads, the caller's own input is taken first, because the call returns when the run ends.
            let stays = state.awaited == 0 || (pool == nil && share.isWaiting(after: state.taken))
            if stays, share.allowsMore(after: state.taken), let input = state.inputs.removeFirst() {
                share.isTaking = true
                share.count += 1
                return (input, nil, false)
            }
            // Released outside the lock.
            var released: Consumer?
            if state.isClosed, !state.hasEnded, state.inputs.isEmpty {
                (share.isLast, state.hasEnded) = (true, true)
                swap(&released, &state.consumer)
            }
            // On callers' threads, the turn ends when the thread has left the actor.
            guard pool != nil, state.awaited == 0 else { return (nil, released, false) }
            state.priority = state.isUnfinished ? .userInitiated : nil
            return (nil, released, state.isUnfinished)
        }
        if hasTaken { work?.end(.input) }
        if wakes, let consumer = state.withLock({ $0.consumer }) { run(consumer) }
        return withExtendedLifetime(released) { input }
    }

    /// Takes inputs on a task of the pool.
    private func run(_ consumer: Consumer) {
        // Detached: the work isn't that of the task that enqueues, and inherits neither its priority nor its values.
        Task.detached(priority: .userInitiated) {
            await consumer.takeInputs(Share(own: nil))
            consumer.didTakeInputs()
        }
    }

    /// Takes inputs on this thread, which has its turn, and ends the turn.
    private func runHere(_ consumer: Consumer, _ share: Share) {
        consumer.isolatedHere { $0.takeInputs(share) }
        endTurn()
        consumer.didTakeInputs()
    }

    /// Wakes another thread to take the inputs, unless a thread is taking them.
    private func wake() {
        let consumer = state.withLock { state -> Consumer? in
            guard state.isUnfinished else { return nil }
            if pool != nil {
                guard state.priority == nil else { return nil }
                state.priority = state.consumer.map { _ in .userInitiated }
            } else {
                guard !state.isBusy, !state.isWoken else { return nil }
                state.isWoken = state.consumer != nil
            }
            return state.consumer
        }
        guard let consumer else { return }
        guard pool == nil else { return run(consumer) }
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            let begins = state.withLock { state in
                state.isWoken = false
                guard !state.isBusy else { return false }
                state.thread = .current
                return true
            }
            if begins { runHere(consumer, Share(own: nil)) }
        }
    }
}

// Turns of callers' threads.
extension InputQueue: SerialExecutor {
    /// Begins the turn of this thread, and waits for it if necessary.
    /// - Parameter number: The input for which the thread wants its turn; `nil` if it wants the turn in any case.
    /// - Returns: `false` if the thread has its turn already, or if the input has been taken.
    private func beginTurn(ifNeededFor number: UInt64?) -> Bool {
        let turn = DispatchSemaphore(value: 0)
        let (begins, waits) = state.withLock { state -> (Bool, Bool) in
            guard state.thread != .current, number.map({ state.taken < $0 }) ?? true else { return (false, false) }
            guard state.isBusy else {
                state.thread = .current
                return (true, false)
            }
            // The thread that has its turn leaves after its current input.
            state.awaited += 1
            state.waiting.append(turn)
            return (true, true)
        }
        guard waits else { return begins }
        turn.wait()
        state.withLock { state in
            state.thread = .current
            state.isGiven = false
            state.awaited -= 1
        }
        return true
    }

    private func endTurn() {
        let next = state.withLock { state -> DispatchSemaphore? in
            state.thread = nil
            let next = state.waiting.removeFirst()
            state.isGiven = next != nil
            return next
        }
        if let next { next.signal() } else { wake() }
    }

    /// Runs a job of the actor in a turn of its own.
    func enqueue(_ job: UnownedJob) {
        DispatchQueue.global(qos: DispatchQoS.QoSClass(of: job)).async { [self] in
            let begins = beginTurn(ifNeededFor: nil)
            job.runSynchronously(on: asUnownedSerialExecutor())
            if begins { endTurn() }
        }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    func isIsolatingCurrentContext() -> Bool? { isTakingHere }
}

extension Actor {
    /// Runs a closure with the actor's isolation, on the thread that has it. The runtime checks this in iOS 26, macOS
    /// 26 and later. Earlier runtimes reject an executor that isn't theirs.
    // The closure is escaping because a cast of one that isn't allocates memory.
    nonisolated func isolatedHere<Value: Sendable>(_ body: @escaping (isolated Self) -> Value) -> Value {
        if #available(iOS 26, macOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return assumeIsolated(body) }
        typealias Unisolated = (Self) -> Value
        // The same cast as in assumeIsolated: both function types have the same calling convention.
        return unsafeBitCast(body, to: Unisolated.self)(self)
    }
}

/// Identifies a thread while it runs.
// @unchecked because: the handle is only compared.
private struct ThreadID: Equatable, @unchecked Sendable {
    private let thread: pthread_t

    static var current: ThreadID { ThreadID(thread: pthread_self()) }
}

extension DispatchQoS.QoSClass {
    /// Earlier systems don't say the priority of a job.
    fileprivate init(of job: UnownedJob) {
        guard #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) else {
            self = .userInitiated
            return
        }
        switch job.priority.rawValue {
        case ..<TaskPriority.utility.rawValue: self = .background
        case ..<TaskPriority.medium.rawValue: self = .utility
        case ..<TaskPriority.userInitiated.rawValue: self = .default
        case TaskPriority.userInitiated.rawValue: self = .userInitiated
        default: self = .userInteractive
        }
    }
}

/// Provides the executor of the pool for an actor whose executor is chosen at runtime.
private actor PoolActor {}
