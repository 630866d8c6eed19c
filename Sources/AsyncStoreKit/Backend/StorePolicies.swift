/// What a store answers when the payment queue asks, and cannot wait.
///
/// Policies are asked synchronously, on whatever thread the queue calls from, and must return quickly. They belong to the
/// payment queue: ``PurchaseStore/setPolicies(_:)`` replaces all of them at once.
public struct StorePolicies: Sendable {
    /// Whether a purchase that was begun in the App Store goes on at once. Held by default, and offered on
    /// ``PurchaseStore/purchaseIntents``. watchOS does not ask.
    public var promotedPurchase: PromotedPurchasePolicy
    /// Whether a transaction that is being processed goes on in the storefront to which the account has just moved; `nil`
    /// lets it go on, and leaves the queue's delegate to others.
    public var shouldContinueTransaction: (@Sendable (StoreTransaction, AppStorefront) -> Bool)?
    /// Whether a price increase is shown at once; `nil` shows it, and leaves the queue's delegate to others. What is not
    /// shown at once is shown by ``PurchaseStore/showPriceConsent()``. Only iOS and visionOS ask, over StoreKit 1.
    public var shouldShowPriceConsent: (@Sendable () -> Bool)?
    /// The anchor of the store, for purchases whose options have none.
    package var anchor: StoreAnchor?

    /// Makes policies.
    public init(
        promotedPurchase: PromotedPurchasePolicy = .hold,
        shouldContinueTransaction: (@Sendable (StoreTransaction, AppStorefront) -> Bool)? = nil,
        shouldShowPriceConsent: (@Sendable () -> Bool)? = nil
    ) {
        self.promotedPurchase = promotedPurchase
        self.shouldContinueTransaction = shouldContinueTransaction
        self.shouldShowPriceConsent = shouldShowPriceConsent
    }

    /// Whether the payment queue's delegate is wanted.
    var needsDelegate: Bool { shouldContinueTransaction != nil || shouldShowPriceConsent != nil }
}
