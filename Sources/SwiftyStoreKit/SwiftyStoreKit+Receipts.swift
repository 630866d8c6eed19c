public import Foundation

// Fetching and validating.
extension SwiftyStoreKit {
    /// The receipt on the device; `nil` when there is none, as in the sandbox before the first purchase.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.receiptData().")
    #endif
    public static var localReceiptData: Data? { legacy.receipts.localReceiptData }

    /// Fetches the receipt and has it validated.
    ///
    /// - Parameters:
    ///   - validator: who judges it. It may complete on any thread, and more than once; the first time counts.
    ///   - forceRefresh: whether to ask the App Store for a new receipt although there is one on the device. Calls at the same time share
    ///     one refresh.
    ///   - completion: called once, on the main queue, after this function has returned.
    /// - Returns: the request. `cancel()` ends it, in every phase, with ``ReceiptError/networkError(error:)`` of
    ///   `SKError.paymentCancelled`. It is never `nil`: SwiftyStoreKit returned `nil` when there was nothing to refresh, and such a call could
    ///   not be cancelled while it was validated.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.entitlements, or PurchaseStore.verifyReceipt(using:refreshing:).")
    #endif
    @discardableResult
    public class func verifyReceipt(
        using validator: any ReceiptValidator, forceRefresh: Bool = false, completion: @escaping (VerifyReceiptResult) -> Void
    ) -> (any InAppRequest)? {
        legacy.receipts.verifyReceipt(using: validator, forceRefresh: forceRefresh, completion: completion)
    }

    /// Fetches the receipt.
    ///
    /// - Parameters:
    ///   - forceRefresh: whether to ask the App Store for a new receipt although there is one on the device. Calls at the same time share
    ///     one refresh.
    ///   - completion: called once: from inside this function, on the caller's thread, when the receipt on the device is the answer;
    ///     otherwise on the main queue, after this function has returned.
    /// - Returns: the request, or `nil` when there is nothing to wait for because the receipt on the device is the answer. `cancel()` ends
    ///   it with ``ReceiptError/networkError(error:)`` of `SKError.paymentCancelled`.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.receiptData(refreshing:).")
    #endif
    @discardableResult
    public class func fetchReceipt(
        forceRefresh: Bool, completion: @escaping (FetchReceiptResult) -> Void
    ) -> (any InAppRequest)? {
        legacy.receipts.fetchReceipt(forceRefresh: forceRefresh, completion: completion)
    }
}

// Asking a validated receipt.
extension SwiftyStoreKit {
    /// Whether a product was bought, and the purchase stands.
    ///
    /// - Parameters:
    ///   - productId: the product.
    ///   - receipt: what ``verifyReceipt(using:forceRefresh:completion:)`` gave; its list `receipt.in_app` is read.
    /// - Returns: the latest purchase that was neither taken back nor upgraded away.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.entitlements, or Receipt.latestValidTransaction(of:).")
    #endif
    public class func verifyPurchase(productId: String, inReceipt receipt: ReceiptInfo) -> VerifyPurchaseResult {
        ReceiptQueries.verifyPurchase(productId: productId, inReceipt: receipt)
    }

    /// Where a subscription stands; see ``verifySubscriptions(ofType:productIds:inReceipt:validUntil:)``.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.entitlements, or Receipt.subscriptionStatus(of:at:).")
    #endif
    public class func verifySubscription(
        ofType type: SubscriptionType, productId: String, inReceipt receipt: ReceiptInfo, validUntil date: Date = Date()
    ) -> VerifySubscriptionResult {
        ReceiptQueries.verifySubscriptions(ofType: type, productIds: [productId], inReceipt: receipt, validUntil: date)
    }

    /// Where a group of subscriptions stands, of which a customer has one at a time.
    ///
    /// - Parameters:
    ///   - type: the kind. For auto-renewable ones the list `latest_receipt_info` is read, for others `receipt.in_app`.
    ///   - productIds: the products of the group.
    ///   - receipt: what ``verifyReceipt(using:forceRefresh:completion:)`` gave.
    ///   - date: the moment until which the subscription has to run to count as purchased. Where that is the present, an answer that
    ///     ``AppleReceiptValidator`` got in the last ten minutes is judged by Apple's clock, and any other whose `request_date_ms` is more than
    ///     a day ahead of the device's clock by that date; the receipt's own date, which SwiftyStoreKit preferred, does not matter otherwise.
    /// - Returns: the answer, with the periods that were neither taken back nor upgraded away, the one that ends last first. A billing grace
    ///   period counts as purchased.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.entitlements, or Receipt.subscriptionStatus(of:at:).")
    #endif
    public class func verifySubscriptions(
        ofType type: SubscriptionType = .autoRenewable, productIds: Set<String>, inReceipt receipt: ReceiptInfo,
        validUntil date: Date = Date()
    ) -> VerifySubscriptionResult {
        ReceiptQueries.verifySubscriptions(ofType: type, productIds: productIds, inReceipt: receipt, validUntil: date)
    }

    /// The products in a receipt.
    ///
    /// - Parameters:
    ///   - type: which list is read; see ``verifySubscriptions(ofType:productIds:inReceipt:validUntil:)``.
    ///   - receipt: what ``verifyReceipt(using:forceRefresh:completion:)`` gave.
    /// - Returns: the products, taken-back ones included; `nil` when the receipt has no such list, or nothing in it.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use Receipt.distinctProductIDs or Receipt.subscriptionProductIDs.")
    #endif
    public class func getDistinctPurchaseIds(
        ofType type: SubscriptionType = .autoRenewable, inReceipt receipt: ReceiptInfo
    ) -> Set<String>? {
        ReceiptQueries.getDistinctPurchaseIds(ofType: type, inReceipt: receipt)
    }
}
