/// Runs one restore at a time, and refuses a second while it does.
///
/// The payment queue's actor asks it about everything that may be a restore's; it performs nothing itself.
package actor RestoreActor {
    private var stateMachine = RestoreStateMachine()

    var isRunning: Bool { stateMachine.isRunning }

    func begin(_ id: CallID) -> RestoreStateMachine.BeginAction { stateMachine.begin(id) }

    func claim(_ rows: [StoreTransaction]) -> RestoreStateMachine.ClaimAction { stateMachine.claim(rows) }

    func end() -> RestoreStateMachine.EndAction { stateMachine.end() }

    func timeOut(_ id: CallID) -> RestoreStateMachine.EndAction { stateMachine.timeOut(id) }

    func cancel(_ id: CallID) -> RestoreStateMachine.CancelAction { stateMachine.cancel(id) }

    func forget(_ id: CallID) { stateMachine.forget(id) }
}
