/// Something that has been paid for, as the call gets it that asked for it.
public struct StorePurchase: Sendable, Hashable {
    /// The transaction.
    public let transaction: StoreTransaction
    /// Whether the transaction was in the queue before the payment: StoreKit answered the payment with it, instead of
    /// selling the product again. It may have been offered on ``PurchaseStore/transactions`` before.
    public let answersEarlierPayment: Bool
    /// Whether somebody else has delivered it, or is about to: the installed delivery, or another call's closure. There is
    /// nothing to deliver then, and nothing to finish.
    public let isDelivered: Bool
    /// Whether the same purchase has been delivered before in this process.
    public let isRedelivery: Bool

    let core: StoreCore

    /// What was bought.
    public var productID: String { transaction.productID }
    /// How many.
    public var quantity: Int { transaction.quantity }
    /// Stays the same when the purchase is reported again, restored, or delivered in another launch: hand it to a server
    /// that must not deliver twice.
    public var deliveryKey: String { transaction.deliveryKey }

    /// Tells the queue that the content is delivered. Without it, the transaction comes again at every launch.
    ///
    /// Not needed in a delivery closure, which finishes by returning. Calling it twice, or after somebody else has, does
    /// nothing, and neither does it when ``isDelivered``: whoever delivers it finishes it. Returns when the queue has been told.
    public func finish() async {
        guard !isDelivered else { return }
        await core.finishQuietly(transaction)
    }

    /// Whether both are the same purchase.
    public static func == (left: StorePurchase, right: StorePurchase) -> Bool {
        left.transaction == right.transaction && left.answersEarlierPayment == right.answersEarlierPayment && left.isDelivered == right.isDelivered
            && left.isRedelivery == right.isRedelivery
    }

    /// Hashes the transaction.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(transaction)
    }
}
