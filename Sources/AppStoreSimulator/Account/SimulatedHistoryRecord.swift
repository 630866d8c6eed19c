public import Foundation

/// One transaction in the history of the account: a purchase, a renewal, or a payment that waits for an approval or was interrupted.
public struct SimulatedHistoryRecord: Sendable, Hashable, Identifiable {
    /// The state of a transaction, as in `SKTestTransaction`.
    public enum State: Sendable, Hashable, CaseIterable {
        /// Paid.
        case purchased
        /// Waits for an approval.
        case deferred
        /// Failed, and is paid once the customer has resolved what interrupted it.
        case interrupted
    }

    /// The state.
    public var state: State
    /// Identifies the transaction for the controls of ``SimulatedAppStore``: the entry of the queue in which it was or will be reported.
    public var id: SimulatedTransaction.ID
    /// The App Store's identifier; `nil` until it is paid.
    public var transactionID: String?
    /// The identifier of the first transaction of this purchase or subscription; `nil` until it is paid.
    public var originalTransactionID: String?
    /// The product.
    public var productID: String
    /// The kind of the product.
    public var kind: SimulatedProduct.Kind
    /// How many.
    public var quantity: Int
    /// The app's name for its user.
    public var applicationUsername: String?
    /// When it was paid; `nil` until then.
    public var purchaseDate: Date?
    /// When the first transaction was paid.
    public var originalPurchaseDate: Date?
    /// When the paid period of a subscription ends.
    public var expirationDate: Date?
    /// When it was refunded, no longer shared in the family, or replaced by an upgrade.
    public var revocationDate: Date?
    /// Whether the subscription was replaced by one of a higher level of its group.
    public var isUpgraded: Bool
    /// Whether the period is a free trial.
    public var isTrialPeriod: Bool
    /// Whether the period has the price of the introductory offer.
    public var isInIntroductoryOfferPeriod: Bool
    /// The identifier of the promotional offer that was used.
    public var promotionalOfferID: String?
    /// Whether the app has finished it.
    public var isFinished: Bool
    /// Whether this is the latest transaction of a subscription that is set to renew.
    public var willAutoRenew: Bool
    /// The group in which the subscription competes; `nil` for every other kind.
    public var groupID: String?
    /// What was paid in all, in the currency of the storefront; zero for what a member of the family has paid.
    public var price: Decimal = 0
    /// The currency of the price, ISO 4217.
    public var currencyCode: String?
    /// The storefront in which it was bought.
    public var storefront = SimulatedStorefront.unitedStates
    /// Whether the App Store renewed it by itself.
    public var isRenewal = false
    /// The offer at whose price it was paid.
    public var offer: SimulatedTransactionOffer?
    /// How the account came by it.
    public var ownership = SimulatedOwnership.purchased
    /// Why it was refunded or taken back; `nil` also for what an upgrade has replaced.
    public var revocationReason: SimulatedRevocationReason?
    /// The percentage of the price that was refunded, if it isn't the whole price.
    public var refundedPercentage: Decimal?
    /// How the subscription is billed; `nil` for every other kind.
    public var billingPlan: SimulatedBillingPlan?
    /// The commitment that the transaction belongs to; `nil` for every other transaction.
    public var commitment: SimulatedCommitment?
    /// The bundle through which the account has the subscription; `nil` outside a bundle.
    public var bundle: SimulatedBundleMembership?
    /// The first transaction of the subscription that this one continues, after a switch between a single subscription
    /// and a bundle.
    public var previousOriginalTransactionID: String?
    /// Whether the signature of the transaction checks out.
    public var isVerified = true

    /// The account token of StoreKit 2; `nil` when the ``applicationUsername`` is no UUID.
    public var appAccountToken: UUID? {
        applicationUsername.flatMap(UUID.init(uuidString:))
    }
}
