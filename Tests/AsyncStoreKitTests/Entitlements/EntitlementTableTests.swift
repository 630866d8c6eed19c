import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The table of evidence, row by row. The article *Entitlements* has the same rows.
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
        row("a refund, whatever is listed", .listed, .running, .end) { $0.report = .withdrawn },
        row("a refund, whatever the status says", .listed, .running, .end) {
            ($0.report, $0.status) = (.withdrawn, .subscribed)
        },
        row("a purchase that was just reported, and isn't listed yet", .lacking, .endless, .askAgain) {
            ($0.report, $0.hasBeenMissing) = (.recent, true)
        },
        row("an unsigned report of long ago that a complete list lacks", .lacking, .running, .end) {
            $0.report = .outdated
        },
        // Statuses.
        row("a status that says revoked", .listed, .running, .end) { $0.status = .revoked },
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
            $0.status = .inBillingRetry
        },
        row("a status that says billing retry", .empty, .ended, .end) { $0.status = .inBillingRetry },
        // Complete reads.
        row("a lifetime purchase that is listed", .listed, .endless, .keep),
        row("a period that is listed and runs", .listed, .running, .keep),
        row("a period that has just ended", .listed, .justEnded, .askAgain),
        row("a period that has ended, and a renewal may be late", .listed, .ended, .askAgain),
        row("a period that has ended for good", .listed, .endedForGood, .end),
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
        row("an empty list, after the end and a month after the last confirmation", .empty, .ended, .end) {
            $0.isOverdue = true
        },
        row("a part of a list", .partial, .endless, .askAgain) { ($0.hasBeenMissing, $0.isOverdue) = (true, true) },
        row("a part of a list, after the end", .partial, .endedForGood, .askAgain),
        row("a part of a list, after the end and a month after the last confirmation", .partial, .ended, .end) {
            $0.isOverdue = true
        },
        row("a failed read", .failed, .endless, .askAgain) { $0.isOverdue = true },
        row("a failed read, after the end", .failed, .endedForGood, .askAgain),
        row("a failed read, after the end and a month after the last confirmation", .failed, .ended, .end) {
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

    @Test func `a read that decides nothing never ends confirmed access`() {
        for listing in [Evidence.Listing.empty, .partial, .failed, .notAsked, .contradicted] {
            for period in Evidence.Period.allCases {
                for report in [Evidence.Report.none, .recent, .outdated] {
                    for isTrue in [true, false] {
                        var evidence = Evidence(listing: listing, report: report, period: period)
                        (evidence.hasBeenMissing, evidence.isEmptyRepeated) = (isTrue, !isTrue)
                        #expect(evidence.verdict != .end, "\(evidence)")
                    }
                }
            }
        }
    }

    @Test func `access that continues after its end causes another read`() {
        for listing in Evidence.Listing.allCases {
            for status in Evidence.Status.allCases {
                for period in [Evidence.Period.justEnded, .ended, .endedForGood] {
                    #expect(Evidence(listing: listing, status: status, period: period).verdict != .keep)
                }
            }
        }
    }
}
