public import Foundation

/// One transaction in the history of the account: a purchase, a renewal, or a deferred or interrupted payment.
public struct SimulatedHistoryRecord: Sendable, Hashable, Identifiable {
    /// The state of a transaction, as in `SKTestTransaction`.
    public enum State: Sendable, Hashable, CaseIterable {
        /// The transaction is paid.
        case purchased
        /// The payment is waiting for approval.
        case deferred
        /// The payment failed, and is paid when the customer resolves the issue.
        case interrupted
    }

    /// The state of the transaction.
    public var state: State
    /// The identifier of the transaction for the controls of ``SimulatedAppStore``: that of its entry in the payment
    /// queue.
    public var id: SimulatedTransaction.ID
    /// The App Store's identifier. A transaction that waits for the customer keeps it when it's paid.
    public var transactionID: String?
    /// The identifier of the first transaction of this purchase or subscription.
    public var originalTransactionID: String?
    /// The identifier of the product.
    public var productID: String
    /// The kind of the product.
    public var kind: SimulatedProduct.Kind
    /// The number of items or seats.
    public var quantity: Int
    /// The app's name for its user.
    public var applicationUsername: String?
    /// The date of the payment, or of its request while the transaction waits for the customer.
    public var purchaseDate: Date?
    /// The date of the first transaction's payment.
    public var originalPurchaseDate: Date?
    /// The end of a subscription's paid period.
    public var expirationDate: Date?
    /// The date of the refund, the end of Family Sharing, or the upgrade.
    public var revocationDate: Date?
    /// Whether the customer upgraded to a higher level of the subscription's group.
    public var isUpgraded = false
    /// Whether the period is a free trial.
    public var isTrialPeriod = false
    /// Whether the period has the price of the introductory offer.
    public var isInIntroductoryOfferPeriod = false
    /// The identifier of the applied promotional offer.
    public var promotionalOfferID: String?
    /// Whether the app has finished the transaction.
    public var isFinished = false
    /// Whether this is the latest transaction of a subscription that is set to renew.
    public var willAutoRenew = false
    /// The group of the subscription; `nil` for other kinds.
    public var groupID: String?
    /// The total price, in the currency of the storefront; zero for a purchase that a family member paid. For a
    /// purchase of seats, the price of one seat.
    public var price: Decimal = 0
    /// The currency of the price, ISO 4217.
    public var currencyCode: String?
    /// The storefront of the purchase.
    public var storefront = SimulatedStorefront.unitedStates
    /// Whether the transaction is an automatic renewal.
    public var isRenewal = false
    /// The offer that was applied to the transaction.
    public var offer: SimulatedTransactionOffer?
    /// How the account owns the purchase.
    public var ownership = SimulatedOwnership.purchased
    /// The reason for the revocation; `nil` without one, and for a transaction that an upgrade replaced.
    public var revocationReason: SimulatedRevocationReason?
    /// The refunded percentage of the price; `nil` for a full refund.
    public var refundedPercentage: Decimal?
    /// The billing plan of the subscription; `nil` for other kinds.
    public var billingPlan: SimulatedBillingPlan?
    /// The commitment that the transaction belongs to; `nil` for other transactions.
    public var commitment: SimulatedCommitment?
    /// The bundle that includes the account's subscription; `nil` outside a bundle.
    public var bundle: SimulatedBundleMembership?
    /// The first transaction of the subscription that this transaction continues after a change from a single
    /// subscription to a bundle or back.
    public var previousOriginalTransactionID: String?
    /// Whether the customer bought seats. The ``quantity`` is the number of seats.
    public var isMultiSeat = false
    /// Whether the customer added seats during the period. Several transactions then represent the period.
    public var hasAddedSeats = false
    /// Whether the signature of the transaction is valid.
    public var isVerified = true

    /// The account token of StoreKit 2; `nil` if the ``applicationUsername`` isn't a UUID.
    public var appAccountToken: UUID? {
        applicationUsername.flatMap(UUID.init(uuidString:))
    }
}
