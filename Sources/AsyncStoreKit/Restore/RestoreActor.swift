/// Runs one restore at a time, and rejects a second one meanwhile.
///
/// `PaymentQueueActor` consults this actor about restored transactions and performs the actions. Both share an
/// executor, so that consulting it isn't a suspension point.
package actor RestoreActor {
    private var stateMachine = RestoreStateMachine()
    private nonisolated let executor: UnownedSerialExecutor

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

    /// - Parameter executor: The executor of the actor that owns this one.
    init(executor: UnownedSerialExecutor) {
        self.executor = executor
    }

    /// Calls the actor synchronously from the executor that both actors share.
    nonisolated func ask<Answer: Sendable>(_ question: @escaping (isolated RestoreActor) -> Answer) -> Answer {
        isolatedHere(question)
    }

    var phase: RestoreStateMachine.Phase { stateMachine.phase }

    func restoreRequested(_ id: CallID) -> Bool { stateMachine.restoreRequested(id) }

    func rowsReported(_ rows: [StoreTransaction]) { stateMachine.rowsReported(rows) }

    func restoreEnded() -> RestoreStateMachine.EndAction { stateMachine.restoreEnded() }

    func timeOut(_ id: CallID) -> RestoreStateMachine.EndAction { stateMachine.timeOut(id) }

    func cancel(_ id: CallID) -> RestoreStateMachine.CancelAction { stateMachine.cancel(id) }
}
