import Foundation

/// An input of a store: an event of the payment queue, or a call. Inputs take effect in the order in which they are
/// enqueued.
enum StoreInput: Sendable {
    case event(QueueEvent)

    indirect case purchase(CallID, PaymentStateMachine.Call, Reply<PurchaseResponse>)
    indirect case continuePromotion(CallID, PromotedPayment, Deliverer.CallStyle, Reply<PurchaseResponse>)
    case cancelPurchase(CallID)
    case restore(CallID, StoreStateMachine.RestoreCall, Reply<RestoreResponse>)
    case cancelRestore(CallID)

    case finish(TransactionToken, Reply<Void>)
    /// The backend has finished a transaction.
    case finished(TransactionToken)
    /// The closure of a call has returned.
    case delivered(TransactionToken, Reply<Void>)
    /// A call without `await` has delivered these transactions.
    case deliveredAll([TransactionToken])
    /// The closure of a call has thrown, or hasn't run.
    case undelivered([TransactionToken])
    /// A transaction couldn't be delivered. Offer it again after a pause.
    case release(TransactionToken, after: TimeInterval?, Reply<Void>)

    /// The app has observed these revocations. There is nothing to deliver.
    case acknowledge([TransactionToken])

    case installDelivery(any PurchaseDelivery)
    case setMode(StoreMode)
    case deliveryEnded(CallID, DeliveryDecision, DeliveryAnswers)
    /// The app has become active, or the network is available again: retry everything that is pending.
    case refreshPendingState
    /// Erase the data about an account, or everything, in memory and in the delivery ledger.
    case erase(account: String?, Reply<Void>)
    /// Retry everything that is pending at once.
    case retryDeliveries
    /// Records that the app has entered the background, or has returned.
    case appMoved(isInBackground: Bool)
    /// - Parameter id: The identifier of the timer's run.
    case timer(StoreTimer, CallID)

    case subscribe(EventSubscription)
    case unsubscribe(CallID)
    case controlDownloads(DownloadCommand, [StoreDownload.ID], Reply<Void>)
    case unfinished(Reply<[StoreTransaction]>)
    case awaitDiagnostics(DiagnosticsWaiter)
}

/// The purpose of a timer.
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

    /// Whether the timer measures only the time in which the app runs. A suspended app doesn't receive StoreKit's
    /// answers.
    var countsRunningTime: Bool {
        switch self {
        case .paymentTimeout, .restoreInactivity, .preexistingAnswer, .paymentSilence, .unfinishedWarning: true
        case .deliveryRetry: false
        }
    }
}

/// The destination of a response: a waiting task, or a callback.
struct Reply<Value: Sendable>: Sendable {
    private let send: @Sendable (Result<Value, StoreError>) -> Void

    init(_ send: @escaping @Sendable (Result<Value, StoreError>) -> Void) {
        self.send = send
    }

    init(_ promise: Promise<Result<Value, StoreError>>) {
        send = { promise.fulfill($0) }
    }

    func callAsFunction(_ result: Result<Value, StoreError>) { send(result) }

    func succeed(_ value: Value) { send(.success(value)) }

    func fail(_ error: StoreError) { send(.failure(error)) }
}

/// A task that waits until the store is in a certain state, or asks for the present one.
struct DiagnosticsWaiter: Sendable {
    var isWanted: @Sendable (StoreDiagnostics) -> Bool = { _ in true }
    let reply: Reply<StoreDiagnostics>
}
