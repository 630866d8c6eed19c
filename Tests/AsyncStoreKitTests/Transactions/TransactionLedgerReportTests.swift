import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// What a report does to an entry, for every holder and every state.
@Suite(.bounded) struct TransactionLedgerReportTests {
    private static let start = Date(timeIntervalSince1970: 1_000)
    private static let later = Date(timeIntervalSince1970: 2_000)

    struct Case: Sendable, CustomStringConvertible {
        var before: StoreTransaction.State
        var holder: TransactionLedger.Holder
        var report: StoreTransaction.State
        var arrival: TransactionLedger.Arrival
        var keepsState = false
        var holderAfter: TransactionLedger.Holder?

        var description: String { "\(before) in the hands \(holder), reported \(report)" }
    }

    private static let undecided: [StoreTransaction.State] = [.purchasing, .deferred]
    private static let paid: [StoreTransaction.State] = [.purchased, .restored]
    private static let inHands: [TransactionLedger.Holder] = [.offered, .handedOver, .delivering, .owed]

    /// Every state against every state, in progress.
    private static let inProgress = StoreTransaction.State.allCases.flatMap { before in
        StoreTransaction.State.allCases.map { report in
            let rank: (StoreTransaction.State) -> Int = { paid.contains($0) ? 2 : $0 == .failed ? 1 : 0 }
            let isEarlier = rank(report) < rank(before)
            return Case(
                before: before, holder: .inProgress, report: report,
                arrival: isEarlier || before == report ? .repetition : .news, keepsState: isEarlier)
        }
    }

    /// Something paid for, in somebody's hands, against every state.
    private static let held = inHands.flatMap { holder in
        paid.flatMap { before in
            StoreTransaction.State.allCases.map { report in
                Case(before: before, holder: holder, report: report, arrival: .repetition, keepsState: !paid.contains(report))
            }
        }
    }

    private static let finished: [Case] = [
        Case(before: .purchased, holder: .finished, report: .purchased, arrival: .finishAgain),
        Case(before: .purchased, holder: .finished, report: .restored, arrival: .finishAgain),
        Case(before: .restored, holder: .finished, report: .restored, arrival: .finishAgain),
        Case(before: .purchased, holder: .finished, report: .purchasing, arrival: .repetition, keepsState: true),
        Case(before: .purchased, holder: .finished, report: .deferred, arrival: .repetition, keepsState: true),
        Case(before: .purchased, holder: .finished, report: .failed, arrival: .repetition, keepsState: true),
        Case(before: .failed, holder: .finished, report: .failed, arrival: .finishAgain),
        Case(before: .failed, holder: .finished, report: .purchasing, arrival: .repetition, keepsState: true),
        Case(before: .failed, holder: .finished, report: .deferred, arrival: .repetition, keepsState: true),
        Case(before: .failed, holder: .finished, report: .purchased, arrival: .news, holderAfter: .inProgress),
        Case(before: .failed, holder: .finished, report: .restored, arrival: .news, holderAfter: .inProgress),
    ]

    @Test(arguments: inProgress + held + finished)
    func `a report is told from what was reported before, and takes no outcome back`(testCase: Case) throws {
        var ledger = TransactionLedger()
        #expect(ledger.report(.entry(1, testCase.before), now: Self.start) == .news)
        ledger.hand(.entry(1), to: testCase.holder, now: Self.start)

        let arrival = ledger.report(.entry(1, testCase.report), now: Self.later)
        let entry = try #require(ledger[.entry(1)])
        #expect(arrival == testCase.arrival)
        #expect(entry.transaction.state == (testCase.keepsState ? testCase.before : testCase.report))
        #expect(entry.holder == testCase.holderAfter ?? testCase.holder)
        #expect(entry.since == Self.start, "it has been in these hands since then")
    }

