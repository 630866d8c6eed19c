import Foundation

/// A decision of the state machines. The actor performs the actions in order.
enum StoreAction: Sendable, Equatable {
    /// Submit the payment of this call.
    indirect case submit(PaymentStateMachine.Submitted)
    /// Release a payment: no call waits for it, or its reservation has ended.
    case release(CallID)
    /// Finish an entry of the queue.
    case finish(TransactionToken)
    case respond(CallID, to: PaymentResult)
    case respondToRestore(CallID, RestoreResult)
    /// Answer a call without a value.
    case answer(CallID, StoreError?)
    /// Ask the App Store for the customer's purchases.
    case startRestore(applicationUsername: String?)
    /// Drop what the backend keeps of entries that have left.
    case forget([TransactionToken])
    /// Return the background time of an installed delivery.
    case returnBackgroundTime(CallID)
    /// Call the installed delivery.
    indirect case deliver(DeliveryStateMachine.Job, [PurchaseRecord])
    /// Tell the subscribers about transactions that don't answer a call.
    case report([StoreReport])
    /// Send the pending purchases to their subscribers.
    case sendPendingPurchases([PendingPurchase])
    case control(DownloadCommand, [StoreDownload.ID])
    case start(StoreTimer, seconds: TimeInterval)
    case stop(StoreTimer)
    case log(StoreLogEvent)
}

typealias PaymentResult = Result<PurchaseResponse, StoreError>
typealias RestoreResult = Result<RestoreResponse, StoreError>

/// The response to a purchase. Small, because every waiting call reserves space for it several times.
package enum PurchaseResponse: Sendable, Hashable {
    indirect case paid(PurchaseRecord)
    indirect case pending(PendingPurchase, StoreTransaction)
    case userCancelled(StoreError)
}

package struct RestoreResponse: Sendable, Hashable {
    package let records: [PurchaseRecord]
    /// Why the restore may be incomplete; only for a call that accepts partial results.
    package var failure: StoreError?
}
