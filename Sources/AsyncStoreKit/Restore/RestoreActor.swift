/// Runs one restore at a time, and refuses a second while it does.
///
/// The payment queue's actor asks it about everything that may be a restore's; it performs nothing itself. It runs on that
/// actor's executor, so that asking it is no suspension, between which and its end something else could happen.
package actor RestoreActor {
    private var stateMachine = RestoreStateMachine()
    private nonisolated let executor: UnownedSerialExecutor

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

    /// - Parameter executor: That of the actor which owns this one, and is alone to ask it.
    init(executor: UnownedSerialExecutor) {
        self.executor = executor
    }

    /// Asks, from the executor that both share.
    nonisolated func ask<Answer: Sendable>(_ question: (isolated RestoreActor) -> Answer) -> Answer {
        withoutHop(question)
    }

    var phase: RestoreStateMachine.Phase { stateMachine.phase }

    func begin(_ id: CallID) -> Bool { stateMachine.begin(id) }

    func add(_ rows: [StoreTransaction]) { stateMachine.add(rows) }

    func end() -> RestoreStateMachine.EndAction { stateMachine.end() }

    func timeOut(_ id: CallID) -> RestoreStateMachine.EndAction { stateMachine.timeOut(id) }

    func cancel(_ id: CallID) -> RestoreStateMachine.CancelAction { stateMachine.cancel(id) }
}
