public import StoreKit

extension SwiftyStoreKit {
    /// Whether purchases are allowed on the device, and for the person who uses it.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.canMakePayments.")
    #endif
    public class var canMakePayments: Bool { legacy.canMakePayments }

    /// Asks the App Store for products.
    ///
    /// - Parameters:
    ///   - productIds: the products. Callers that want the same ones at the same time share one request. An empty set is answered with
    ///     nothing, and without an error.
    ///   - completion: called once, on the main queue.
    /// - Returns: the request, which is running.
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
    ///   - productId: the product.
    ///   - quantity: how many, 1 to 10; anything else is an error.
    ///   - atomically: whether the transaction is finished as soon as the completion has returned. Otherwise
    ///     ``finishTransaction(_:)`` is to be called when the content is delivered.
    ///   - applicationUsername: the app's name for its user; an empty one is none.
    ///   - simulatesAskToBuyInSandbox: whether the sandbox is to act as if a parent had to approve.
    ///   - completion: called once, on the main queue.
    /// - Returns: the request, which is running. Cancelling it withdraws a payment that still waits for its turn; one that is with StoreKit
    ///   goes on, and comes to those who have called ``completeTransactions(atomically:completion:)``.
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

    /// Buys a product that is known already, also with a promotional offer that the app's server has signed; see
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
            simulatesAskToBuyInSandbox: simulatesAskToBuyInSandbox, paymentDiscount: paymentDiscount, completion: completion)
    }

    /// Restores what was bought before.
    ///
    /// - Parameters:
    ///   - atomically: whether the transactions are finished as soon as the completion has returned. Otherwise
    ///     ``finishTransaction(_:)`` is to be called for each.
    ///   - applicationUsername: the app's name for its user; an empty one is none.
    ///   - completion: called once, on the main queue. While another restore runs it is called at once, with one failed purchase of
    ///     `SKError.unknown`.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.restore(account:deliver:).")
    #endif
    public class func restorePurchases(
        atomically: Bool = true, applicationUsername: String = "", completion: @escaping (RestoreResults) -> Void
    ) {
        legacy.restorePurchases(atomically: atomically, applicationUsername: applicationUsername, completion: completion)
    }
}
