/// Runs one restore at a time, and rejects a second one meanwhile.
///
/// `PaymentQueueActor` consults this actor about restored transactions and performs the actions. It runs on this
/// actor's executor, so that consulting this actor isn't a suspension point.
package actor RestoreActor {
    var stateMachine = RestoreStateMachine()

    /// Calls the actor synchronously from the executor that both actors share.
    nonisolated func ask<Answer: Sendable>(_ question: (isolated RestoreActor) -> Answer) -> Answer {
        assumeIsolated(question)
    }
}
