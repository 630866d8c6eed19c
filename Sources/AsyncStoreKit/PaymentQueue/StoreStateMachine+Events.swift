// Events for analytics and logs.
extension StoreStateMachine {
    /// Records an event of a call, or of a payment that has no transaction.
    mutating func record(
        _ occasion: StoreEvent.Occasion, _ productID: String, _ transaction: StoreTransaction? = nil,
        error: StoreError? = nil
    ) {
        events.append(
            StoreEvent(occasion: occasion, date: now, productID: productID, transaction: transaction, error: error))
    }

    /// Records that a payment has ended without a purchase.
    /// - Parameter transaction: The failed transaction, if no call has waited for it.
    mutating func recordFailure(of productID: String, _ error: StoreError, _ transaction: StoreTransaction? = nil) {
        switch error.code {
        case .userCancelled: record(.known(.cancelled), productID)
        // StoreKit may still sell the product, or has sold it.
        case .taskCancelled, .timedOut, .storeClosed, .backendUnavailable, .purchaseInterrupted: break
        default: record(.known(.failed), productID, transaction, error: error)
        }
    }

    /// Records that a transaction is paid or restored, once for each purchase.
    /// - Parameter isRequested: Whether the transaction answers a call, as the queue says.
    mutating func recordPaid(_ transaction: StoreTransaction, isRequested: Bool = false) {
        guard transaction.holdsContent else { return }
        if transaction.state == .restored {
            record(.known(.restored), once: .restored, transaction)
        } else {
            record(.paid(isRequested: isRequested), once: .paid, transaction)
        }
    }

    mutating func recordUpgrade(_ transaction: StoreTransaction) {
        record(.known(.upgraded), once: .upgraded, transaction)
    }

    mutating func recordRevocation(_ revocation: PurchaseRevocation) {
        for transaction in revocation.transactions { record(.revoked, once: .revoked, transaction) }
        guard revocation.transactions.isEmpty else { return }
        for productID in revocation.productIDs.sorted() { record(.revoked, productID) }
    }

    private mutating func record(
        _ occasion: StoreEvent.Occasion, once event: UnfinishedTransactions.Purchase.Event,
        _ transaction: StoreTransaction
    ) {
        if ledger.isFirst(event, of: transaction) { record(occasion, transaction.productID, transaction) }
    }
}
