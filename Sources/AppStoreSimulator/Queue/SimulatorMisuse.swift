/// Something an app did that Apple forbids; some of it raises an exception on a device. Here it is recorded, and has no effect.
public enum SimulatorMisuse: Sendable, Hashable {
    /// A transaction was finished while it was purchasing.
    case finishedWhilePurchasing(SimulatedTransaction.ID)
    /// A transaction was finished while it waited for an approval.
    case finishedWhileDeferred(SimulatedTransaction.ID)
    /// A payment had a quantity outside 1 to 10.
    case quantityOutOfRange(productID: String, quantity: Int)
    /// A payment named no product.
    case emptyProductID
    /// A download was started, paused, resumed or cancelled that is not in the queue (any more).
    case downloadNotInQueue(SimulatedDownload.ID)
}
