import Foundation

/// The evidence about one purchase that gives access, and what follows from it.
///
/// An empty, failed, or partial read never ends access. The table
/// in the article *Entitlements* lists every case.
struct EntitlementEvidence: Sendable, Hashable {
    /// What the last read of the device said about the purchase.
    enum Listing: Sendable, Hashable, CaseIterable {
        /// A complete read lists the purchase.
        case listed
        /// A complete read lists other purchases only.
        case lacking
        /// The read lists other purchases only, but StoreKit's latest transaction of the product is this purchase.
        case contradicted
        /// The read lists no purchase at all.
        case empty
        /// A part of the read failed, or the purchase doesn't verify.
        case partial
        /// The read failed.
        case failed
        /// No read has ended since the question arose.
        case notAsked
    }

    /// What the subscription's status said in the last read.
    enum Status: Sendable, Hashable, CaseIterable {
        case subscribed, inGracePeriod, inBillingRetry, expired, revoked
        /// There is no status, or it couldn't be read.
        case unknown
    }

    /// What the payment queue has reported about the purchase.
    enum Report: Sendable, Hashable, CaseIterable {
        /// No report that still counts.
        case none
        /// The purchase was reported within the last minutes. The listing may not have it yet.
        case recent
        /// A report without a signature, which counted for a while.
        case outdated
        /// A refund, an upgrade, or the end of family sharing.
        case withdrawn
    }

    /// When the read took place, relative to the end of the paid period.
    enum Period: Sendable, Hashable, CaseIterable {
        /// The purchase has no end.
        case endless
        case running
        /// StoreKit has been seen to say "expired" for a moment before it lists a renewal.
        case justEnded
        /// The renewal may still have to be fetched.
        case ended
        /// A renewal would have been listed by now, or Apple has signed that the subscription won't renew.
        case endedForGood
    }

    enum Verdict: Sendable, Hashable {
        /// Access continues, and nothing is in doubt.
        case keep
        /// Access continues, and the device has to be read again.
        case askAgain
        /// Access has ended.
        case end
    }

    var listing: Listing
    var status = Status.unknown
    var report = Report.none
    var period: Period
    /// Whether complete reads have lacked the purchase for long enough.
    var hasBeenMissing = false
    /// Whether nothing has confirmed the purchase for longer than unconfirmed access lasts.
    var isOverdue = false
    /// Whether the device has listed nothing for long enough.
    var isEmptyRepeated = false

    var verdict: Verdict {
        if report == .withdrawn || status == .revoked { return .end }
        switch status {
        case .subscribed, .inGracePeriod: return hasEnded ? .askAgain : .keep
        // A renewal that has to be fetched is late: until then the status says that the subscription has expired.
        case .expired where hasEnded: return verdictOnEnd
        case .expired: return listing == .lacking && hasBeenMissing ? .end : .askAgain
        case .inBillingRetry: return period == .running || period == .justEnded ? .askAgain : .end
        case .unknown, .revoked: break
        }
        switch listing {
        case .listed: return hasEnded ? verdictOnEnd : .keep
        case .lacking:
            if report == .recent { return .askAgain }
            if report == .outdated { return .end }
            return hasEnded ? verdictOnEnd : hasBeenMissing ? .end : .askAgain
        case .contradicted, .empty: return isOverdue && (hasEnded || isEmptyRepeated) ? .end : .askAgain
        case .partial, .failed: return isOverdue && hasEnded ? .end : .askAgain
        case .notAsked: return isOverdue && hasEnded ? .end : hasEnded ? .askAgain : .keep
        }
    }

    private var hasEnded: Bool { period != .endless && period != .running }

    /// The verdict on a read that began after the period ended, and has no renewal.
    private var verdictOnEnd: Verdict { period == .endedForGood ? .end : .askAgain }
}
