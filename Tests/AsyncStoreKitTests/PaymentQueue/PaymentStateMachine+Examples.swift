@testable import AsyncStoreKit

extension PaymentStateMachine {
    /// Puts a payment into the slot, when everything up to the mark has been seen in the queue.
    mutating func begin(
        _ request: PaymentRequest = PaymentRequest(productID: "coins"), mark: UInt64 = 10
    ) -> CallID {
        let id = CallID()
        _ = submit(id, request)
        _ = start(mark: .entry(mark))
        return id
    }

    /// The call whose payment is started next.
    mutating func startNext() -> CallID? {
        start(mark: .entry(0))?.id
    }

    /// Attributes a report that is news, while no restore runs.
    mutating func news(_ transaction: StoreTransaction) -> ReportAction {
        report(transaction, isNews: true, isRestoring: false)
    }
}
