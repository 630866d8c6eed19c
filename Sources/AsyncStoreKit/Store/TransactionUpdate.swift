/// A transaction that no call was waiting for: a renewal, an approval, an interrupted purchase, one from another device, or
/// from a launch before this one.
public struct TransactionUpdate: Sendable, Hashable {
    /// The transaction: purchased, or restored.
    public let transaction: StoreTransaction
    /// The purchase whose approval this is.
    public let pendingPurchase: PendingPurchase?
    /// Whether the installed delivery has delivered it already; it is finished then, or will be when its content is there.
    public let isDelivered: Bool
    /// Whether the same purchase has been delivered before in this process: StoreKit may report one again.
    public let isRedelivery: Bool

    let core: StoreCore

    /// Tells the queue that the content is delivered. Without it, the transaction comes again at every launch.
    ///
    /// Calling it twice, or after somebody else has, does nothing, and neither does it when ``isDelivered``. Returns when the
    /// queue has been told.
    public func finish() async {
        guard !isDelivered else { return }
        await core.finishQuietly(transaction)
    }

    /// Whether both are about the same report.
    public static func == (left: TransactionUpdate, right: TransactionUpdate) -> Bool {
        left.transaction == right.transaction && left.pendingPurchase == right.pendingPurchase
            && left.isDelivered == right.isDelivered && left.isRedelivery == right.isRedelivery
    }

    /// Hashes the transaction.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(transaction)
    }
}
