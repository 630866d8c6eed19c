/// Runs one restore at a time, and rejects a second one meanwhile.
///
/// `PaymentQueueActor` consults this actor about restored transactions and performs the actions. It runs on this
/// actor's executor, so that consulting this actor isn't a suspension point.
package actor RestoreActor {
    private var stateMachine = RestoreStateMachine()

    /// Calls the actor synchronously from the executor that both actors share.
    nonisolated func ask<Answer: Sendable>(_ question: (isolated RestoreActor) -> Answer) -> Answer {
        assumeIsolated(question)
    }

    var phase: RestoreStateMachine.Phase { stateMachine.phase }

    func restoreRequested(_ id: CallID) -> Bool { stateMachine.restoreRequested(id) }

    func rowsReported(_ rows: [StoreTransaction]) { stateMachine.rowsReported(rows) }

    func restoreEnded() -> RestoreStateMachine.EndAction { stateMachine.restoreEnded() }

    func timeOut(_ id: CallID) -> RestoreStateMachine.EndAction { stateMachine.timeOut(id) }

    func cancel(_ id: CallID) -> RestoreStateMachine.CancelAction { stateMachine.cancel(id) }
}
