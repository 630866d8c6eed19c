public import AppReceipt
public import Foundation

/// Whether the customer may use one product, and the date on which access ends.
///
/// There is one entitlement for every product that the customer has or had, except consumables. If there are several
/// purchases of a product, the best one is used: access before billing retry before purchases that have ended, then the
/// customer's own purchase, then the later end.
///
/// An entitlement has every property of its ``transaction``: `productID`, `purchaseDate`, `price`, `offer`, `jws` and
/// everything else that Apple signed.
@dynamicMemberLookup
public struct StoreEntitlement: Sendable, Identifiable {
    /// The kind of the product.
    public let productKind: ProductKind
    /// The state of the entitlement. To check access, use ``isEntitled``.
    public internal(set) var state: SubscriptionState
    /// The transaction that determines the entitlement.
    public internal(set) var transaction: VerifiedTransaction
    /// When access ends, or ended, unless the subscription renews: the end of the grace period if there is one,
    /// otherwise the end of the period. `nil` for a purchase without an end.
    public let accessEndDate: Date?
    /// How a subscription continues. `nil` for other kinds, and over StoreKit 1.
    public var renewal: Renewal? { sharedRenewal?.value }
    private let sharedRenewal: Shared<Renewal>?
    /// The level of service of a subscription in its group, 1 for the highest; `nil` if the product isn't loaded.
    var level: Int?

    init(
        _ transaction: VerifiedTransaction, kind: ProductKind, state: SubscriptionState, accessEndDate: Date?,
        renewal: VerifiedRenewal?
    ) {
        productKind = kind
        self.state = state
        self.transaction = transaction
        self.accessEndDate = accessEndDate
        sharedRenewal = renewal.map { Shared(Renewal($0, after: transaction.facts)) }
    }

    /// The product: there is one entitlement for each.
    public var id: String { transaction.productID }

    /// Whether the customer may use the product now: the entitlement is active, or in its grace period.
    public var isEntitled: Bool { state.isEntitled }
}

extension StoreEntitlement {
    /// Returns a property of ``transaction``, such as `purchaseDate`, `price`, `offer` or `jws`.
    public subscript<Property>(dynamicMember property: KeyPath<VerifiedTransaction, Property>) -> Property {
        transaction[keyPath: property]
    }

    /// When the paid period ends, or ended, without a grace period. `nil` for a purchase without an end. Access ends at
    /// ``accessEndDate``.
    public var expirationDate: Date? { transaction.expirationDate ?? accessEndDate }
    /// Why the subscription ended, or doesn't renew. `nil` while the customer has access, and if Apple doesn't say, as
    /// in a receipt.
    public var expirationReason: ReceiptExpirationReason? { isEntitled ? nil : renewal?.expirationReason }
    /// The revocation date, if any. An upgrade isn't a revocation.
    public var revocationDate: Date? { transaction.isRevoked ? transaction.revocationDate : nil }
    /// The reason for the revocation; `nil` if Apple doesn't say.
    public var revocationReason: RevocationReason? { transaction.isRevoked ? transaction.revocationReason : nil }
    /// Whether the customer has access through a free trial.
    ///
    /// The trial ends at ``expirationDate``. ``Renewal/willRenew`` says whether the customer pays then.
    public var isTrial: Bool { isEntitled && transaction.offer?.isTrial == true }
    /// The renewal information as Apple signed it, a JSON Web Signature, for a server. `nil` for products other than
    /// subscriptions, and over StoreKit 1.
    public var renewalJWS: String? { renewal?.jws }
}

extension StoreEntitlement {
    /// How a subscription continues, according to Apple's latest information.
    ///
    /// It answers three questions: whether another payment follows (``willRenew``), whether a commitment renews
    /// (`commitment`), and when the next change takes effect (``changeDate``). It also has every property of
    /// `RenewalFacts` and ``VerifiedRenewal``, such as `offer`, `willUnbundle`, `renewalQuantity` or `jws`.
    @dynamicMemberLookup
    public struct Renewal: Sendable, Hashable {
        /// The information as Apple gave it.
        let verified: VerifiedRenewal
        /// Whether another payment follows the current period; `nil` if Apple doesn't say.
        ///
        /// After the customer has canceled a commitment, the value stays `true` until its last billing period. The
        /// commitment's `willAutoRenew` is then `false`.
        public let willRenew: Bool?
        /// When the subscription ends, or continues with another product, on another billing plan, or outside its
        /// bundle; `nil` if nothing is set to change. During a commitment, it's the end of the commitment.
        public let changeDate: Date?

        init(_ renewal: VerifiedRenewal, after period: PurchaseFacts) {
            verified = renewal
            willRenew = renewal.facts.willRenew(after: period)
            changeDate = renewal.facts.changeDate(after: period)
        }

        /// Returns a property of the renewal information.
        public subscript<Property>(dynamicMember property: KeyPath<VerifiedRenewal, Property>) -> Property {
            verified[keyPath: property]
        }

