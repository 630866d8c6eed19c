import TestHarness
import Testing

@testable import AsyncStoreKit

/// Rule two, about unknown purchases: the table row by row, and every combination. The article *EntitlementRules* has
/// the same rows.
@Suite(.bounded) struct EntitlementConfirmationTests {
    typealias Confirmation = EntitlementConfirmation

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let confirmation: Confirmation
        let outcome: Confirmation.Outcome
    }

    private static func row(
        _ name: String, _ listing: Confirmation.Listing, _ outcome: Confirmation.Outcome,
        _ change: (inout Confirmation) -> Void = { _ in }
    ) -> Row {
        var confirmation = Confirmation(listing: listing)
        change(&confirmation)
        return Row(testDescription: name, confirmation: confirmation, outcome: outcome)
    }

    private static let open = Confirmation.Outcome(isConfirmed: false)
    private static let openWithIssue = Confirmation.Outcome(isConfirmed: false, hasIssue: true)
    private static let confirmed = Confirmation.Outcome(isConfirmed: true)
    private static let confirmedWithIssue = Confirmation.Outcome(isConfirmed: true, hasIssue: true)
    private static let settled = Confirmation.Outcome(isConfirmed: true, isSettled: true)

    static let rows: [Row] = [
        row("no read", .none, open),
        row("a failed read", .failed, open) { $0.age = .lasting },
        row("a part of a list that gives access", .partial, confirmed) { $0.givesAccess = true },
        row("a part of a list that gives no access", .partial, open) { $0.age = .lasting },
        row("a part of a list that lacks what a status names", .partial, open) {
            ($0.givesAccess, $0.sources, $0.age) = (true, [.status], .lasting)
        },
        row("an empty list", .empty, open),
        row("an empty list, and the same answer in the cache", .empty, open) { $0.cache = .agrees },
        row("a second empty list", .empty, confirmed) { $0.age = .repeated },
        row("a second empty list, and a cache that can't be read yet", .empty, open) {
            ($0.age, $0.cache) = (.repeated, .unread)
        },
        row("a second empty list, before the history is read", .empty, open) {
            ($0.age, $0.isHistoryRead) = (.repeated, false)
        },
        row("empty lists for 80 seconds", .empty, settled) { $0.age = .lasting },
        row("empty lists for 80 seconds, and a cache that can't be read yet", .empty, settled) {
            ($0.age, $0.cache) = (.lasting, .unread)
        },
        row("empty lists for 80 seconds, before the history is read", .empty, confirmedWithIssue) {
            ($0.age, $0.isHistoryRead) = (.lasting, false)
        },
        row("empty lists, and a purchase in the history", .empty, openWithIssue) {
            ($0.age, $0.sources) = (.repeated, [.history])
        },
        row("empty lists, and a subscription that its status names", .empty, openWithIssue) { $0.sources = [.status] },
        row("empty lists, and a purchase that an earlier read had", .empty, openWithIssue) { $0.sources = [.earlier] },
        row("an empty list right after a purchase", .empty, open) { $0.sources = [.report, .unfinished] },
        row("empty lists for 80 seconds after a purchase", .empty, confirmedWithIssue) {
            ($0.age, $0.sources) = (.lasting, [.report])
        },
        row("empty lists for 80 seconds, and a purchase in the history", .empty, confirmedWithIssue) {
            ($0.age, $0.sources) = (.lasting, [.history])
        },
        row("the first complete list of a launch", .complete, confirmed) { $0.givesAccess = true },
        row("the first complete list of a launch, as in the cache", .complete, settled) { $0.cache = .agrees },
        row("the first complete list, before the cache can be read", .complete, confirmed) { $0.cache = .unread },
        row("a second complete list", .complete, settled) { $0.age = .repeated },
        row("a complete list that lacks what the history names", .complete, openWithIssue) {
            $0.sources = [.history]
        },
        row("a complete list that lacks a new purchase", .complete, open) { $0.sources = [.unfinished] },
        row("a complete list that lacks a new and an older purchase", .complete, open) {
            $0.sources = [.unfinished, .earlier]
        },
        row("an empty list right after a purchase of a customer who owned another product", .empty, openWithIssue) {
            $0.sources = [.report, .earlier]
        },
        row("complete lists that lack what the history names for 80 seconds", .complete, confirmedWithIssue) {
            ($0.age, $0.sources) = (.lasting, [.history])
        },
    ]

    @Test(arguments: rows) func `the read decides whether the answer is confirmed`(row: Row) {
        expectEqual(row.confirmation.outcome, row.outcome)
    }

    /// Every combination.
    private static let all: [Confirmation] = {
        let sources = (0..<32).map { bits in
            Set(Confirmation.Source.allCases.enumerated().filter { bits & 1 << $0.offset > 0 }.map(\.element))
        }
        var all: [Confirmation] = []
        for listing in Confirmation.Listing.allCases {
            for sources in sources {
                for age in Confirmation.Age.allCases {
                    for cache in Confirmation.Cache.allCases {
                        for flags in 0..<4 {
                            all.append(
                                Confirmation(
                                    listing: listing, sources: sources, isHistoryRead: flags & 1 > 0, age: age,
                                    cache: cache, givesAccess: flags & 2 > 0))
                        }
                    }
                }
            }
        }
        return all
    }()

    @Test func `nothing is confirmed against what the device says, and everything is in the end, in every combination`()
    {
        expectEqual(Self.all.count, 5_760)
        for confirmation in Self.all {
            if let violation = Self.violation(confirmation) {
                Issue.record("\(violation): \(confirmation) is \(confirmation.outcome)")
                return
            }
        }
    }

    private static func violation(_ confirmation: Confirmation) -> String? {
        let outcome = confirmation.outcome
        let isWhole = confirmation.listing == .empty || confirmation.listing == .complete
        if !isWhole, confirmation.listing != .partial, outcome.isConfirmed { return "no answer confirms nothing" }
        if !confirmation.sources.isEmpty, outcome.isConfirmed, confirmation.age != .lasting || !outcome.hasIssue {
            return "an answer is confirmed while the device contradicts it"
        }
        if confirmation.listing == .partial, outcome.isConfirmed, !confirmation.givesAccess {
            return "a part of a list confirms that there is nothing"
        }
        if confirmation.listing == .empty, confirmation.age == .first, outcome.isConfirmed {
            return "one empty list confirms an answer"
        }
        if confirmation.listing == .empty, !confirmation.isHistoryRead, outcome.isConfirmed, !outcome.hasIssue {
            return "an empty list is confirmed before the history is read"
        }
        if isWhole, confirmation.age == .lasting, !outcome.isConfirmed { return "a question stays open" }
        if outcome.isSettled, !outcome.isConfirmed || outcome.hasIssue || !confirmation.sources.isEmpty {
            return "an open question is settled"
        }
        if isWhole, confirmation.sources.isEmpty, confirmation.isHistoryRead, confirmation.age == .lasting,
            !outcome.isSettled
        {
            return "the device is read forever"
        }
        if outcome.isSettled, confirmation.age == .first, confirmation.cache != .agrees {
            return "the first answer of a launch isn't repeated"
        }
        if confirmation.listing == .complete, confirmation.sources.isEmpty, !outcome.isConfirmed || outcome.hasIssue {
            return "a list that nothing contradicts isn't confirmed"
        }
        for source in Confirmation.Source.allCases {
            var more = confirmation
            more.sources.insert(source)
            if more.outcome.isConfirmed, !outcome.isConfirmed { return "a contradiction confirms an answer" }
        }
        if confirmation.keepsConfirmation != (outcome.isConfirmed || !confirmation.sources.contains(.history)) {
            return "only the history reverts a confirmation"
        }
        return nil
    }
}
