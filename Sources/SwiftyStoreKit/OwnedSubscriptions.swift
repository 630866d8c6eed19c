public import AsyncStoreKit
public import Foundation

// These functions are new. They need no receipt, server or shared secret, and replace Apple's deprecated
// `verifyReceipt`.
extension SwiftyStoreKit {
    /// Checks on the device whether the customer bought a product and the purchase wasn't revoked.
    ///
    /// - Parameters:
    ///   - productId: The identifier of the product.
    ///   - completion: Called once, on the main queue. A failure means that reading the purchases failed, not that the
    ///     product isn't purchased.
    public class func verifyPurchase(
        productId: String, completion: @escaping (Result<VerifyPurchaseResult, StoreError>) -> Void
    ) {
        OwnedPurchases(core: legacy.core).verifyPurchase(productId: productId, completion: completion)
    }

    /// Checks a subscription on the device; see
    /// ``verifySubscriptions(ofType:productIds:validUntil:completion:)``.
    public class func verifySubscription(
        ofType type: SubscriptionType, productId: String, validUntil date: Date = Date(),
        completion: @escaping (Result<VerifySubscriptionResult, StoreError>) -> Void
    ) {
        verifySubscriptions(ofType: type, productIds: [productId], validUntil: date, completion: completion)
    }

    /// Checks a group of subscriptions on the device, with StoreKit 2's signed transactions, or over StoreKit 1 with
    /// the receipt, whose signature is verified on the device.
    ///
    /// - Parameters:
    ///   - type: The type of the subscriptions.
    ///   - productIds: The identifiers of the products in the group.
    ///   - date: The date until which the subscription must last to be treated as purchased.
    ///   - completion: Called once, on the main queue. A failure means that reading the purchases failed, not that the
    ///     product isn't purchased.
    public class func verifySubscriptions(
        ofType type: SubscriptionType = .autoRenewable, productIds: Set<String>, validUntil date: Date = Date(),
        completion: @escaping (Result<VerifySubscriptionResult, StoreError>) -> Void
    ) {
        OwnedPurchases(core: legacy.core).verifySubscriptions(
            ofType: type, productIds: productIds, validUntil: date, completion: completion)
    }

    /// Reads the identifiers of the products that the customer has bought, including revoked purchases, from the
    /// device.
    ///
    /// - Parameter completion: Called once, on the main queue.
    public class func getDistinctPurchaseIds(completion: @escaping (Result<Set<String>, StoreError>) -> Void) {
        OwnedPurchases(core: legacy.core).distinctPurchaseIds(completion: completion)
    }
}
