import Foundation

/// What the state machines have decided: the actor carries it out, in this order.
enum StoreAction: Sendable, Equatable {
    /// Adds the payment of this call to the queue.
    indirect case submit(PaymentStateMachine.Submitted)
    /// Says that nobody waits for a payment any more, or that its turn is over.
    case release(CallID)
    /// Finishes an entry of the queue.
    case finish(TransactionToken)
    case respond(CallID, to: PaymentResult)
    case respondToRestore(CallID, RestoreResult)
    /// Has the installed delivery deliver.
    indirect case deliver(DeliveryStateMachine.Job, [PurchaseRecord])
    /// Tells everybody who listens to transactions.
    indirect case offer(PurchaseRecord)
    /// Tells everybody who wants whole batches.
    case offerBatch([PurchaseRecord])
    /// Tells everybody who listens to failures.
    /// - Parameter wasInBatch: Whether those who want whole batches have been told.
    indirect case fail(PurchaseFailure, wasInBatch: Bool)
    /// Tells everybody who listens to pending purchases which there are now.
    case sendPendingPurchases([PendingPurchase])
    case sendContentEvent(HostedContentEvent)
    case control(DownloadCommand, [StoreDownload.ID])
    case start(StoreTimer, seconds: TimeInterval)
    case stop(StoreTimer)
    case log(StoreLogEvent)
}

typealias PaymentResult = Result<PurchaseResponse, StoreError>
typealias RestoreResult = Result<RestoreResponse, StoreError>

/// What comes of a purchase. Small, because every call that waits has room for it on several levels.
package enum PurchaseResponse: Sendable, Hashable {
    indirect case paid(PurchaseRecord)
    indirect case pending(PendingPurchase, StoreTransaction)
    case userCancelled(StoreError)
}

/// What comes of a restore.
package struct RestoreResponse: Sendable, Hashable {
    package let records: [PurchaseRecord]
    /// Why there may be more to restore; only for a call that takes what is partial.
    package var failure: StoreError?
}
