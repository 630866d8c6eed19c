public import AppReceipt
public import Foundation

/// Whether, and until when, the customer may use one product.
///
/// There is one entitlement for every product that the customer has or had, except consumables. If there are several
/// purchases of a product, the best one counts: access before billing retry before purchases that have ended.
public struct StoreEntitlement: Sendable, Identifiable {
    /// The kind of the product.
    public let kind: StoreProduct.Kind
    /// The state of the entitlement. To decide about access, use ``isEntitled``.
    public internal(set) var state: State
    /// The transaction that decided, with everything that the App Store says about it.
    public internal(set) var transaction: VerifiedTransaction
    /// When access ends, or ended, unless the subscription renews: the end of the grace period if there is one,
    /// otherwise the end of the period. `nil` for a purchase without an end.
    public let accessEndDate: Date?
    /// How a subscription continues. `nil` for other kinds, and over StoreKit 1.
    public var renewal: Renewal? { sharedRenewal?.value }
    private let sharedRenewal: Shared<Renewal>?
    /// The signed renewal information.
    var signedRenewal: Shared<SignedStatement<ReceiptRenewal>>?

    init(
        _ row: ReceiptTransaction, kind: StoreProduct.Kind, state: State, accessEndDate: Date?, renewal: ReceiptRenewal?
    ) {
        self.kind = kind
        self.state = state
        self.accessEndDate = accessEndDate
        sharedRenewal = renewal.map { Shared(Renewal($0, after: row)) }
        transaction = VerifiedTransaction(SignedStatement(row, text: nil))
    }

    /// The product: there is one entitlement for each.
    public var id: String { productID }

    /// Whether the customer may use the product now: the entitlement is active, or in its grace period.
    public var isEntitled: Bool { state == .active || state == .inGracePeriod }
}

// What the transaction says.
extension StoreEntitlement {
    /// The product.
    public var productID: String { transaction.productID }
    /// The subscription group in App Store Connect. `nil` for other kinds, and over StoreKit 1, whose receipts name no
    /// groups.
    public var subscriptionGroupID: String? { transaction.subscriptionGroupID }
    /// The transaction that decided.
    public var transactionID: String { transaction.id }
    /// The first transaction of the purchase or subscription.
    public var originalTransactionID: String { transaction.originalID }
    /// When the customer paid for the period, or the product.
    public var purchaseDate: Date { transaction.purchaseDate }
    /// When the paid period ends, or ended, without a grace period. `nil` for a purchase without an end. Access ends at
    /// ``accessEndDate``.
    public var expirationDate: Date? { transaction.expirationDate ?? accessEndDate }
    /// Why the subscription ended, or doesn't renew. `nil` while the customer has access, and if Apple doesn't say, as
    /// in a receipt.
    public var expirationReason: ReceiptExpirationReason? { isEntitled ? nil : renewal?.expirationReason }
    /// When Apple took the purchase back; `nil` while the purchase stands.
    public var revocationDate: Date? { transaction.isRevoked ? transaction.revocationDate : nil }
    /// Why Apple took the purchase back; `nil` while the purchase stands, and if Apple doesn't say.
    public var revocationReason: RevocationReason? { transaction.isRevoked ? transaction.revocationReason : nil }
    /// Whether the customer bought the product, a family member shares it, or an organization assigned it. `nil` if a
    /// receipt doesn't say.
    public var ownership: OwnershipType? { transaction.ownershipType }
    /// The price that the customer paid for the period, or the product, in ``currencyCode``. `nil` over StoreKit 1.
    public var price: Decimal? { transaction.price }
    /// The currency of ``price``, ISO 4217. `nil` over StoreKit 1.
    public var currencyCode: String? { transaction.currencyCode }
    /// Whether a family member bought the product and shares it.
    public var isFamilyShared: Bool { transaction.isFamilyShared }
    /// The UUID that the app gave with the payment; `nil` if it gave none.
    public var appAccountToken: UUID? { transaction.appAccountToken }
    /// Whether an organization bought the product and assigned it to the customer.
    public var isAssigned: Bool { transaction.isAssigned }
    /// How the subscription is billed; `nil` if Apple doesn't say.
    public var billingPlan: BillingPlan? { transaction.billingPlan }
    /// The commitment that the current period belongs to, for display; `nil` outside a commitment. Access ends at
    /// ``accessEndDate``, the end of the billing period.
    public var commitment: SignedTransactionCommitment? { transaction.commitment }
    /// The bundle through which the customer has the subscription; `nil` outside a bundle.
    public var bundle: ReceiptBundle? { transaction.bundle }
    /// How much of the purchase Apple took back; `nil` while the purchase stands, and over StoreKit 1.
    public var revocationType: RevocationType? { transaction.revocationType }
    /// The percentage of the price that was refunded, from 0 to 100; `nil` if Apple doesn't say.
    public var revocationPercentage: Decimal? { transaction.revocationPercentage }
    /// The transaction as Apple signed it, a JSON Web Signature, for a server. `nil` over StoreKit 1.
    public var jws: String? { transaction.jws }
    /// The renewal information as Apple signed it, a JSON Web Signature, for a server. `nil` for products other than
    /// subscriptions, and over StoreKit 1.
    public var renewalJWS: String? { signedRenewal?.value.jws }
}

