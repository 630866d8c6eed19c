/// A state machine behind a lock, and the actions that its changes cause.
///
/// Actions are performed outside the lock, one at a time, and in the order of the changes. The thread that changes the
/// state performs them, unless actions are being performed: then the thread that performs them continues with the new
/// ones. So an action may change the state, and its own actions follow after the ones that wait.
struct MachineHost<State: Sendable, Action: Sendable>: Sendable {
    private struct Contents: Sendable {
        var state: State
        /// The actions of changes that were made while actions were being performed.
        var waiting: [Action] = []
        var isPerforming = false

        /// Removes and returns the waiting actions. If there are none, performing ends.
        mutating func takeWaiting() -> [Action] {
            defer { waiting = [] }
            isPerforming = !waiting.isEmpty
            return waiting
        }
    }

    private let contents: Locked<Contents>

    init(_ state: State) {
        contents = Locked(Contents(state: state))
    }

    /// Reads or changes the state without an action. The closure runs under the lock and must not call out.
    func withLock<Result>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result {
        try contents.withLock { try body(&$0.state) }
    }

    /// Changes the state, and performs the actions that the change causes.
    ///
    /// If actions are being performed, on another thread or by a caller of this function on the same thread, the
    /// function returns before the new ones are performed.
    /// - Parameters:
    ///   - change: Changes the state and returns the actions. Runs under the lock and must not call out.
    ///   - perform: Performs an action. Every caller passes the same function, because the closure of another caller
    ///     may perform the actions. A stored closure would cost several times as much as the locks.
    func update(_ change: (inout State) -> [Action], perform: (Action) -> Void) {
        var actions = contents.withLock { contents -> [Action] in
            let actions = change(&contents.state)
            guard !contents.isPerforming else {
                contents.waiting += actions
                return []
            }
            contents.isPerforming = !actions.isEmpty
            return actions
        }
        while !actions.isEmpty {
            for action in actions { perform(action) }
            actions = contents.withLock { $0.takeWaiting() }
        }
    }
}
