/// A transaction that is paid for, or part of a batch, with what the store knows of it.
package struct PurchaseRecord: Sendable, Hashable {
    package let transaction: StoreTransaction
    package var cause: StorePurchase.Cause
    package var pendingPurchase: PendingPurchase?
    package var answersEarlierPayment: Bool
    package var isDelivered: Bool
    package var isRedelivery: Bool

    package init(
        transaction: StoreTransaction, cause: StorePurchase.Cause, pendingPurchase: PendingPurchase? = nil,
        answersEarlierPayment: Bool = false, isDelivered: Bool = false, isRedelivery: Bool = false
    ) {
        self.transaction = transaction
        self.cause = cause
        self.pendingPurchase = pendingPurchase
        self.answersEarlierPayment = answersEarlierPayment
        self.isDelivered = isDelivered
        self.isRedelivery = isRedelivery
    }
}

/// What a purchase can ask of the store from which it came.
package protocol PurchaseOwner: Sendable {
    /// Finishes a transaction; what cannot be finished, or has been, is left alone. Returns when the queue has been told.
    func finishQuietly(_ transaction: StoreTransaction) async
    /// Offers a transaction again after a pause.
    func release(_ transaction: StoreTransaction, after seconds: Double?) async
}
