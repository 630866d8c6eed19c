public import AsyncStoreKit
public import Foundation

// New here: questions that need no receipt, no server and no shared secret. What is left of `verifyReceipt`, which Apple has deprecated.
extension SwiftyStoreKit {
    /// Whether a product was bought, and the purchase stands, by what the device itself knows.
    ///
    /// - Parameters:
    ///   - productId: the product.
    ///   - completion: called once, on the main queue. A failure says why the device could not be read: it is not "not purchased".
    public class func verifyPurchase(
        productId: String, completion: @escaping (Result<VerifyPurchaseResult, StoreError>) -> Void
    ) {
        OwnedPurchases(core: legacy.core).verifyPurchase(productId: productId, completion: completion)
    }

    /// Where a subscription stands, by what the device itself knows; see
    /// ``verifySubscriptions(ofType:productIds:validUntil:completion:)``.
    public class func verifySubscription(
        ofType type: SubscriptionType, productId: String, validUntil date: Date = Date(),
        completion: @escaping (Result<VerifySubscriptionResult, StoreError>) -> Void
    ) {
        verifySubscriptions(ofType: type, productIds: [productId], validUntil: date, completion: completion)
    }

    /// Where a group of subscriptions stands, by what the device itself knows: StoreKit 2's signed transactions, or over StoreKit 1 the
    /// receipt, verified on the device.
    ///
    /// - Parameters:
    ///   - type: the kind.
    ///   - productIds: the products of the group.
    ///   - date: the moment until which the subscription has to run to count as purchased.
    ///   - completion: called once, on the main queue. A failure says why the device could not be read: it is not "not purchased".
    public class func verifySubscriptions(
        ofType type: SubscriptionType = .autoRenewable, productIds: Set<String>, validUntil date: Date = Date(),
        completion: @escaping (Result<VerifySubscriptionResult, StoreError>) -> Void
    ) {
        OwnedPurchases(core: legacy.core).verifySubscriptions(
            ofType: type, productIds: productIds, validUntil: date, completion: completion)
    }

    /// The products that the customer has bought, taken-back ones included, by what the device itself knows.
    ///
    /// - Parameter completion: called once, on the main queue.
    public class func getDistinctPurchaseIds(completion: @escaping (Result<Set<String>, StoreError>) -> Void) {
        OwnedPurchases(core: legacy.core).distinctPurchaseIds(completion: completion)
    }
}
