public import Foundation

/// One transaction in the history of the account: a purchase, a renewal, or a payment that still waits for somebody.
public struct SimulatedHistoryRecord: Sendable, Hashable {
    /// How a transaction stands, as in `SKTestTransaction`.
    public enum State: Sendable, Hashable, CaseIterable {
        /// Paid.
        case purchased
        /// Waits for an approval.
        case deferred
        /// Failed, and is paid once the customer has settled what interrupted it.
        case interrupted
    }

    /// How a transaction stands.
    public var state: State
    /// The entry of the queue by which the transaction was or will be reported.
    public var entry: SimulatedTransaction.ID
    /// The App Store's identifier; `nil` until it is paid.
    public var transactionIdentifier: String?
    /// The identifier of the first transaction of this purchase or subscription; `nil` until it is paid.
    public var originalTransactionIdentifier: String?
    /// What was bought.
    public var productIdentifier: String
    /// What kind of product it is.
    public var kind: SimulatedProduct.Kind
    /// How many.
    public var quantity: Int
    /// The app's name for its user.
    public var applicationUsername: String?
    /// When it was paid; `nil` until then.
    public var purchaseDate: Date?
    /// When the first transaction was paid.
    public var originalPurchaseDate: Date?
    /// When the paid time of a subscription ends.
    public var expirationDate: Date?
    /// When it was refunded or taken away.
    public var cancellationDate: Date?
    /// Whether the subscription was left for a higher one of its group.
    public var isUpgraded: Bool
    /// Whether the time is a free trial.
    public var isTrialPeriod: Bool
    /// Whether the time has the introductory price.
    public var isInIntroductoryPricePeriod: Bool
    /// The identifier of the promotional offer that was used.
    public var promotionalOfferIdentifier: String?
    /// Whether the app has finished it.
    public var isFinished: Bool
    /// Whether the subscription, as long as this is its latest transaction, is set to renew.
    public var autoRenewingEnabled: Bool
}
