import Foundation

/// An event of the payment queue, or a call. Inputs take effect in the order in which they are enqueued.
enum StoreInput: Sendable {
    case event(QueueEvent)

    indirect case purchase(CallID, PaymentStateMachine.Call, Reply<PurchaseResponse>)
    case restore(CallID, StoreStateMachine.RestoreCall, Reply<RestoreResponse>)
    case cancelRestore(CallID)

    /// Answered when the transactions of the launch have been reported.
    case awaitInitialTransactions(CallID, Reply<Void>)
    case finish(TransactionToken, Reply<Void>)
    /// The backend has finished a transaction.
    case finished(TransactionToken)
    /// The closure or the completion of a call has returned, or else it has thrown, or hasn't run.
    case closureEnded([TransactionToken], delivered: Bool, Reply<Void>? = nil)

    case installDelivery(any PurchaseDelivery)
    case deliveryEnded(CallID, DeliveryDecision, DeliveryAnswers)
    /// Erase the data about an account, or everything, in memory and in the delivery ledger.
    case erase(account: String?, Reply<Void>)
    /// - Parameter id: The identifier of the timer's run.
    case timer(StoreTimer, CallID)

    case subscribe(EventSubscription)
    case unsubscribe(CallID)
    case controlDownloads(DownloadCommand, [StoreDownload.ID], Reply<Void>)
    case awaitDiagnostics(DiagnosticsWaiter)
    /// Everything that concerns only the state machine.
    case change(@Sendable (inout StoreStateMachine) -> Void)
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

    /// Whether only the time counts in which the app runs. A suspended app doesn't receive StoreKit's answers.
    var countsRunningTime: Bool {
        switch self {
        case .deliveryRetry: false
        default: true
        }
    }
}

/// The destination of a response: fulfills the promise of a waiting task, or is a callback. Called once.
package typealias Reply<Value: Sendable> = @Sendable (Result<Value, StoreError>) -> Void

/// A task that waits until the store is in a certain state, or asks for the present one.
struct DiagnosticsWaiter: Sendable {
    var isWanted: @Sendable (StoreDiagnostics) -> Bool = { _ in true }
    let reply: Reply<StoreDiagnostics>
}
