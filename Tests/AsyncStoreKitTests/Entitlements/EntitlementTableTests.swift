import AppReceipt
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Rule one, about a purchase that is known: the table of evidence row by row, and every combination. The article
/// *EntitlementRules* has the same rows.
@Suite(.bounded) struct EntitlementTableTests {
    typealias Evidence = EntitlementEvidence

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let evidence: Evidence
        let verdict: Evidence.Verdict
    }

    private static func row(
        _ name: String, _ listing: Evidence.Listing, _ period: Evidence.Period, _ verdict: Evidence.Verdict,
        _ change: (inout Evidence) -> Void = { _ in }
    ) -> Row {
        var evidence = Evidence(listing: listing, period: period)
        change(&evidence)
        return Row(testDescription: name, evidence: evidence, verdict: verdict)
    }

    static let rows: [Row] = [
        // Reports.
        row("a refund, whatever is listed", .listed, .running, .end) { $0.report = .ended },
        row("a refund, whatever the status says", .listed, .running, .end) {
            ($0.report, $0.status) = (.ended, .subscribed)
        },
        row("a purchase that was just reported, and isn't listed yet", .lacking, .endless, .askAgain) {
            ($0.report, $0.hasBeenMissing) = (.recent, true)
        },
        row("an unsigned report of long ago that a complete list lacks", .lacking, .running, .end) {
            $0.report = .outdated
        },
        // Statuses.
        row("a status that says revoked, without a signed revocation", .named, .running, .endAndAskAgain) {
            $0.status = .revoked
        },
        row("a status that says revoked in a read that lists the purchase", .listed, .running, .askAgain) {
            $0.status = .revoked
        },
        row("a status that says revoked, after the end", .listed, .ended, .endAndAskAgain) { $0.status = .revoked },
        row("a status that says subscribed", .empty, .running, .keep) { $0.status = .subscribed },
        row("a status that says subscribed, after the end", .lacking, .endedForGood, .askAgain) {
            $0.status = .subscribed
        },
        row("a status that says grace period, after the end", .empty, .endedForGood, .askAgain) {
            $0.status = .inGracePeriod
        },
        row("a status that says expired, before the end", .listed, .running, .askAgain) { $0.status = .expired },
        row("a status that says expired, before the end, and lists that lack the purchase", .lacking, .running, .end) {
            ($0.status, $0.hasBeenMissing) = (.expired, true)
        },
        row("a status that says expired, at the end", .empty, .justEnded, .askAgain) { $0.status = .expired },
        row("a status that says expired, and a renewal may be late", .empty, .ended, .askAgain) {
            $0.status = .expired
        },
        row("a status that says expired, and no renewal is to come", .empty, .endedForGood, .end) {
            $0.status = .expired
        },
        row("a status that says billing retry, at the end", .empty, .justEnded, .askAgain) {
            $0.status = .inBillingRetryPeriod
        },
        row("a status that says billing retry", .empty, .ended, .end) { $0.status = .inBillingRetryPeriod },
        // Complete reads.
        row("a lifetime purchase that is listed", .listed, .endless, .keep),
        row("a period that is listed and runs", .listed, .running, .keep),
        row("a period that has just ended", .listed, .justEnded, .askAgain),
        row("a period that has ended, and a renewal may be late", .listed, .ended, .askAgain),
        row("a period whose end is final, and is listed as current", .listed, .endedForGood, .endAndAskAgain),
        row(
            "a period whose end is final, of a subscription that only its status has", .named, .endedForGood, .end),
        row("a status that says expired in a read that lists the purchase", .listed, .endedForGood, .endAndAskAgain) {
            $0.status = .expired
        },
        row(
            "a period whose end is final, and a renewal that Apple has announced", .named, .endedForGood,
            .endAndAskAgain
        ) {
            $0.isRenewalExpected = true
        },
        row("a period that runs, of a subscription that only its status has", .named, .running, .keep),
        row("a purchase that a list lacks", .lacking, .endless, .askAgain),
        row("a purchase that lists have lacked for two seconds", .lacking, .endless, .end) { $0.hasBeenMissing = true },
        row("a period that a list lacks, and a renewal may be late", .lacking, .ended, .askAgain) {
            $0.hasBeenMissing = true
        },
        row("a period that a list lacks, and that has ended for good", .lacking, .endedForGood, .end),
        row("a purchase that the device still knows as the latest", .contradicted, .running, .askAgain) {
            $0.hasBeenMissing = true
        },
        // Reads that decide nothing.
        row("an empty list", .empty, .endless, .askAgain) { $0.hasBeenMissing = true },
        row("an empty list, after the end", .empty, .endedForGood, .askAgain),
        row("an empty list, a month after the last confirmation", .empty, .endless, .askAgain) { $0.isOverdue = true },
        row("empty lists again and again, a month after the last confirmation", .empty, .endless, .end) {
            ($0.isOverdue, $0.isEmptyRepeated) = (true, true)
        },
        row("empty lists again and again", .empty, .endless, .askAgain) { $0.isEmptyRepeated = true },
        row("an empty list, after the end and a month after the last confirmation", .empty, .ended, .endAndAskAgain) {
            $0.isOverdue = true
        },
        row("a failed read, or a part of a list", .partial, .endless, .askAgain) {
            ($0.hasBeenMissing, $0.isOverdue) = (true, true)
        },
        row("a failed read, or a part of a list, after the end", .partial, .endedForGood, .askAgain),
        row("a failed read, or a part of a list, after access has ended", .partial, .endedForGood, .end) {
            $0.ended = .end
        },
        row("an empty list, after access has ended", .empty, .endedForGood, .end) { $0.ended = .end },
        row("a part of a list with a period that was extended", .partial, .running, .askAgain) { $0.ended = .end },
        row(
            "a failed read, or a part of a list, after the end and a month after the last confirmation", .partial,
            .ended,
            .endAndAskAgain
        ) {
            $0.isOverdue = true
        },
        row("no read since, before the end", .notAsked, .running, .keep),
        row("no read since the end", .notAsked, .endedForGood, .askAgain),
        row("no read since the end, a month after the last confirmation", .notAsked, .ended, .end) {
            $0.isOverdue = true
        },
    ]

    @Test(arguments: rows) func `the evidence decides`(row: Row) {
        expectEqual(row.evidence.verdict, row.verdict)
    }

    private static let statuses: [SubscriptionState] = [
        .subscribed, .inGracePeriod, .inBillingRetryPeriod, .expired, .revoked, .unknown,
    ]

    /// Every combination.
    private static let all: [Evidence] = {
        var all: [Evidence] = []
        for listing in Evidence.Listing.allCases {
            for status in statuses {
                for report in Evidence.Reported.allCases {
                    for period in Evidence.Period.allCases {
                        for flags in 0..<48 {
                            all.append(
                                Evidence(
                                    listing: listing, status: status, report: report, period: period,
                                    ended: [nil, .end, .endAndAskAgain][flags / 16],
                                    hasBeenMissing: flags & 1 > 0, isOverdue: flags & 2 > 0,
                                    isEmptyRepeated: flags & 4 > 0, isRenewalExpected: flags & 8 > 0))
                        }
                    }
                }
            }
        }
        return all
    }()

    @Test func `access ends only by evidence, and every disagreement is asked about, in every combination`() {
        expectEqual(Self.all.count, 40_320)
        for evidence in Self.all {
            if let violation = Self.violation(evidence) {
                Issue.record("\(violation): \(evidence) is \(evidence.verdict)")
                return
            }
        }
    }

    private static func violation(_ evidence: Evidence) -> String? {
        let verdict = evidence.verdict
        let hasEnded = ![.endless, .running].contains(evidence.period)
        let saysNothing = [.empty, .contradicted, .partial].contains(evidence.listing)
        if evidence.report == .ended { return verdict == .end ? nil : "what Apple has signed ends access" }
        if let ended = evidence.ended {
            var other = evidence
            other.ended = nil
            let lasts = hasEnded && saysNothing && evidence.status == .unknown
            return verdict == (lasts ? ended : other.verdict) ? nil : "a read that says something decides again"
        }
        if [.subscribed, .inGracePeriod].contains(evidence.status) {
            return verdict == (hasEnded ? .askAgain : .keep) ? nil : "a status that gives access outweighs the rest"
        }
        if hasEnded, verdict == .keep { return "access after its end is asked about" }
        if evidence.status == .unknown, !evidence.isOverdue, verdict.isEnd,
            [.empty, .partial, .notAsked, .contradicted].contains(evidence.listing)
        {
            return "a read that says nothing ends no access"
        }
        let isAbandoned =
            !hasEnded && [.empty, .contradicted].contains(evidence.listing) && evidence.isOverdue
            && evidence.isEmptyRepeated
        if !hasEnded, verdict.isEnd {
            let isRevoked = evidence.status == .revoked && evidence.listing != .listed
            let isMissing =
                evidence.listing == .lacking
                && (evidence.hasBeenMissing && evidence.report != .recent || evidence.report == .outdated
                    || evidence.hasBeenMissing && evidence.status == .expired)
            if !isRevoked, !isMissing, !isAbandoned { return "access ends before the end of its period" }
        }
        if hasEnded, verdict.isEnd, evidence.period != .endedForGood, !evidence.isOverdue,
            ![.revoked, .inBillingRetryPeriod].contains(evidence.status), evidence.report != .outdated
        {
            return "a renewal may be late"
        }
        if verdict.isEnd, evidence.period == .justEnded, evidence.status == .inBillingRetryPeriod {
            return "a status may be late"
        }
        let disagrees =
            evidence.status == .revoked
            || evidence.status == .expired && !hasEnded
            || evidence.period == .endedForGood && evidence.status == .unknown
                && (evidence.listing == .listed || evidence.isRenewalExpected && evidence.listing == .named)
        let isResolved = evidence.status == .expired && evidence.listing == .lacking && evidence.hasBeenMissing
        if disagrees, !isResolved, !verdict.asksAgain { return "a disagreement is asked about" }
        if evidence.status == .unknown, saysNothing, !isAbandoned, !verdict.asksAgain {
            return "a read that says nothing settles nothing"
        }
        if verdict == .endAndAskAgain, evidence.status != .revoked, !evidence.isRenewalExpected,
            evidence.listing != .listed, !saysNothing
        {
            return "access that has ended is asked about only if something disagrees"
        }
        if verdict == .askAgain, !hasEnded, [.listed, .named].contains(evidence.listing),
            evidence.status == .unknown
        {
            return "a listed purchase leaves no question open"
        }
        return nil
    }
}
