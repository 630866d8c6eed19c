import Foundation

/// The evidence about one purchase that gives access, and what follows from it.
///
/// An empty, failed, or partial read never ends access. The table in the article *EntitlementRules* lists every case.
struct EntitlementEvidence: Sendable, Hashable {
    /// What the last read of the device said about the purchase.
    enum Listing: Sendable, Hashable, CaseIterable {
        /// The read lists the purchase as a current entitlement.
        case listed
        /// The read has the purchase as the latest transaction of a subscription status only.
        case named
        /// A complete read lists other purchases only.
        case lacking
        /// The read lists other purchases only, but StoreKit's latest transaction of the product is this purchase. Or
        /// the read lists the purchase, and the status says that the subscription runs with another product.
        case contradicted
        /// The read lists no purchase at all.
        case empty
        /// The read failed, or a part of it, or the purchase doesn't verify.
        case partial
        /// No read has ended since the question arose.
        case notAsked
    }

    /// What the payment queue has reported about the purchase.
    enum Reported: Sendable, Hashable, CaseIterable {
        /// No report that is still used.
        case none
        /// The purchase was reported within the last minutes. The listing may not have it yet.
        case recent
        /// An older report without a signature.
        case outdated
        /// Apple has signed a refund, an upgrade, or the end of family sharing.
        case ended
    }

    /// When the read took place, relative to the end of the paid period.
    enum Period: Sendable, Hashable, CaseIterable {
        /// The purchase has no end.
        case endless
        case running
        /// StoreKit sometimes says "expired" for a moment before it lists a renewal.
        case justEnded
        /// The renewal may still have to be fetched.
        case ended
        /// A renewal would have been listed by now, or Apple has signed that the subscription won't renew.
        case endedForGood
    }

    enum Verdict: Sendable, Hashable {
        /// Access continues, and no question is open.
        case keep
        /// Access continues, and the device has to be read again.
        case askAgain
        /// Access has ended.
        case end
        /// Access has ended. The device has to be read again, because something else that it says disagrees.
        case endAndAskAgain

        var isEnd: Bool { self == .end || self == .endAndAskAgain }
        var asksAgain: Bool { self == .askAgain || self == .endAndAskAgain }
    }

    var listing: Listing
    /// What the subscription's status said in the last read; `unknown` without a status.
    var status = SubscriptionState.unknown
    var report = Reported.none
    var period: Period
    /// The verdict of the last read that decided something, if access has ended.
    var ended: Verdict?
    /// Whether complete reads have lacked the purchase for long enough.
    var hasBeenMissing = false
    /// Whether nothing has confirmed the purchase for longer than unconfirmed access lasts.
    var isOverdue = false
    /// Whether the device has listed nothing for long enough.
    var isEmptyRepeated = false
    /// Whether Apple's latest signature says that the subscription renews.
    var isRenewalExpected = false
    /// Whether Apple has signed something so long after the period that a status with access can't be of now.
    var isStatusOutdated = false

    var verdict: Verdict {
        if report == .ended { return .end }
        switch status {
        // The status and the signed transactions contradict each other. The next read decides.
        case .revoked: return listing != .listed || hasEnded ? .endAndAskAgain : .askAgain
        case .subscribed, .inGracePeriod: return !hasEnded ? .keep : isStatusOutdated ? .endAndAskAgain : .askAgain
        // A renewal that has to be fetched is late: until then the status says that the subscription has expired.
        case .expired where hasEnded: return listing == .listed ? verdictOnListedEnd : verdictOnEnd
        case .expired: return listing == .lacking && hasBeenMissing ? .end : .askAgain
        case .inBillingRetryPeriod: return hasEnded && period != .justEnded ? .end : .askAgain
        default: break
        }
        // A read that says nothing doesn't give ended access back.
        if let lastingEnd, listing == .contradicted || listing == .empty || listing == .partial { return lastingEnd }
        switch listing {
        case .listed: return hasEnded ? verdictOnListedEnd : .keep
        case .named: return hasEnded ? verdictOnEnd : .keep
        case .lacking:
            if report == .recent { return .askAgain }
            if report == .outdated { return .end }
            return hasEnded ? verdictOnEnd : hasBeenMissing ? .end : .askAgain
        // A read that says nothing never settles a question about a period, not even when access ends without an
        // answer. A purchase without an end, or in its period, ends when it is forgotten.
        case .contradicted, .empty:
            guard isOverdue else { return .askAgain }
            return hasEnded ? .endAndAskAgain : isEmptyRepeated ? .end : .askAgain
        case .partial: return isOverdue && hasEnded ? .endAndAskAgain : .askAgain
        case .notAsked: return isOverdue && hasEnded ? .end : hasEnded ? .askAgain : .keep
        }
    }

    private var hasEnded: Bool { period != .endless && period != .running }
    /// The earlier verdict that access has ended. A period that Apple extends continues.
    var lastingEnd: Verdict? { hasEnded ? ended : nil }

    /// The verdict on a read that lists a purchase as current after its period ended: the grace period, or the renewal,
    /// isn't known yet.
    private var verdictOnListedEnd: Verdict { period == .endedForGood ? .endAndAskAgain : .askAgain }

    /// The verdict on a read that began after the period ended, and has no renewal.
    private var verdictOnEnd: Verdict {
        if period != .endedForGood { return .askAgain }
        return isRenewalExpected ? .endAndAskAgain : .end
    }
}
