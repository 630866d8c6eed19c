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

enum StoreTimer: Sendable, Hashable {
    /// The timeout of a call.
    case paymentTimeout(CallID)
    /// The delay in which a payment that StoreKit answered with an older transaction can still get another one.
    case preexistingAnswer(CallID)
    /// The time that StoreKit may be silent about a payment while other calls wait.
    case paymentSilence
    case restoreInactivity(CallID)
    /// The pause before deliveries are tried again.
    case deliveryRetry
    /// The time after which the developer is warned about a purchase that isn't finished.
    case unfinishedWarning
    /// The time that answers wait for StoreKit.
    case answerLimit
}

/// The destination of a response: fulfills the promise of a waiting task, or is a callback. Called once.
package typealias Reply<Value: Sendable> = @Sendable (Result<Value, StoreError>) -> Void