extension StoreEntitlement {
    /// The state of an entitlement.
    ///
    /// The set is open: later versions may add states, so a `switch` needs a `default`.
    public struct State: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable word.
        public let rawValue: String

        /// Creates a state from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The stable word.
        public var description: String { rawValue }

        /// The period is paid, or free for now.
        public static let active = State(rawValue: "active")
        /// The period has ended and the customer couldn't be charged. Apple asks the app to give access for now.
        public static let inGracePeriod = State(rawValue: "inGracePeriod")
        /// The period has ended and Apple keeps trying to charge the customer, for up to 60 days, or up to 90 days
        /// within a commitment; no access.
        public static let inBillingRetry = State(rawValue: "inBillingRetry")
        /// Paused by the customer. No access. The App Store doesn't use this state; other stores do.
        public static let paused = State(rawValue: "paused")
        /// The last period has ended.
        public static let expired = State(rawValue: "expired")
        /// Refunded, or no longer shared by the family.
        public static let revoked = State(rawValue: "revoked")
        /// The customer has moved on to a higher product of the group, or to a bundle that includes the subscription.
        public static let upgraded = State(rawValue: "upgraded")
    }

    /// How a subscription continues, according to Apple's latest information.
    ///
    /// It answers three questions: whether another payment follows (``willRenew``), whether a commitment renews
    /// (``commitment``), and when the next change takes effect (``changeDate``).
    public struct Renewal: Sendable, Hashable {
        /// Whether another payment follows the current period; `nil` if Apple doesn't say.
        ///
        /// After the customer has canceled a commitment, the value stays `true` until its last billing period. The
        /// commitment's `willAutoRenew` is `false` from then on.
        public var willRenew: Bool?
        /// The product into which the subscription renews: another one after a downgrade or a crossgrade.
        public var productID: String?
        /// The date of the next renewal; `nil` if the subscription doesn't renew.
        public var date: Date?
        /// The price of the next period, in ``currencyCode``; `nil` if the subscription doesn't renew.
        public var price: Decimal?
        /// The currency of ``price``, ISO 4217.
        public var currencyCode: String?
        /// The offer that applies to the next period; `nil` for the regular price.
        public var offer: Offer?
        /// Why the subscription ended, or isn't going to renew; `nil` if Apple doesn't say.
        public var expirationReason: ReceiptExpirationReason?
        /// Whether the price will increase and the customer hasn't agreed yet.
        public var isPriceIncreasePending: Bool
        /// The win-back offers that the customer may use, the best first.
        public var eligibleWinBackOfferIDs: [String]
        /// How the next period is billed; `nil` if Apple doesn't say.
        public var billingPlan: BillingPlan?
        /// How the commitment continues; `nil` outside a commitment.
        public var commitment: SignedRenewalCommitment?
        /// When the subscription ends, or continues with another product, on another billing plan, or outside its
        /// bundle; `nil` if nothing is set to change. During a commitment, it's the end of the commitment.
        public var changeDate: Date?
        /// Whether the subscription leaves its bundle at the next renewal.
        public var willUnbundle: Bool

        /// Describes a renewal; for previews and tests.
        public init(
            willRenew: Bool? = nil, productID: String? = nil, date: Date? = nil, price: Decimal? = nil,
            currencyCode: String? = nil,
            offer: Offer? = nil, expirationReason: ReceiptExpirationReason? = nil, isPriceIncreasePending: Bool = false,
            eligibleWinBackOfferIDs: [String] = [], billingPlan: BillingPlan? = nil,
            commitment: SignedRenewalCommitment? = nil, changeDate: Date? = nil, willUnbundle: Bool = false
        ) {
            self.willRenew = willRenew
            self.productID = productID
            self.date = date
            self.price = price
            self.currencyCode = currencyCode
            self.offer = offer
            self.expirationReason = expirationReason
            self.isPriceIncreasePending = isPriceIncreasePending
            self.eligibleWinBackOfferIDs = eligibleWinBackOfferIDs
            self.billingPlan = billingPlan
            self.commitment = commitment
            self.changeDate = changeDate
            self.willUnbundle = willUnbundle
        }
    }
}

extension StoreEntitlement: Hashable {
    /// Returns whether both have the same content, however often Apple has signed the transaction.
    public static func == (left: StoreEntitlement, right: StoreEntitlement) -> Bool {
        left.kind == right.kind && left.state == right.state && left.accessEndDate == right.accessEndDate
            && left.sharedRenewal == right.sharedRenewal && left.transaction == right.transaction
    }

    /// Hashes the state and the transaction.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
        hasher.combine(transaction)
    }
}

extension StoreEntitlement: CustomStringConvertible {
    /// The product, its state, and until when it lasts, on one line.
    public var description: String {
        let end = accessEndDate.map { "\(isEntitled ? "until" : "since") \($0.formatted(.iso8601))" }
        let renews = renewal?.willRenew.map { $0 ? "renews" : "doesn't renew" }
        let details = [end, isEntitled ? renews : nil, isFamilyShared ? "shared by a family member" : nil]
        return
            ([["\(productID): \(state)", details.first ?? nil].compactMap(\.self).joined(separator: " ")]
            + details.dropFirst().compactMap(\.self)).joined(separator: ", ")
    }
}
