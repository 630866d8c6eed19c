import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The effect of a report on an entry, for every state of the entry and of the transaction.
@Suite(.bounded) struct UnfinishedTransactionsReportTests {
    private static let start = Date(timeIntervalSince1970: 1_000)
    private static let later = Date(timeIntervalSince1970: 2_000)

    struct Case: Sendable, CustomStringConvertible {
        var before: StoreTransaction.State
        var state: UnfinishedTransactions.State
        var report: StoreTransaction.State
        var arrival: UnfinishedTransactions.Arrival
        var keepsState = false
        var stateAfter: UnfinishedTransactions.State?

        var description: String { "\(before) and \(state), reported \(report)" }
    }

    private static let undecided: [StoreTransaction.State] = [.purchasing, .deferred]
    private static let paid: [StoreTransaction.State] = [.purchased, .restored]
    private static let active: [UnfinishedTransactions.State] = [.offered, .withCaller, .delivering, .retrying]

    /// Every state against every state, in progress.
    private static let inProgress = StoreTransaction.State.allCases.flatMap { before in
        StoreTransaction.State.allCases.map { report in
            let rank: (StoreTransaction.State) -> Int = { paid.contains($0) ? 2 : $0 == .failed ? 1 : 0 }
            let isEarlier = rank(report) < rank(before)
            return Case(
                before: before, state: .open, report: report,
                arrival: isEarlier || before == report || paid.contains(before) ? .duplicate : .new,
                keepsState: isEarlier)
        }
    }

    /// A paid transaction that the app has or gets, against every state.
    private static let paidFor = active.flatMap { state in
        paid.flatMap { before in
            StoreTransaction.State.allCases.map { report in
                Case(
                    before: before, state: state, report: report, arrival: .duplicate,
                    keepsState: !paid.contains(report))
            }
        }
    }

    private static let finished: [Case] = [
        Case(before: .purchased, state: .finished, report: .purchased, arrival: .finishAgain),
        Case(before: .purchased, state: .finished, report: .restored, arrival: .finishAgain),
        Case(before: .restored, state: .finished, report: .restored, arrival: .finishAgain),
        Case(before: .purchased, state: .finished, report: .purchasing, arrival: .duplicate, keepsState: true),
        Case(before: .purchased, state: .finished, report: .deferred, arrival: .duplicate, keepsState: true),
        Case(before: .purchased, state: .finished, report: .failed, arrival: .duplicate, keepsState: true),
        Case(before: .failed, state: .finished, report: .failed, arrival: .finishAgain),
        Case(before: .failed, state: .finished, report: .purchasing, arrival: .duplicate, keepsState: true),
        Case(before: .failed, state: .finished, report: .deferred, arrival: .duplicate, keepsState: true),
        Case(before: .failed, state: .finished, report: .purchased, arrival: .new, stateAfter: .open),
        Case(before: .failed, state: .finished, report: .restored, arrival: .new, stateAfter: .open),
    ]

    @Test(arguments: inProgress + paidFor + finished)
    func `a report is compared with earlier ones, and never reverts an outcome`(testCase: Case) throws {
        var ledger = UnfinishedTransactions()
        expectEqual(ledger.report(.entry(1, testCase.before), now: Self.start), .new)
        ledger.setState(testCase.state, of: .entry(1), now: Self.start)

        let arrival = ledger.report(.entry(1, testCase.report), now: Self.later)
        let entry = try #require(ledger[.entry(1)])
        expectEqual(arrival, testCase.arrival)
        expectEqual(entry.transaction.state, (testCase.keepsState ? testCase.before : testCase.report))
        expectEqual(entry.state, testCase.stateAfter ?? testCase.state)
        expectEqual(entry.since, Self.start, "the entry has been in this state since then")
    }

    @Test(arguments: StoreTransaction.State.allCases)
    func `a transaction that was never reported is new, and open`(state: StoreTransaction.State) throws {
        var ledger = UnfinishedTransactions()
        expectEqual(ledger.report(.entry(1, state), now: Self.start), .new)
        let entry = try #require(ledger[.entry(1)])
        expectEqual(entry.transaction, .entry(1, state))
        expectEqual(entry.state, .open)
        expectEqual(entry.since, Self.start)
        expectEqual(entry.pending, nil)
    }

    @Test func `a purchase that follows its failure is new, after any reports in between`() {
        for between in [nil, StoreTransaction.State.purchasing, .deferred, .failed] {
            var ledger = UnfinishedTransactions()
            _ = ledger.report(.entry(1, .failed), now: Self.start)
            expectEqual(ledger.finish(.entry(1)), .finish)
            if let between { _ = ledger.report(.entry(1, between), now: Self.start) }
            expectEqual(ledger.report(.entry(1, .purchased), now: Self.start), .new)
            expectEqual(
                ledger.finish(.entry(1)), .finish,
                "the transaction is finished a second time, as a purchase")
        }
    }

    @Test func `a removed entry is new when it is reported again`() {
        var ledger = UnfinishedTransactions()
        _ = ledger.report(.entry(1, .purchased), now: Self.start)
        ledger.remove(.entry(1))
        #expect(ledger[.entry(1)] == nil)
        expectEqual(ledger.report(.entry(1, .purchased), now: Self.start), .new)
    }

