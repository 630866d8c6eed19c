public import Foundation

// Functions that fetch and validate a receipt.
extension SwiftyStoreKit {
    /// The receipt on the device; `nil` without a receipt, as in the sandbox before the first purchase.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.receipt.data().")
    #endif
    public static var localReceiptData: Data? { legacy.receipts.localReceiptData }

    /// Fetches and validates the receipt.
    ///
    /// - Parameters:
    ///   - validator: Validates the receipt. The validator may call its completion on any thread and repeatedly; the
    ///     first call is used.
    ///   - forceRefresh: Whether to load a new receipt from the App Store although the device has one. Concurrent calls
    ///     share one refresh.
    ///   - completion: Called once, on the main queue, after this function has returned.
    /// - Returns: The request. `cancel()` ends the request in every phase with ``ReceiptError/networkError(error:)`` of
    ///   `SKError.paymentCancelled`. The request is never `nil`: SwiftyStoreKit 0.16.4 returned `nil` without a
    ///   refresh, and such a call couldn't be canceled during its validation.
    #if !QuietLegacy
        @available(
            *, deprecated,
            message: "Use PurchaseStore.entitlements, or PurchaseStore.receipt.verify(using:refreshing:)."
        )
    #endif
    @discardableResult
    public class func verifyReceipt(
        using validator: any ReceiptValidator, forceRefresh: Bool = false,
        completion: @escaping (VerifyReceiptResult) -> Void
    ) -> (any InAppRequest)? {
        legacy.receipts.verifyReceipt(using: validator, forceRefresh: forceRefresh, completion: completion)
    }

    /// Fetches the receipt.
    ///
    /// - Parameters:
    ///   - forceRefresh: Whether to load a new receipt from the App Store although the device has one. Concurrent calls
    ///     share one refresh.
    ///   - completion: Called once. If the receipt on the device is the result, this function calls the completion on
    ///     the caller's thread. Otherwise the completion is called on the main queue, after this function has returned.
    /// - Returns: The request, or `nil` if the receipt on the device is the result. `cancel()` ends the request with
    ///   ``ReceiptError/networkError(error:)`` of `SKError.paymentCancelled`.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.receipt.data(refreshing:).")
    #endif
    @discardableResult
    public class func fetchReceipt(
        forceRefresh: Bool, completion: @escaping (FetchReceiptResult) -> Void
    ) -> (any InAppRequest)? {
        legacy.receipts.fetchReceipt(forceRefresh: forceRefresh, completion: completion)
    }
}

// Functions that read a validated receipt.
extension SwiftyStoreKit {
    /// Checks whether a receipt contains a purchase of a product that wasn't revoked.
    ///
    /// - Parameters:
    ///   - productId: The identifier of the product.
    ///   - receipt: The result of ``verifyReceipt(using:forceRefresh:completion:)``. The list `receipt.in_app` is read.
    /// - Returns: The latest purchase that was neither revoked nor upgraded.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.entitlements, or Receipt.latestValidTransaction(of:).")
    #endif
    public class func verifyPurchase(productId: String, inReceipt receipt: ReceiptInfo) -> VerifyPurchaseResult {
        ReceiptQueries.verifyPurchase(productId: productId, inReceipt: receipt)
    }

    /// Checks a subscription in a receipt; see ``verifySubscriptions(ofType:productIds:inReceipt:validUntil:)``.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.entitlements, or Receipt.subscriptionStatus(of:at:).")
    #endif
    public class func verifySubscription(
        ofType type: SubscriptionType, productId: String, inReceipt receipt: ReceiptInfo, validUntil date: Date = Date()
    ) -> VerifySubscriptionResult {
        ReceiptQueries.verifySubscriptions(ofType: type, productIds: [productId], inReceipt: receipt, validUntil: date)
    }

    /// Checks a group of subscriptions in a receipt. A customer has one subscription of the group at a time.
    ///
    /// - Parameters:
    ///   - type: The type of the subscriptions. Auto-renewable subscriptions are read from the list
    ///     `latest_receipt_info`, others from `receipt.in_app`.
    ///   - productIds: The identifiers of the products in the group.
    ///   - receipt: The result of ``verifyReceipt(using:forceRefresh:completion:)``.
    ///   - date: The date until which the subscription must last to be treated as purchased. If `date` is the current
    ///     time, a response that ``AppleReceiptValidator`` received in the last ten minutes is evaluated by Apple's
    ///     clock, and a response whose `request_date_ms` is more than a day ahead of the device's clock is evaluated at
    ///     that date. Otherwise the receipt's date, which SwiftyStoreKit 0.16.4 preferred, isn't used.
    /// - Returns: The result, with the periods that were neither revoked nor upgraded, latest end first. A billing
    ///   grace period is treated as purchased.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use PurchaseStore.entitlements, or Receipt.subscriptionStatus(of:at:).")
    #endif
    public class func verifySubscriptions(
        ofType type: SubscriptionType = .autoRenewable, productIds: Set<String>, inReceipt receipt: ReceiptInfo,
        validUntil date: Date = Date()
    ) -> VerifySubscriptionResult {
        ReceiptQueries.verifySubscriptions(ofType: type, productIds: productIds, inReceipt: receipt, validUntil: date)
    }

    /// Returns the identifiers of the products in a receipt.
    ///
    /// - Parameters:
    ///   - type: Selects the list; see ``verifySubscriptions(ofType:productIds:inReceipt:validUntil:)``.
    ///   - receipt: The result of ``verifyReceipt(using:forceRefresh:completion:)``.
    /// - Returns: The product identifiers, including revoked purchases; `nil` if the list is missing or empty.
    #if !QuietLegacy
        @available(*, deprecated, message: "Use Receipt.distinctProductIDs or Receipt.subscriptionProductIDs.")
    #endif
    public class func getDistinctPurchaseIds(
        ofType type: SubscriptionType = .autoRenewable, inReceipt receipt: ReceiptInfo
    ) -> Set<String>? {
        ReceiptQueries.getDistinctPurchaseIds(ofType: type, inReceipt: receipt)
    }
}
