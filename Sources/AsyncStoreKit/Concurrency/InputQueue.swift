/// The one channel into a store: what is sent takes effect in this order, from whatever thread it comes.
///
/// The actor whose mailbox it is attends to it. A task that sends something, and waits for what comes of it, has the actor
/// attend at once, on its own thread; for what others send, and for what is left over, the bell is rung. That wakes a thread,
/// which costs more than anything else here.
final class InputQueue<Input: Sendable>: Sendable {
    private struct State: Sendable {
        var inputs = FirstInFirstOut<Input>()
        var isAttended = false
        var isClosed = false
    }

    private let state = Locked(State())
    private let ringing: AsyncStream<Void>.Continuation
    /// Ends when the mailbox is closed. For one listener.
    let bell: AsyncStream<Void>

    init() {
        (bell, ringing) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// What became of an input.
    enum Acceptance {
        /// The mailbox is closed: it was not taken in.
        case refused
        /// Somebody attends, or has been called.
        case attended
        /// Nobody attends: the sender has to see to it.
        case unattended
    }

    /// Puts something in, and calls somebody if nobody attends. False when the mailbox is closed.
    @discardableResult
    func send(_ input: Input) -> Bool {
        switch put(input) {
        case .refused: return false
        case .attended: return true
        case .unattended:
            ringing.yield()
            return true
        }
    }

    /// Puts something in. Calls nobody: whoever uses this has the actor attend.
    func put(_ input: Input) -> Acceptance {
        state.withLock { state in
            guard !state.isClosed else { return .refused }
            state.inputs.append(input)
            return state.isAttended ? .attended : .unattended
        }
    }

    /// Begins to attend. Only the one actor whose mailbox this is does, so that nobody does already.
    func attend() {
        state.withLock { $0.isAttended = true }
    }

    /// Takes out what comes next. `nil` when there is nothing, which ends attending.
    func next() -> Input? {
        state.withLock { state in
            let next = state.inputs.removeFirst()
            if next == nil { state.isAttended = false }
            return next
        }
    }

    /// Ends attending before the mailbox is empty.
    func leave() {
        let rings = state.withLock { state in
            state.isAttended = false
            return !state.inputs.isEmpty
        }
        if rings { ringing.yield() }
    }

    /// Takes nothing more in. What is in it can still be taken out.
    func close() {
        state.withLock { $0.isClosed = true }
        ringing.finish()
    }
}
