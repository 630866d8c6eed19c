/// A state machine behind a lock, and the actions that its changes cause.
///
/// Actions are performed outside the lock, one at a time, and in the order of the changes. The thread that changes the
/// state performs them, unless actions are being performed: then the thread that performs them continues with the new
/// ones. So an action may change the state, and its own actions follow after the ones that wait.
struct MachineHost<State: Sendable, Action: Sendable>: Sendable {
    private struct Contents: Sendable {
        var state: State
        var actions = FirstInFirstOut<Action>()
        var perform: (@Sendable (Action) -> Void)?
        var isPerforming = false

        /// Removes and returns the next action. `nil` if there is none, or nothing to perform it, which ends
        /// performing.
        mutating func next() -> (action: Action, perform: @Sendable (Action) -> Void)? {
            let next = perform.flatMap { perform in actions.removeFirst().map { ($0, perform) } }
            isPerforming = next != nil
            return next
        }
    }

    private let contents: Locked<Contents>

    /// - Parameter perform: Performs an action, on any thread. Without this closure, actions wait; see
    ///   ``perform(with:)``.
    init(_ state: State, perform: (@Sendable (Action) -> Void)? = nil) {
        contents = Locked(Contents(state: state, perform: perform))
    }

    /// Sets the closure that performs the actions, and performs those that have waited for it. `nil` lets the actions
    /// wait.
    func perform(with perform: (@Sendable (Action) -> Void)?) {
        // The former closure is released outside the lock.
        _ = contents.withLock { contents in
            defer { contents.perform = perform }
            return contents.perform
        }
        update { _ in [] }
    }

    /// Reads or changes the state without an action. The closure runs under the lock and must not call out.
    func withLock<Result>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result {
        try contents.withLock { try body(&$0.state) }
    }

    /// Changes the state, and performs the actions that the change causes. The closure runs under the lock and must not
    /// call out.
    ///
    /// If actions are being performed, on another thread or by a caller of this function on the same thread, the
    /// function returns before the new ones are performed.
    func update(_ change: (inout State) -> [Action]) {
        var next = contents.withLock { contents in
            for action in change(&contents.state) { contents.actions.append(action) }
            return contents.isPerforming ? nil : contents.next()
        }
        while let (action, perform) = next {
            perform(action)
            next = contents.withLock { $0.next() }
        }
    }
}
