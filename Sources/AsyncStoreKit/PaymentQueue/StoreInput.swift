import Foundation

/// Everything that happens to a store, in the one order in which it takes effect: what the queue reports, and what callers
/// ask for, from synchronous functions too.
enum StoreInput: Sendable {
    case event(QueueEvent)

    /// A purchase is about to be made, whose product has to be looked up first.
    case reservePayment(CallID)
    /// There will be no purchase in the place that was reserved.
    case withdrawPayment(CallID)
    indirect case purchase(CallID, PaymentStateMachine.Call, Reply<PurchaseResponse>)
    /// The purchase for which a place was reserved.
    indirect case purchaseReserved(CallID, PaymentStateMachine.Call, Reply<PurchaseResponse>)
    indirect case continuePromotion(CallID, PromotedPayment, Deliverer.CallStyle, Reply<PurchaseResponse>)
    case cancelPurchase(CallID)
    case restore(CallID, StoreStateMachine.RestoreCall, Reply<RestoreResponse>)
    case cancelRestore(CallID)

    case finish(TransactionToken, Reply<Void>)
    /// The App Store has been told to finish a transaction.
    case finished(TransactionToken)
    /// The closure of a call has returned.
    case delivered(TransactionToken, Reply<Void>)
    /// What a call without `await` was handed has been delivered, all of it together.
    case deliveredAll([TransactionToken])
    /// The closure of a call has thrown, or was never run.
    case undelivered([TransactionToken])
    /// Somebody could not deliver a transaction: it is to be offered again after a pause.
    case release(TransactionToken, after: TimeInterval?, Reply<Void>)

    /// Somebody has been told what these are about, and there is nothing to deliver for them.
    case acknowledge([TransactionToken])

    case installDelivery(any PurchaseDelivery)
    case setMode(StoreMode)
    case deliveryEnded(CallID, DeliveryDecision)
    /// The app is in front again, or the network is back: what is pending may be done now.
    case lookAgain
    /// The app has entered the background, or has returned.
    case appMoved(isInBackground: Bool)
    /// - Parameter id: That of the timer's run.
    case timer(StoreTimer, CallID)

    case subscribe(EventSubscription)
    case unsubscribe(CallID)
    case controlDownloads(DownloadCommand, [StoreDownload.ID], Reply<Void>)
    /// Somebody listens to the hosted content of a transaction: what has not been started is.
    case startContent(TransactionToken)
    case cancelContent(TransactionToken)
    case unfinished(Reply<[StoreTransaction]>)
    case diagnostics(Reply<StoreDiagnostics>)
    case awaitDiagnostics(DiagnosticsWaiter)
}

/// What a timer is for.
enum StoreTimer: Sendable, Hashable {
    /// The time that a call gives StoreKit to answer.
    case paymentTimeout(CallID)
    /// The time in which a payment that StoreKit answered with an older transaction could get one of its own.
    case preexistingAnswer(CallID)
    /// The time that a payment may be silent while others wait.
    case paymentPatience
    case restoreInactivity(CallID)
    case deliveryRetry(CallID)

    /// Whether only the time counts in which the app runs: StoreKit's answer can't arrive in a suspended app.
    var countsRunningTime: Bool {
        switch self {
        case .paymentTimeout, .restoreInactivity, .preexistingAnswer, .paymentPatience: true
        case .deliveryRetry: false
        }
    }
}

/// Where a response goes: to a task that waits, or to a callback.
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

/// Somebody who waits until the store is in a certain state.
struct DiagnosticsWaiter: Sendable {
    let isWanted: @Sendable (StoreDiagnostics) -> Bool
    let reply: Reply<StoreDiagnostics>
}