    @Test func `the newest thousand delivered purchases are remembered, and no more`() {
        var ledger = UnfinishedTransactions()
        func purchase(_ serial: UInt64) -> StoreTransaction { .entry(serial, .purchased) }
        for serial in 1...3_000 as ClosedRange<UInt64> {
            _ = ledger.report(purchase(serial), now: Self.start)
            ledger.setState(.delivering, of: .entry(serial), now: Self.start)
            expectEqual(ledger.delivered(.entry(serial)), true)
            ledger.remove(.entry(serial))
        }
        // The actor takes them after every input.
        _ = ledger.takeDeliveryEnds()
        #expect(remembered(by: ledger) < 3 * UnfinishedTransactions.limit + 100)
        #expect(ledger.wasDelivered(purchase(3_000)) && ledger.wasDelivered(purchase(2_001)))
        #expect(!ledger.wasDelivered(purchase(1_000)))
    }

    /// How the entries of a purchase can leave.
    enum Leaving: CaseIterable {
        case finishedElsewhere, unlisted, finishedAfterwards, unlistedAndFinished, duringDelivery, inTwoDeliveries,
            paidLater
        case handedOverAfterwards, again
    }

    @Test(arguments: Leaving.allCases)
    func `a purchase whose entries have left is forgotten after a thousand others`(leaving: Leaving) {
        var ledger = UnfinishedTransactions()
        for serial in 1...4_000 as ClosedRange<UInt64> {
            let (token, twin) = (TransactionToken.entry(serial), TransactionToken.entry(serial + 10_000))
            let purchase = StoreTransaction.entry(serial, .purchased)
            var second = StoreTransaction.entry(serial + 10_000, .purchased)
            second.report.id = purchase.id
            if leaving == .paidLater { _ = ledger.report(.entry(serial, .failed), now: Self.start) }
            _ = ledger.report(purchase, now: Self.start)
            switch leaving {
            case .finishedElsewhere, .paidLater: ledger.remove(token)
            case .unlisted: _ = ledger.removeUnlisted(token)
            case .finishedAfterwards:
                ledger.remove(token)
                expectEqual(ledger.finish(token), .departed)
            case .unlistedAndFinished:
                _ = ledger.removeUnlisted(token)
                expectEqual(ledger.finish(token), .finish)
            case .duringDelivery:
                _ = ledger.beginDelivery(of: purchase)
                ledger.remove(token)
                _ = ledger.delivered(token)
                _ = ledger.endDelivery(of: token)
            case .inTwoDeliveries:
                _ = ledger.report(second, now: Self.start)
                _ = ledger.beginDelivery(of: purchase)
                _ = ledger.beginDelivery(of: second)
                for token in [token, twin] {
                    _ = ledger.delivered(token)
                    _ = ledger.endDelivery(of: token)
                    ledger.remove(token)
                }
            case .handedOverAfterwards:
                ledger.remove(token)
                ledger.markReceived(purchase)
            case .again:
                for _ in 0..<3 {
                    _ = ledger.report(purchase, now: Self.start)
                    ledger.remove(token)
                }
            }
        }
        _ = ledger.takeDeliveryEnds()
        #expect(remembered(by: ledger) < 5 * UnfinishedTransactions.limit + 100)
    }

    @Test func `only tokens identify entries`() {
        var ledger = UnfinishedTransactions()
        var twin = StoreTransaction.entry(2, .purchased)
        twin.report.id = "paid-1"
        expectEqual(ledger.report(.entry(1, .purchased), now: Self.start), .new)
        expectEqual(ledger.report(twin, now: Self.start), .new)
        expectEqual(ledger.entries.count, 2)
    }
}

// Hosted content.
extension UnfinishedTransactionsReportTests {
    private func delivered() -> UnfinishedTransactions {
        var ledger = UnfinishedTransactions()
        _ = ledger.report(.entry(1, .purchased, hasUnfinishedDownloads: true), now: Self.start)
        ledger.setState(.delivering, of: .entry(1), now: Self.start)
        _ = ledger.delivered(.entry(1))
        return ledger
    }

    @Test func `a delivered transaction waits for its downloads`() {
        var ledger = delivered()
        expectEqual(ledger[.entry(1)]?.state, .downloading)
        expectEqual(ledger.report(.entry(1, .purchased, hasUnfinishedDownloads: true), now: Self.later), .duplicate)
        expectEqual(ledger[.entry(1)]?.state, .downloading)
    }

    @Test func `a delivered transaction is complete once when its downloads have ended`() {
        var ledger = delivered()
        expectEqual(ledger.report(.entry(1, .purchased), now: Self.later), .complete)
        #expect(ledger.contentHasEnded(of: .entry(1)) && !ledger.contentHasEnded(of: .entry(1)))
        expectEqual(ledger[.entry(1)]?.state, .finished)
        expectEqual(ledger.report(.entry(1, .purchased), now: Self.later), .finishAgain)
    }

    @Test(arguments: [StoreTransaction.State.purchasing, .deferred, .failed])
    func `an outdated report doesn't end the downloads`(state: StoreTransaction.State) {
        var ledger = delivered()
        expectEqual(ledger.report(.entry(1, state), now: Self.later), .duplicate)
        expectEqual(ledger[.entry(1)]?.state, .downloading)
        expectEqual(ledger[.entry(1)]?.transaction.hasUnfinishedDownloads, true)
    }

    @Test func `downloads that end before the delivery leave nothing to wait for`() {
        var ledger = UnfinishedTransactions()
        _ = ledger.report(.entry(1, .purchased, hasUnfinishedDownloads: true), now: Self.start)
        ledger.setState(.delivering, of: .entry(1), now: Self.start)
        expectEqual(ledger.report(.entry(1, .purchased), now: Self.later), .duplicate)
        expectEqual(ledger.delivered(.entry(1)), true)
        expectEqual(ledger[.entry(1)]?.state, .finished)
    }
}