        /// The product into which the subscription renews: another one after a downgrade or a crossgrade.
        public var productID: String? { verified.autoRenewPreference }
        /// The date of the next renewal; `nil` if the subscription doesn't renew.
        public var date: Date? { verified.renewalDate }
        /// The price of the next period, in ``currency``; `nil` if the subscription doesn't renew.
        public var price: Decimal? { verified.renewalPrice }
        /// The currency of ``price``, ISO 4217.
        public var currency: String? { verified.currency }
        /// How the next period is billed; `nil` if Apple doesn't say.
        public var billingPlan: BillingPlan? { verified.renewalBillingPlan }
        /// Whether the price will increase and the customer hasn't agreed yet.
        public var isPriceIncreasePending: Bool { verified.priceIncreaseStatus == .pending }
    }
}

extension StoreEntitlement.Renewal: CustomStringConvertible {
    /// Whether the subscription renews, as which product, when, and for how much, on one line.
    public var description: String {
        let renews =
            switch willRenew {
            case true?: "renews"
            case false?: "doesn't renew"
            case nil: "may renew"
            }
        let next = [
            productID.map { "as \($0)" }, date.map { "on \($0.formatted(.iso8601))" },
            price.map { "for \($0) \(currency ?? "")" }, self.offer.map { "with \($0)" },
        ].compactMap(\.self)
        let details = [
            isPriceIncreasePending ? "a price increase waits for consent" : nil,
            self.expirationReason.map { "because of \($0)" },
            changeDate.map { "changes on \($0.formatted(.iso8601))" },
        ].compactMap(\.self)
        let first = ([renews] + (willRenew == false ? [] : next)).joined(separator: " ")
        return ([first] + details).joined(separator: ", ")
    }
}

extension StoreEntitlement {
    /// Something that Apple lets the customer do with a purchase.
    ///
    /// The set is open: later versions may add actions.
    public struct Action: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// A stable word.
        public let rawValue: String

        /// Creates an action from its word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The stable word.
        public var description: String { rawValue }

        /// Request a refund, with ``PurchaseStore/requestRefund(for:in:)-(VerifiedTransaction,_)``.
        public static let requestRefund = Action(rawValue: "requestRefund")
        /// Cancel the subscription, or turn on its renewal, with ``PurchaseStore/manageSubscriptions(inGroup:in:)``.
        public static let manage = Action(rawValue: "manage")
        /// Change to another product of the subscription group, by a purchase or with
        /// ``PurchaseStore/manageSubscriptions(inGroup:in:)``.
        public static let changePlan = Action(rawValue: "changePlan")
    }

    /// The actions that Apple lets the customer take, for a settings screen. Empty over StoreKit 1, which has no sheets
    /// for them, except for ``Action/changePlan``, which is a purchase.
    ///
    /// | Action | Available |
    /// |---|---|
    /// | ``Action/requestRefund`` | for a paid purchase that Apple hasn't revoked, even after it has ended |
    /// | ``Action/manage`` | for a subscription that is active, in its grace period, or in billing retry |
    /// | ``Action/changePlan`` | for a subscription that is active or in its grace period |
    ///
    /// None is available for a product that a family member shares or an organization assigned: only the person who
    /// paid can take these actions. Apple reviews each refund, and may refuse old purchases.
    public var actions: Set<Action> {
        guard !transaction.isPaidByOthers else { return [] }
        var actions: Set<Action> = []
        let isSigned = transaction.isSigned
        let isStanding = revocationDate == nil && state != .revoked
        if isSigned, isStanding, transaction.price.map({ $0 > 0 }) ?? true { actions.insert(.requestRefund) }
        guard productKind == .autoRenewable else { return actions }
        if isSigned, isEntitled || state == .inBillingRetryPeriod { actions.insert(.manage) }
        if isEntitled { actions.insert(.changePlan) }
        return actions
    }
}

extension StoreEntitlement: Hashable {
    /// Returns whether both have the same content, apart from the signatures of the transaction.
    public static func == (left: StoreEntitlement, right: StoreEntitlement) -> Bool {
        left.productKind == right.productKind && left.state == right.state && left.accessEndDate == right.accessEndDate
            && left.sharedRenewal == right.sharedRenewal && left.transaction == right.transaction
    }

    /// Hashes the state and the transaction.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
        hasher.combine(transaction)
    }
}

extension StoreEntitlement: CustomStringConvertible {
    /// The product, its state, and the end of that state, on one line.
    public var description: String {
        let end = accessEndDate.map { "\(isEntitled ? "until" : "since") \($0.formatted(.iso8601))" }
        let renews = renewal?.willRenew.map { $0 ? "renews" : "doesn't renew" }
        let details = [end, isEntitled ? renews : nil, transaction.isFamilyShared ? "shared by a family member" : nil]
        return
            ([["\(id): \(state)", details.first ?? nil].compactMap(\.self).joined(separator: " ")]
            + details.dropFirst().compactMap(\.self)).joined(separator: ", ")
    }
}
