/// The answers to the payment queue's synchronous questions.
///
/// The queue calls policies on any thread, and they must return quickly. They belong to the payment queue:
/// ``PurchaseStore/setPolicies(_:)`` replaces all of them at once.
public struct PaymentQueuePolicies: Sendable {
    /// Whether a purchase that a customer starts in the App Store continues immediately. Held by default, and offered
    /// on ``PurchaseStore/purchaseIntents``. watchOS does not ask.
    public var promotedPurchase: PurchaseIntentPolicy
    /// Whether a transaction that is being processed continues after the account has moved to another storefront. `nil`
    /// lets the transaction continue, and doesn't set the queue's delegate.
    public var shouldContinueTransaction: (@Sendable (StoreTransaction, AppStorefront) -> Bool)?
    /// Whether the system shows a price increase immediately. `nil` lets the system show it, and doesn't set the
    /// queue's delegate. Show a held price increase with ``PurchaseStore/showPriceConsent()``. Only iOS and visionOS
    /// ask, over StoreKit 1.
    public var shouldShowPriceConsent: (@Sendable () -> Bool)?
    /// The anchor of the store, for purchases whose options have none.
    package var anchor: StoreAnchor?
    /// The products that the customer owns, as the entitlements say. A restore returns them even if no list has them.
    var ownedProducts: @Sendable () -> Set<String> = { [] }

    /// Creates policies.
    public init(
        promotedPurchase: PurchaseIntentPolicy = .hold,
        shouldContinueTransaction: (@Sendable (StoreTransaction, AppStorefront) -> Bool)? = nil,
        shouldShowPriceConsent: (@Sendable () -> Bool)? = nil
    ) {
        self.promotedPurchase = promotedPurchase
        self.shouldContinueTransaction = shouldContinueTransaction
        self.shouldShowPriceConsent = shouldShowPriceConsent
    }

    /// Whether the policies need the payment queue's delegate.
    var needsDelegate: Bool { shouldContinueTransaction != nil || shouldShowPriceConsent != nil }
}

extension PaymentQueuePolicies: CustomStringConvertible {
    /// How promoted purchases are handled, and the names of the policies that are set.
    public var description: String {
        let names = [
            shouldContinueTransaction == nil ? nil : "shouldContinueTransaction",
            shouldShowPriceConsent == nil ? nil : "shouldShowPriceConsent",
        ].compactMap(\.self)
        let promoted =
            switch promotedPurchase {
            case .continue: "continue"
            case .hold: "hold"
            case .decide: "decided by the app"
            }
        return (["promotedPurchase: \(promoted)"] + names).joined(separator: ", ")
    }
}
