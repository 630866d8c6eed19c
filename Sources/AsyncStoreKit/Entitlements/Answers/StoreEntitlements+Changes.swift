import AppReceipt
import Foundation

// The kinds of ``StoreEntitlements/changes(since:)``.
extension StoreEvent.Kind {
    /// A free trial has started.
    public static let trialStarted = Self(description: "trialStarted")
    /// The customer has paid for the subscription after its free trial.
    public static let trialConverted = Self(description: "trialConverted")
    /// The customer has canceled the subscription, which ends with its period or its commitment.
    public static let renewalTurnedOff = Self(description: "renewalTurnedOff")
    /// The customer has turned on the renewal of a canceled subscription.
    public static let renewalTurnedOn = Self(description: "renewalTurnedOn")
    /// The charge for a renewal has failed: the subscription is in its grace period, or in billing retry.
    public static let billingFailed = Self(description: "billingFailed")
    /// The subscription or the prepaid time has ended.
    public static let expired = Self(description: "expired")
}

extension StoreEntitlements {
    /// Returns the changes of subscriptions since an earlier answer, for analytics: a trial that has started or was
    /// paid for, a renewal that was turned off or on, a charge that has failed, and an end.
    ///
    /// ``PurchaseStore/events`` has purchases, renewals, refunds and upgrades, and doesn't have these changes. A
    /// product that one of the answers lacks hasn't ended, and neither has a subscription that continues with another
    /// product of its group.
    ///
    /// - Parameter former: The last answer with another ``basis-swift.property`` than `.unknown`.
    /// - Returns: The changes in the order of the products. Empty if the basis of an answer is `.unknown`.
    public func changes(since former: StoreEntitlements) -> [StoreEvent] {
        guard basis != .unknown, former.basis != .unknown else { return [] }
        return all.flatMap { entitlement in
            kinds(of: entitlement, since: former[entitlement.productID]).map { StoreEvent($0, of: entitlement) }
        }
    }

    private func kinds(of new: StoreEntitlement, since old: StoreEntitlement?) -> [StoreEvent.Kind] {
        guard let old else { return new.isTrial ? [.trialStarted] : [] }
        var kinds: [StoreEvent.Kind] = []
        if new.isTrial, new.transaction.id != old.transaction.id { kinds.append(.trialStarted) }
        if new.state == .subscribed, !new.isTrial, old.transaction.offer?.isTrial == true,
            new.transaction.originalID == old.transaction.originalID
        {
            kinds.append(.trialConverted)
        }
        if old.isEntitled, new.isEntitled, let now = new.renews, let before = old.renews,
            now != before
        {
            kinds.append(now ? .renewalTurnedOn : .renewalTurnedOff)
        }
        let failed: [SubscriptionState] = [.inGracePeriod, .inBillingRetryPeriod]
        if failed.contains(new.state), old.state == .subscribed { kinds.append(.billingFailed) }
        if new.state == .expired, old.isEntitled || failed.contains(old.state), !hasSuccessor(of: new) {
            kinds.append(.expired)
        }
        return kinds
    }

    /// Whether the customer has access through another product of the entitlement's group.
    private func hasSuccessor(of entitlement: StoreEntitlement) -> Bool {
        entitlement.transaction.facts.subscriptionGroupID.flatMap { subscription(inGroup: $0) }?.isEntitled == true
    }
}

extension StoreEntitlement {
    /// Whether the subscription renews, or its commitment if it has one; `nil` if Apple doesn't say.
    fileprivate var renews: Bool? { renewal?.verified.commitment?.willAutoRenew ?? renewal?.willRenew }
}

extension StoreEvent {
    fileprivate init(_ kind: Kind, of entitlement: StoreEntitlement) {
        let since: Date? =
            switch kind {
            case .expired: entitlement.accessEndDate
            case .billingFailed: entitlement.expirationDate
            case .renewalTurnedOff, .renewalTurnedOn: entitlement.renewal?.verified.signedDate
            default: nil
            }
        self.init(
            kind, since ?? entitlement.transaction.purchaseDate, entitlement.productID,
            entitlement.transaction.signedInfo)
    }
}
