public import StoreKit

extension SwiftyStoreKit {
    /// Whether the device and its user are allowed to make payments.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.canMakePayments.")
    #endif
    public class var canMakePayments: Bool { legacy.canMakePayments }

    /// Loads products from the App Store.
    ///
    /// - Parameters:
    ///   - productIds: The identifiers of the products. Concurrent calls for the same products share one request. An
    ///     empty set leads to an empty result without an error.
    ///   - completion: Called once, on the main queue.
    /// - Returns: The running request.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.products(for:).")
    #endif
    @discardableResult
    public class func retrieveProductsInfo(
        _ productIds: Set<String>, completion: @escaping (RetrieveResults) -> Void
    ) -> any InAppRequest {
        legacy.retrieveProductsInfo(productIds, completion: completion)
    }

    /// Buys a product.
    ///
    /// - Parameters:
    ///   - productId: The identifier of the product.
    ///   - quantity: The number of items, 1 to 10. Other numbers fail with an error.
    ///   - atomically: Whether the transaction is finished when the completion has returned. Otherwise call
    ///     ``finishTransaction(_:)`` after you deliver the content.
    ///   - applicationUsername: The app's opaque name for its user; an empty string for none.
    ///   - simulatesAskToBuyInSandbox: Whether the sandbox simulates an Ask to Buy request.
    ///   - completion: Called once, on the main queue.
    /// - Returns: The running request. Canceling the request removes a payment that is waiting for earlier ones.
    ///   StoreKit continues a payment that has started, and its transaction goes to the closure of
    ///   ``completeTransactions(atomically:completion:)``.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.purchase(_:options:deliver:).")
    #endif
    @discardableResult
    public class func purchaseProduct(
        _ productId: String, quantity: Int = 1, atomically: Bool = true, applicationUsername: String = "",
        simulatesAskToBuyInSandbox: Bool = false, completion: @escaping (PurchaseResult) -> Void
    ) -> any InAppRequest {
        legacy.purchaseProduct(
            productId, quantity: quantity, atomically: atomically, applicationUsername: applicationUsername,
            simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox, completion: completion)
    }

    /// Buys a loaded product, optionally with a promotional offer that the app's server has signed; see
    /// ``purchaseProduct(_:quantity:atomically:applicationUsername:simulatesAskToBuyInSandbox:completion:)``.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.purchase(_:options:deliver:).")
    #endif
    public class func purchaseProduct(
        _ product: SKProduct, quantity: Int = 1, atomically: Bool = true, applicationUsername: String = "",
        simulatesAskToBuyInSandbox: Bool = false, paymentDiscount: PaymentDiscount? = nil,
        completion: @escaping (PurchaseResult) -> Void
    ) {
        legacy.purchaseProduct(
            product, quantity: quantity, atomically: atomically, applicationUsername: applicationUsername,
            simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox, paymentDiscount: paymentDiscount,
            completion: completion)
    }

    /// Restores earlier purchases.
    ///
    /// - Parameters:
    ///   - atomically: Whether the transactions are finished when the completion has returned. Otherwise call
    ///     ``finishTransaction(_:)`` for each transaction.
    ///   - applicationUsername: The app's opaque name for its user; an empty string for none. StoreKit 1 gets the name.
    ///     Over either engine, the purchases of every user are restored.
    ///   - completion: Called once, on the main queue. While another restore is running, this restore fails immediately
    ///     with `SKError.unknown`.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.restore(account:deliver:).")
    #endif
    public class func restorePurchases(
        atomically: Bool = true, applicationUsername: String = "", completion: @escaping (RestoreResults) -> Void
    ) {
        legacy.restorePurchases(
            atomically: atomically, applicationUsername: applicationUsername, completion: completion)
    }
}