    @Test(arguments: StoreTransaction.State.allCases)
    func `what was never reported is news, in nobody's hands yet`(state: StoreTransaction.State) throws {
        var ledger = TransactionLedger()
        #expect(ledger.report(.entry(1, state), now: Self.start) == .news)
        let entry = try #require(ledger[.entry(1)])
        #expect(entry.transaction == .entry(1, state))
        #expect(entry.holder == .inProgress)
        #expect(entry.since == Self.start)
        #expect(entry.pending == nil)
    }

    @Test func `a purchase that follows its failure is news, whatever was seen in between`() {
        for between in [nil, StoreTransaction.State.purchasing, .deferred, .failed] {
            var ledger = TransactionLedger()
            _ = ledger.report(.entry(1, .failed), now: Self.start)
            #expect(ledger.finish(.entry(1), newest: .entry(1)) == .finish)
            if let between { _ = ledger.report(.entry(1, between), now: Self.start) }
            #expect(ledger.report(.entry(1, .purchased), now: Self.start) == .news)
            #expect(ledger.finish(.entry(1), newest: .entry(1)) == .finish, "it is finished a second time, as a purchase")
        }
    }

    @Test func `a removed entry is news when it comes again`() {
        var ledger = TransactionLedger()
        _ = ledger.report(.entry(1, .purchased), now: Self.start)
        ledger.remove(.entry(1))
        #expect(ledger[.entry(1)] == nil)
        #expect(ledger.report(.entry(1, .purchased), now: Self.start) == .news)
    }

    @Test func `entries are told apart by their tokens only`() {
        var ledger = TransactionLedger()
        var twin = StoreTransaction.entry(2, .purchased)
        twin.transactionID = "paid-1"
        #expect(ledger.report(.entry(1, .purchased), now: Self.start) == .news)
        #expect(ledger.report(twin, now: Self.start) == .news)
        #expect(ledger.entries.count == 2)
    }
}

// Hosted content.
extension TransactionLedgerReportTests {
    private func delivered() -> TransactionLedger {
        var ledger = TransactionLedger()
        _ = ledger.report(.entry(1, .purchased, hasUnfinishedDownloads: true), now: Self.start)
        ledger.hand(.entry(1), to: .delivering, now: Self.start)
        _ = ledger.delivered(.entry(1))
        return ledger
    }

    @Test func `what is delivered waits for its downloads`() {
        var ledger = delivered()
        #expect(ledger[.entry(1)]?.holder == .delivered)
        #expect(ledger.report(.entry(1, .purchased, hasUnfinishedDownloads: true), now: Self.later) == .repetition)
        #expect(ledger[.entry(1)]?.holder == .delivered)
    }

    @Test func `what is delivered is complete when its downloads have ended, once`() {
        var ledger = delivered()
        #expect(ledger.report(.entry(1, .purchased), now: Self.later) == .complete)
        #expect(ledger[.entry(1)]?.holder == .finished)
        #expect(ledger.report(.entry(1, .purchased), now: Self.later) == .finishAgain)
    }

    @Test(arguments: [StoreTransaction.State.purchasing, .deferred, .failed])
    func `a stale report does not pass for the end of the downloads`(state: StoreTransaction.State) {
        var ledger = delivered()
        #expect(ledger.report(.entry(1, state), now: Self.later) == .repetition)
        #expect(ledger[.entry(1)]?.holder == .delivered)
        #expect(ledger[.entry(1)]?.transaction.hasUnfinishedDownloads == true)
    }

    @Test func `downloads that end before the delivery does leave nothing to wait for`() {
        var ledger = TransactionLedger()
        _ = ledger.report(.entry(1, .purchased, hasUnfinishedDownloads: true), now: Self.start)
        ledger.hand(.entry(1), to: .delivering, now: Self.start)
        #expect(ledger.report(.entry(1, .purchased), now: Self.later) == .repetition)
        #expect(ledger.delivered(.entry(1)) == true)
        #expect(ledger[.entry(1)]?.holder == .finished)
    }
}
