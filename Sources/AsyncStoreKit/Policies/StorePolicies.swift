/// What a store answers when the payment queue asks, and cannot wait.
///
/// Policies are asked synchronously, on whatever thread the queue calls from, and must return quickly. They belong to the
/// payment queue: ``Store/install(_:)-(StorePolicies)`` replaces all of them at once.
public struct StorePolicies: Sendable {
    /// Whether a purchase that was begun in the App Store goes on at once. Put off by default, and offered on
    /// ``Store/promotedPurchases``. watchOS does not ask.
    public var promotedPurchase: PromotedPurchasePolicy
    /// Whether a transaction that is being processed goes on in the storefront to which the account has just moved; `nil`
    /// lets it go on, and leaves the queue's delegate to others.
    public var continuesTransaction: (@Sendable (StoreTransaction, StoreStorefront) -> Bool)?
    /// Whether a price increase is shown at once; `nil` shows it, and leaves the queue's delegate to others. What is not
    /// shown at once is shown by ``Store/showPriceConsentIfNeeded()``. Only iOS and visionOS ask.
    public var showsPriceConsent: (@Sendable () -> Bool)?

    /// Makes policies.
    public init(
        promotedPurchase: PromotedPurchasePolicy = .putOff,
        continuesTransaction: (@Sendable (StoreTransaction, StoreStorefront) -> Bool)? = nil,
        showsPriceConsent: (@Sendable () -> Bool)? = nil
    ) {
        self.promotedPurchase = promotedPurchase
        self.continuesTransaction = continuesTransaction
        self.showsPriceConsent = showsPriceConsent
    }

    /// Whether the payment queue's delegate is wanted.
    var needsDelegate: Bool { continuesTransaction != nil || showsPriceConsent != nil }
}
