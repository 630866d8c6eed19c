extension SwiftyStoreKit {
    /// Observes every transaction that answers no call: renewals, approvals, interrupted purchases, purchases on other devices and of
    /// earlier launches.
    ///
    /// Call this function once, when the app launches. Transactions that arrive earlier wait for the call. The first call counts: later
    /// ones are ignored and logged. Several parts of an app can each iterate over `SwiftyStoreKit.store.transactions` instead.
    ///
    /// - Parameters:
    ///   - atomically: whether transactions that are paid for are finished as soon as the completion has returned. Otherwise
    ///     ``finishTransaction(_:)`` is to be called for each.
    ///   - completion: called on the main queue, with what the payment queue reported together, failed and deferred transactions included.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.transactions and PurchaseStore.purchaseFailures.")
    #endif
    public class func completeTransactions(atomically: Bool = true, completion: @escaping ([Purchase]) -> Void) {
        legacy.completeTransactions(atomically: atomically, completion: completion)
    }

    /// Observes the products that are taken away, by refunds and by changes in Family Sharing.
    ///
    /// The first call counts: later ones are ignored and logged.
    ///
    /// - Parameter completion: called on the main queue with the identifiers of the products, in alphabetical order.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.revocations.")
    #endif
    public class func onEntitlementRevocation(completion: @escaping ([String]) -> Void) {
        legacy.onEntitlementRevocation(completion: completion)
    }

    /// Tells the payment queue that the content of a transaction is delivered.
    ///
    /// A transaction that cannot be finished, because it is still being purchased, waits for approval or is finished, is left alone.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use StorePurchase.finish().")
    #endif
    public class func finishTransaction(_ transaction: any PaymentTransaction) {
        legacy.finishTransaction(transaction)
    }
}
