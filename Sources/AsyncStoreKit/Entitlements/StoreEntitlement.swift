public import AppReceipt
public import Foundation

/// Whether, and until when, the customer may use one product.
///
/// There is one for every product that the customer has or had, consumables apart. Of several purchases of a product the best counts:
/// access before billing retry before what has ended.
public struct StoreEntitlement: Sendable, Identifiable {
    /// The product.
    public let productID: String
    /// What kind of product it is.
    public let kind: Kind
    /// Where it stands. To decide about access, ask ``isEntitled``.
    public internal(set) var state: State
    /// The subscription group in App Store Connect; `nil` for every other kind, and where only a receipt tells, which names no groups.
    public let subscriptionGroupID: String?
    /// The transaction that decided.
    public let transactionID: String
    /// The first transaction of the purchase or subscription.
    public let originalTransactionID: String
    /// When the customer paid for the period, or the product.
    public let purchaseDate: Date
    /// When access ends, or ended, unless it is renewed: the end of the grace period when there is one, otherwise that of the period. `nil`
    /// for what has no end.
    public let accessEndDate: Date?
    /// How a subscription continues; `nil` for every other kind, and where only a receipt tells.
    public let renewal: Renewal?
    /// Whether a member of the family bought it and shares it.
    public let isFamilyShared: Bool
    /// The UUID that the app gave with the payment; `nil` when it gave none.
    public let appAccountToken: UUID?
    /// The transaction as Apple signed it, for a server; `nil` where only a receipt tells. Not compared: Apple signs anew now and then.
    public var signedTransaction: String? { signed?.jws }

    /// What Apple has signed of it, whoever judged by it.
    var signed: SignedStatement<ReceiptTransaction>?

    /// The product: there is one entitlement for each.
    public var id: String { productID }

    /// Whether the customer may use it now: active, or in its grace period.
    public var isEntitled: Bool { state == .active || state == .inGracePeriod }

    /// How the subscription is billed; `nil` if Apple doesn't say.
    public var billingPlan: BillingPlan? { signed?.value.billingPlan }
    /// The commitment that the current period belongs to, for display; `nil` outside a commitment. Access ends at
    /// ``accessEndDate``, the end of the billing period.
    public var commitment: SignedTransactionCommitment? { signed?.value.commitment }
    /// The bundle through which the customer has the subscription; `nil` outside a bundle.
    public var bundle: ReceiptBundle? { signed?.value.bundle }
    /// Whether an organization bought the product and assigned it to the customer.
    public var isAssigned: Bool { signed?.value.isAssigned ?? false }
    /// How much of the purchase Apple took back; `nil` while the purchase stands, and where only a receipt tells.
    public var revocationType: RevocationType? { signed?.value.revocationType }
    /// The percentage of the price that was refunded, from 0 to 100; `nil` if Apple doesn't say.
    public var revocationPercentage: Decimal? { signed?.value.revocationPercentage }
}

extension StoreEntitlement {
    /// The kinds of products that are kept, an open set.
    public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable word.
        public let rawValue: String

        /// Creates a kind from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The stable word.
        public var description: String { rawValue }

        /// Bought once, owned for good.
        public static let nonConsumable = Kind(rawValue: "nonConsumable")
        /// Renews until it is stopped.
        public static let autoRenewableSubscription = Kind(rawValue: "autoRenewableSubscription")
        /// Lasts as long as ``StoreConfiguration/nonRenewingDurations`` says; for good when that says nothing.
        public static let nonRenewingSubscription = Kind(rawValue: "nonRenewingSubscription")
        /// Apple does not say: a receipt without the kind, or a purchase that StoreKit 1 has just reported.
        public static let unknown = Kind(rawValue: "unknown")
    }

    /// Where an entitlement stands, an open set: a state that the App Store brings later has a word of its own.
    public struct State: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable word.
        public let rawValue: String

        /// Creates a state from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The stable word.
        public var description: String { rawValue }

        /// Paid, or free for the time being.
        public static let active = State(rawValue: "active")
        /// The period has ended and the customer could not be charged; Apple asks the app to give access for the time being.
        public static let inGracePeriod = State(rawValue: "inGracePeriod")
        /// The period has ended and Apple keeps trying to charge the customer, for up to 60 days, or up to 90 days
        /// within a commitment; no access.
        public static let inBillingRetry = State(rawValue: "inBillingRetry")
        /// Halted by the customer, to go on later; no access. The App Store has no such thing today, other stores have.
        public static let paused = State(rawValue: "paused")
        /// The last period has ended.
        public static let expired = State(rawValue: "expired")
        /// Refunded, or no longer shared by the family.
        public static let revoked = State(rawValue: "revoked")
        /// The customer has moved on to a higher product of the group, or to a bundle that includes the subscription.
        public static let upgraded = State(rawValue: "upgraded")
    }

    /// How a subscription continues, as of Apple's last word about it.
    ///
    /// It answers three questions: whether another payment follows (``willRenew``), whether a commitment renews
    /// (``commitment``), and when the next change takes effect (``changeDate``).
    public struct Renewal: Sendable, Hashable {
        /// Whether another payment follows the current period; `nil` if Apple doesn't say.
        ///
        /// After the customer has canceled a commitment, the value stays `true` until its last billing period. The
        /// commitment's `willAutoRenew` is `false` from then on.
        public var willRenew: Bool?
        /// The product it will renew into: another one after a downgrade or a crossgrade.
        public var productID: String?
        /// When it will renew; `nil` when it will not.
        public var date: Date?
        /// What the next period costs, in ``currencyCode``; `nil` when it will not renew.
        public var price: Decimal?
        /// The currency of ``price``, ISO 4217.
        public var currencyCode: String?
        /// Whether the price goes up and the customer has not agreed yet.
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
            willRenew: Bool? = nil, productID: String? = nil, date: Date? = nil, price: Decimal? = nil, currencyCode: String? = nil,
            isPriceIncreasePending: Bool = false, eligibleWinBackOfferIDs: [String] = [], billingPlan: BillingPlan? = nil,
            commitment: SignedRenewalCommitment? = nil, changeDate: Date? = nil, willUnbundle: Bool = false
        ) {
            self.willRenew = willRenew
            self.productID = productID
            self.date = date
            self.price = price
            self.currencyCode = currencyCode
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
    /// Whether both say the same, however often Apple has signed it.
    public static func == (left: StoreEntitlement, right: StoreEntitlement) -> Bool {
        left.productID == right.productID && left.kind == right.kind && left.state == right.state
            && left.subscriptionGroupID == right.subscriptionGroupID && left.transactionID == right.transactionID
            && left.originalTransactionID == right.originalTransactionID && left.purchaseDate == right.purchaseDate
            && left.accessEndDate == right.accessEndDate && left.renewal == right.renewal && left.isFamilyShared == right.isFamilyShared
            && left.appAccountToken == right.appAccountToken && left.commitment == right.commitment && left.bundle == right.bundle
            && left.revocationType == right.revocationType && left.revocationPercentage == right.revocationPercentage
    }

    /// Hashes the product, the state and the transaction.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(productID)
        hasher.combine(state)
        hasher.combine(transactionID)
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
