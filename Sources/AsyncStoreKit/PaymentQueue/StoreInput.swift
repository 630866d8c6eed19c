package import Foundation

/// Everything that happens to a store, in the one order in which it takes effect: what the queue reports, and what callers
/// ask for, from synchronous functions too.
package enum StoreInput: Sendable {
    case event(QueueEvent)

    case reservePayment(CallID)
    case withdrawPayment(CallID)
    indirect case purchase(CallID, PaymentRequest, PurchaseWaiter)
    case cancelPurchase(CallID)
    indirect case continuePromotion(CallID, PromotedPayment, PurchaseWaiter)
    case restore(CallID, applicationUsername: String?, RestoreWaiter)
    case cancelRestore(CallID)
    case forgetCancellation(CallID)

    case finish(TransactionToken, Reply<Void>)
    case delivered(TransactionToken, Reply<Void>)
    case release([TransactionToken])

    case install(any PurchaseDelivery)
    case setMode(StoreMode)
    case deliveryEnded(CallID, DeliveryDecision)
    case timer(StoreTimer)

    case subscribeToTransactions(CallID, Subscriber<TransactionRecord>)
    case subscribeToFailures(CallID, Subscriber<PurchaseFailure>)
    case subscribeToBatches(CallID, Subscriber<[TransactionRecord]>)
    case subscribe(CallID, EventSubscription)
    case unsubscribe(CallID)
    case controlDownloads(DownloadCommand, [StoreDownload.ID], Reply<Void>)
    case cancelContent(TransactionToken)
    case unfinished(Reply<[StoreTransaction]>)
    case diagnostics(Reply<StoreDiagnostics>)
    case awaitDiagnostics(DiagnosticsWaiter)
}

/// What a timer is for.
package enum StoreTimer: Sendable, Hashable {
    case paymentTimeout(CallID)
    case paymentSettling(CallID)
    case restoreInactivity(CallID)
    case deliveryRetry(CallID)
}

/// Where an answer goes: to a task that waits, or to a callback.
package struct Reply<Value: Sendable>: Sendable {
    private let send: @Sendable (Result<Value, StoreError>) -> Void

    package init(_ send: @escaping @Sendable (Result<Value, StoreError>) -> Void) {
        self.send = send
    }

    init(_ pending: Promise<Result<Value, StoreError>>) {
        send = { pending.answer($0) }
    }

    func succeed(_ value: Value) { send(.success(value)) }

    func fail(_ error: StoreError) { send(.failure(error)) }
}

/// Who delivers what answers a call.
package enum AnswerHandling: Sendable, Hashable {
    /// The installed delivery if there is one, else the caller.
    case store
    /// The closure of the call.
    case closure
}

/// A call of `purchase` that waits.
package struct PurchaseWaiter: Sendable {
    let handling: AnswerHandling
    let timeout: TimeInterval?
    let reply: Reply<PurchaseAnswer>

    package init(handling: AnswerHandling, timeout: TimeInterval?, reply: Reply<PurchaseAnswer>) {
        self.handling = handling
        self.timeout = timeout
        self.reply = reply
    }
}

/// A call of `restore` that waits.
package struct RestoreWaiter: Sendable {
    let handling: AnswerHandling
    let takesPartial: Bool
    let reply: Reply<RestoreAnswer>

    /// - Parameter takesPartial: Whether what had come before a restore failed is the call's, as if it had succeeded. If not, it is
    ///   offered to subscribers, and the reply fails.
    package init(handling: AnswerHandling, takesPartial: Bool = false, reply: Reply<RestoreAnswer>) {
        self.handling = handling
        self.takesPartial = takesPartial
        self.reply = reply
    }
}

/// What a call of `restore` is answered with.
package struct RestoreAnswer: Sendable {
    package let records: [TransactionRecord]
    /// Why there may be more to restore; only for a call that takes what is partial.
    package var failure: StoreError?
}

/// What a call of `purchase` is answered with. Small, because every call that waits has room for it on several levels.
package enum PurchaseAnswer: Sendable {
    indirect case paid(TransactionRecord)
    indirect case pending(PendingPurchase, StoreTransaction)
    case userCancelled(StoreError)
}

/// A transaction with what the store knows of it.
package struct TransactionRecord: Sendable, Hashable {
    package let transaction: StoreTransaction
    package var pendingPurchase: PendingPurchase?
    package var answersEarlierPayment = false
    package var isDelivered = false
    package var isRedelivery = false
}
