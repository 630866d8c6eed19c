import Foundation

/// A call, or an event of the payment queue, as a function that the actor runs.
///
/// Inputs take effect in the order in which they are enqueued.
struct StoreInput: Sendable {
    let run: @Sendable (isolated PaymentQueueActor) -> Void

    init(_ run: @escaping @Sendable (isolated PaymentQueueActor) -> Void) {
        self.run = run
    }

    /// An input that concerns only the state machine.
    static func change(_ change: @escaping @Sendable (inout StoreStateMachine) -> Void) -> StoreInput {
        StoreInput { $0.change(change) }
    }

    static func subscribe(_ subscription: EventSubscription) -> StoreInput { StoreInput { $0.subscribe(subscription) } }

    static func unsubscribe(_ id: CallID) -> StoreInput { StoreInput { $0.unsubscribe(id) } }
}

/// The destination of a response: fulfills the promise of a waiting task, or is a callback. Called once.
package typealias Reply<Value: Sendable> = @Sendable (Result<Value, StoreError>) -> Void

/// The replies to calls that wait for the payment queue.
struct StoreReplies: Sendable {
    /// A task that waits until the store is in a certain state, or asks for the present one.
    struct Diagnostics: Sendable {
        let isWanted: @Sendable (StoreDiagnostics) -> Bool
        let reply: Reply<StoreDiagnostics>
    }

    var purchases = [CallID: Reply<PurchaseResponse>]()
    var restores = [CallID: Reply<RestoreResponse>]()
    var diagnostics: [Diagnostics] = []
    private var calls = [CallID: Reply<Void>]()

    /// Keeps a reply until ``answer(_:_:)``, and returns the identifier of its call.
    mutating func keep(_ reply: @escaping Reply<Void>, as id: CallID = CallID()) -> CallID {
        calls[id] = reply
        return id
    }

    mutating func answer(_ id: CallID, _ error: StoreError?) {
        calls.removeValue(forKey: id)?(error.map(Result.failure) ?? .success(()))
    }

    /// Responds to all calls, because the store is closed.
    func close(with error: StoreError) {
        purchases.values.forEach { $0(.failure(error)) }
        restores.values.forEach { $0(.failure(error)) }
        calls.values.forEach { $0(.failure(error)) }
        diagnostics.forEach { $0.reply(.failure(error)) }
    }
}
