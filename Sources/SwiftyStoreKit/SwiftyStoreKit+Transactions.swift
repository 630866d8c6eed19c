extension SwiftyStoreKit {
    /// Observes every transaction that answers no call: renewals, approvals, interrupted purchases, purchases on other
    /// devices and of earlier launches.
    ///
    /// Call this function once, when the app launches. Transactions that arrive earlier wait for the call. The first
    /// call is used: later ones are ignored and logged. Several parts of an app can each iterate over
    /// `SwiftyStoreKit.store.transactions` instead.
    ///
    /// - Parameters:
    ///   - atomically: Whether paid transactions are finished when the completion has returned. Otherwise call
    ///     ``finishTransaction(_:)`` for each transaction.
    ///   - completion: Called on the main queue with the transactions that the payment queue reported together,
    ///     including failed and deferred transactions.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.transactions and PurchaseStore.purchaseFailures.")
    #endif
    public class func completeTransactions(atomically: Bool = true, completion: @escaping ([Purchase]) -> Void) {
        legacy.completeTransactions(atomically: atomically, completion: completion)
    }

    /// Observes the products that the customer loses by refunds and changes in Family Sharing.
    ///
    /// The first call is used: later ones are ignored and logged.
    ///
    /// - Parameter completion: Called on the main queue with the identifiers of the products, in alphabetical order.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.revocations.")
    #endif
    public class func onEntitlementRevocation(completion: @escaping ([String]) -> Void) {
        legacy.onEntitlementRevocation(completion: completion)
    }

    /// Finishes a transaction after you deliver its content.
    ///
    /// Does nothing for a transaction that is still purchasing, is waiting for approval or is already finished.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use StorePurchase.finish().")
    #endif
    public class func finishTransaction(_ transaction: any PaymentTransaction) {
        legacy.finishTransaction(transaction)
    }
}
