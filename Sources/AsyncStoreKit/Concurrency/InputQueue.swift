/// The only channel into an actor. Inputs take effect in the order in which they are enqueued, from any thread.
///
/// The actor drains the queue. A task that enqueues an input and waits for its result lets the actor drain the queue
/// immediately, on the task's own thread. For all other inputs the actor is woken. Waking a thread is the most
/// expensive step.
final class InputQueue<Input: Sendable>: Sendable {
    private struct State: Sendable {
        var inputs = FirstInFirstOut<Input>()
        var isDraining = false
        /// Whether the actor has been woken, and has not begun yet.
        var isWoken = false
        var isClosed = false
        var wakeActor: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    private let work: StoreWork?

    /// - Parameter work: Counts every input until it's taken.
    init(work: StoreWork? = nil) {
        self.work = work
    }

    /// The result of enqueuing an input.
    enum Acceptance {
        /// The queue is closed and hasn't accepted the input.
        case refused
        /// Another task is draining the queue and will process the input.
        case draining
        /// No task is draining the queue: the caller has to.
        case idle
    }

    /// Whether a drain is running.
    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Whether inputs wait, and no drain is running.
    var isIdle: Bool { state.withLock { !$0.isDraining && !$0.inputs.isEmpty } }

    /// Whether the queue is empty and not being drained.
    var isSettled: Bool { state.withLock { !$0.isDraining && $0.inputs.isEmpty } }

    /// Sets the closure that wakes the actor. The actor then drains the queue soon, but not inside the call. The
    /// closure is called for the last time, and released, when the queue is closed.
    func onWake(_ wakeActor: @escaping @Sendable () -> Void) {
        state.withLock { $0.wakeActor = wakeActor }
        wake()
    }

    /// Enqueues an input, and wakes the actor if no task is draining the queue. Returns `false` if the queue is closed.
    @discardableResult
    func enqueueAndWake(_ input: Input) -> Bool {
        switch enqueue(input) {
        case .refused: return false
        case .draining: return true
        case .idle:
            wake()
            return true
        }
    }

    /// Enqueues an input without waking the actor. The caller lets the actor drain the queue.
    func enqueue(_ input: Input) -> Acceptance {
        work?.begin(.input)
        let acceptance = state.withLock { state -> Acceptance in
            guard !state.isClosed else { return .refused }
            state.inputs.append(input)
            return state.isDraining ? .draining : .idle
        }
        if acceptance == .refused { work?.end(.input) }
        return acceptance
    }

    /// Ends the work of an input that ``next()`` returned.
    func didTake() {
        work?.end(.input)
    }

    /// Begins to drain, and returns whether the queue is closed. Only the actor of this queue calls this function.
    @discardableResult
    func beginDraining() -> Bool {
        state.withLock { state in
            state.isDraining = true
            state.isWoken = false
            return state.isClosed
        }
    }

    /// Removes and returns the next input. `nil` if the queue is empty, which ends draining.
    func next() -> Input? {
        state.withLock { state in
            let next = state.inputs.removeFirst()
            if next == nil { state.isDraining = false }
            return next
        }
    }

    /// Ends draining before the queue is empty.
    func endDraining() {
        state.withLock { $0.isDraining = false }
        wake()
    }

    /// Closes the queue. Inputs that are in it can still be removed.
    func close() {
        state.withLock { state in
            state.isClosed = true
            defer { state.wakeActor = nil }
            return state.wakeActor
        }?()
    }

    /// Wakes the actor if inputs wait, no task is draining the queue, and the actor hasn't been woken yet.
    func wake() {
        state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isWoken, !state.isDraining, !state.inputs.isEmpty, let wakeActor = state.wakeActor else {
                return nil
            }
            state.isWoken = true
            return wakeActor
        }?()
    }
}
