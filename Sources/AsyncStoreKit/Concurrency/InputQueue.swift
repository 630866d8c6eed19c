/// The one channel into an actor: what is enqueued takes effect in this order, from whatever thread it comes.
///
/// The actor drains it. A task that enqueues something, and waits for what comes of it, has the actor drain the queue at once, on the
/// task's own thread; for what others enqueue, and for what is left over, the actor is woken. That wakes a thread, which costs more
/// than anything else here.
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

    /// What became of an input.
    enum Acceptance {
        /// The queue is closed: it was not taken in.
        case refused
        /// Somebody drains the queue at this moment, and will take it.
        case draining
        /// Nobody drains the queue: the caller has to see to it.
        case idle
    }

    /// Whether nothing more is taken in.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Whether inputs wait, and no drain is running.
    var isIdle: Bool { state.withLock { !$0.isDraining && !$0.inputs.isEmpty } }

    /// Whether there is nothing to take out, and nothing is being taken out.
    var isSettled: Bool { state.withLock { !$0.isDraining && $0.inputs.isEmpty } }

    /// Says how the actor is woken: it is to drain the queue soon, but not inside this call. It is woken for the last time, and let go,
    /// when the queue is closed.
    func onWake(_ wakeActor: @escaping @Sendable () -> Void) {
        state.withLock { $0.wakeActor = wakeActor }
        wake()
    }

    /// Takes something in, and wakes the actor if nobody drains. False when the queue is closed.
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

    /// Takes something in. Wakes nobody: whoever calls this has the actor drain the queue.
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

    /// Begins to drain. Only the one actor does whose queue this is, so that nobody does already.
    func beginDraining() {
        state.withLock { state in
            state.isDraining = true
            state.isWoken = false
        }
    }

    /// Takes out what comes next. `nil` when there is nothing, which ends draining.
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

    /// Takes nothing more in. What is in it can still be taken out.
    func close() {
        state.withLock { state in
            state.isClosed = true
            defer { state.wakeActor = nil }
            return state.wakeActor
        }?()
    }

    /// Wakes the actor for what nobody drains, unless it has been.
    func wake() {
        state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isWoken, !state.isDraining, !state.inputs.isEmpty, let wakeActor = state.wakeActor else { return nil }
            state.isWoken = true
            return wakeActor
        }?()
    }
}
