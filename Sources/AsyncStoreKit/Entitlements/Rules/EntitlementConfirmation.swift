import Foundation

/// Whether a read confirms the answer, and whether the device has to be read again.
///
/// What a read lists is given at once, whatever the outcome is. The table in the article *EntitlementRules* lists every
/// case.
struct EntitlementConfirmation: Sendable, Hashable {
    /// What the device lists as the customer's current entitlements.
    enum Listing: Sendable, Hashable, CaseIterable {
        /// No read has ended.
        case none
        /// The read failed.
        case failed
        /// A part of the read failed, or a transaction doesn't verify.
        case partial
        /// A complete read lists nothing.
        case empty
        /// A complete read lists purchases.
        case complete
    }

    /// Who names a purchase that gives access, and that the listing lacks.
    enum Source: Sendable, Hashable, CaseIterable {
        /// The status of a subscription.
        case status
        /// The full history. It gives no access, so the answer lacks the purchase, too.
        case history
        /// The list of unfinished transactions.
        case unfinished
        /// A report of the payment queue.
        case report
        /// An earlier read, or the cache.
        case earlier

        /// Whether the listing may have the purchase a moment later, because the purchase is new.
        var isUsuallyNew: Bool { self == .unfinished || self == .report }
    }

    /// How long reads of this launch have said the same.
    enum Age: Sendable, Hashable, CaseIterable {
        /// This is the first read that says so.
        case first
        /// An earlier read, at least a second ago, said the same.
        case repeated
        /// Reads have said the same for 80 seconds.
        case lasting
    }

    /// What the entitlement cache of earlier launches says.
    enum Cache: Sendable, Hashable, CaseIterable {
        /// There is no cache, or it says something else.
        case none
        /// The cache has the same answer.
        case agrees
        /// The cache can't be read yet, as before the first unlock of the device. It may have purchases.
        case unread
    }

    struct Outcome: Sendable, Hashable {
        /// Whether the answer is confirmed.
        var isConfirmed: Bool
        /// Whether no question is open. Otherwise, the device is read again.
        var isSettled = false
        /// Whether the answer has ``StoreEntitlements/Issue/emptyHistory``.
        var hasIssue = false
    }

    var listing: Listing
    /// Who names purchases that the listing lacks.
    var sources: Set<Source> = []
    /// Whether the full history has been read.
    var isHistoryRead = true
    var age = Age.first
    var cache = Cache.none
    /// Whether the answer gives access to something.
    var givesAccess = false

    var outcome: Outcome {
        switch listing {
        case .none, .failed: return Outcome(isConfirmed: false)
        // The answer has an issue already. It may lack purchases, so it doesn't confirm that there are none.
        case .partial: return Outcome(isConfirmed: givesAccess && sources.isEmpty)
        case .empty, .complete: break
        }
        guard sources.isEmpty else {
            // A new purchase is the reason for the difference at first. Rule one covers a purchase that a complete list
            // no longer has.
            let isExplained = sources.allSatisfy { $0.isUsuallyNew || $0 == .earlier && listing == .complete }
            return Outcome(isConfirmed: age == .lasting, hasIssue: age == .lasting || !isExplained)
        }
        if listing == .complete { return Outcome(isConfirmed: true, isSettled: age != .first || cache == .agrees) }
        // A device that isn't ready lists nothing, too.
        guard isHistoryRead else { return Outcome(isConfirmed: age == .lasting, hasIssue: age == .lasting) }
        let isConfirmed = age == .lasting || age == .repeated && cache != .unread
        return Outcome(isConfirmed: isConfirmed, isSettled: age == .lasting)
    }

    /// Whether a confirmed answer of this launch stays confirmed after this read. Only the history can name a purchase
    /// that the answer lacks.
    var keepsConfirmation: Bool { outcome.isConfirmed || !sources.contains(.history) }
}

/// How long the reads of this launch have said the same.
///
/// A read that failed, or a part of one, changes neither date. It isn't evidence that earlier reads are still right, so
/// it can't prove an agreement. It isn't evidence against them either: if it ended an agreement, one failed read a
/// minute would keep an answer from ever being confirmed.
struct ReadAgreement: Sendable {
    /// When the first complete read that nothing contradicts began.
    private var completeSince: Date?
    /// When reads began to lack what the device names elsewhere.
    private var contradictedSince: Date?

    /// Records a read.
    /// - Parameters:
    ///   - listing: What the read lists.
    ///   - isContradicted: Whether the device names purchases elsewhere that the read lacks.
    ///   - emptySince: When reads began to list nothing.
    ///   - date: When the read began, by the device's clock.
    /// - Returns: How long reads have said the same.
    mutating func readEnded(
        _ listing: EntitlementConfirmation.Listing, isContradicted: Bool, emptySince: Date?, begun date: Date,
        _ timing: EntitlementTiming
    ) -> EntitlementConfirmation.Age {
        if listing == .complete || listing == .empty {
            contradictedSince = isContradicted ? min(contradictedSince ?? date, date) : nil
        }
        if listing == .complete, !isContradicted { completeSince = min(completeSince ?? date, date) }
        let since = isContradicted ? contradictedSince : listing == .complete ? completeSince : emptySince
        guard let seconds = since.map(date.timeIntervalSince) else { return .first }
        if seconds >= timing.contradiction { return .lasting }
        return seconds >= timing.pause(afterUnsettledReads: 1) ? .repeated : .first
    }
}
