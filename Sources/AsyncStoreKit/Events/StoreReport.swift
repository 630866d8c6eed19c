/// An event of a transaction that doesn't answer a call.
enum StoreReport: Sendable, Equatable {
    /// A purchase that is offered to the subscribers, or that the installed delivery has delivered.
    case purchase(PurchaseRecord)
    /// A purchase that has failed, with the queue's report if it is one.
    indirect case failure(PurchaseFailure, PurchaseRecord?)
    /// A purchase that waits for approval, or that was reported before.
    case batchOnly(PurchaseRecord)

    /// The record for subscribers of batches; `nil` if they don't receive this report.
    var record: PurchaseRecord? {
        switch self {
        case .purchase(let record), .batchOnly(let record): record
        case .failure(_, let record): record
        }
    }
}
