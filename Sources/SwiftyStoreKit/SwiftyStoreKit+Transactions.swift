extension SwiftyStoreKit {
    /// Asks to be told of every transaction that no call was waiting for: renewals, approvals, interrupted purchases, other devices,
    /// earlier launches.
    ///
    /// To be called when the app launches; what comes before is kept for it. Each call is one more that is told; of several, the first
    /// atomic one whose completion has returned finishes.
    /// - Parameters:
    ///   - atomically: whether transactions that are paid for are finished as soon as the completion has returned. Otherwise
    ///     ``finishTransaction(_:)`` is to be called for each.
    ///   - completion: called on the main queue, with what the payment queue reported together, failed and deferred transactions included.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use for await update in PurchaseStore.transactions, and PurchaseStore.purchaseFailures.")
    #endif
    public class func completeTransactions(atomically: Bool = true, completion: @escaping ([Purchase]) -> Void) {
        legacy.completeTransactions(atomically: atomically, completion: completion)
    }

    /// Asks to be told of products that are taken away, by refunds and by changes in a family's sharing.
    ///
    /// Each call is one more that is told.
    /// - Parameter completion: called on the main queue with the identifiers of the products, in alphabetical order.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use for await revocation in PurchaseStore.revocations.")
    #endif
    public class func onEntitlementRevocation(completion: @escaping ([String]) -> Void) {
        legacy.onEntitlementRevocation(completion: completion)
    }

    /// Tells the payment queue that the content of a transaction is delivered.
    ///
    /// A transaction that cannot be finished, because it is still being purchased, waits for approval or is finished, is left alone.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use await StorePurchase.finish().")
    #endif
    public class func finishTransaction(_ transaction: any PaymentTransaction) {
        legacy.finishTransaction(transaction)
    }
}
