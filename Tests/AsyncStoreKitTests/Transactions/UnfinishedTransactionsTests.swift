import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct UnfinishedTransactionsTests {
    /// A ledger whose entries are named by their numbers.
    ///
    /// | step | what it does |
    /// |---|---|
    /// | `report 1 purchased [as 2] [restoring 3] [loading]` | a report; `as` and `restoring` name the purchase |
    /// | `give 1 withCaller` | changes the state of an entry |
    /// | `finish 1 [source 2]` | finishes a token, of source 1 |
    private struct Ledger {
        var ledger = UnfinishedTransactions()

        mutating func perform(_ step: Script.Step) -> String? {
            let serial = UInt64(step[0]) ?? 0
            let token = TransactionToken.entry(serial)
            switch step.verb {
            case "report": _ = ledger.report(transaction(step), now: .seconds(1_000))
            case "give":
                let state = UnfinishedTransactionsTests.states.first { "\($0)" == step[1] }
                ledger.setState(state ?? .open, of: token, now: .seconds(1_000))
            case "remove": ledger.remove(token)
            case "finish":
                let token = TransactionToken.entry(serial, source: UInt64(step.number("source") ?? 1))
                return describe(ledger.finish(token))
            case "deliver": return Script.answer(ledger.delivered(token))
            case "release": return ledger.release(token, now: .seconds(2_000)).map { "\($0)" } ?? "none"
            case "unlist": return Script.answer(ledger.removeUnlisted(token))
            case "return": ledger.expectReportsAgain()
            case "repeats": return Script.answer(ledger.repetitionReported(of: token))
            case "receive": return Script.answer(ledger.markReceived(transaction(step)))
            case "wasReceived": return Script.answer(ledger.wasReceived(transaction(step)))
            case "state": return ledger[token].map { "\($0.state)" } ?? "gone"
            case "siblings": return numbers(ledger.siblings(of: token))
            case "outstanding": return numbers(ledger.outstanding.map(\.transaction.token))
            case "unclaimed": return numbers(ledger.unclaimed.map(\.transaction.token))
            case "unfinished": return numbers(ledger.unfinished.map(\.transaction.token))
            case "count": return "\(ledger.entries.count)"
            default: return step.unknown
            }
            return nil
        }

        private func transaction(_ step: Script.Step) -> StoreTransaction {
            let states = StoreTransaction.State.allCases
            let state = states.first { "\($0)" == step[1] } ?? .purchasing
            var transaction = StoreTransaction.entry(
                UInt64(step[0]) ?? 0, state, hasUnfinishedDownloads: step.has("loading"))
            if let number = step["as"] { transaction.report.id = "paid-\(number)" }
            if let number = step["restoring"] {
                transaction.report.original = StoreTransaction.Original(id: "paid-\(number)", purchaseDate: nil)
            }
            return transaction
        }

        private func describe(_ result: UnfinishedTransactions.Finish) -> String {
            if case .notFinishable(let state) = result { "still \(state)" } else { "\(result)" }
        }

        private func numbers(_ tokens: [TransactionToken]) -> String { Script.list(tokens.map { "\($0.serial)" }) }
    }

    static let states: [UnfinishedTransactions.State] = [
        .open, .offered, .withCaller, .delivering, .retrying, .downloading, .finished,
    ]

    static let scripts = [
        Script(
            "a report of an offered purchase is accepted again after each return of the app",
            """
            report 1 purchased, give 1 offered, repeats 1 → no, receive 1 purchased → no, return 1,
            repeats 1 → yes, repeats 1 → no, return 1, repeats 1 → yes
            """),
        Script(
            "a failed transaction can be finished, once",
            "report 1 failed, finish 1 → finish, finish 1 → finished"),
        Script(
            "a purchasing transaction can't be finished",
            "report 1 purchasing, finish 1 → still purchasing, state 1 → open"),
        Script(
            "a deferred transaction can't be finished",
            "report 1 deferred, finish 1 → still deferred, state 1 → open"
        ),
        Script(
            "a transaction that has left the queue is treated as finished",
            "report 1 purchased, give 1 offered, remove 1, finish 1 → departed, finish 1 → finished"),
        Script(
            "every token is unknown before the first report, and another store's token always",
            """
            finish 1 → unknown, report 1 purchased, give 1 offered
            finish 1 source 2 → unknown, finish 1 source 0 → unknown, state 1 → offered
            """),
        Script(
            "the delivery of a transaction that has left the queue finishes nothing",
            "report 1 purchased, give 1 delivering, remove 1, deliver 1 → no, state 1 → gone"),
        Script(
            "an entry has all other entries of its purchase as siblings, until they leave",
            """
            report 1 purchased, report 2 purchased as 1, report 3 purchased as 1, siblings 1 → 2 + 3, remove 2
            siblings 1 → 3, siblings 3 → 1, remove 3, siblings 1 → none
            """),
        Script(
            "an entry that is reported as another purchase leaves the former one",
            """
            report 1 purchased, report 2 purchased, siblings 2 → none, report 2 purchased as 1, siblings 2 → 1
            siblings 1 → 2, report 3 purchased as 2, siblings 3 → none, remove 1, siblings 2 → none
            """),
        // Redeliveries.
        Script(
            "a delivered purchase is a redelivery in every later report, even when it is restored",
            """
            report 1 purchased, give 1 delivering, wasReceived 1 purchased → no, deliver 1 → yes
            wasReceived 1 purchased → yes, remove 1, wasReceived 1 purchased → yes
            wasReceived 2 restored restoring 1 → yes, wasReceived 3 purchased → no
            """),
        Script(
            "a transaction that was finished by the app is treated as delivered",
            "report 1 purchased, give 1 offered, finish 1 → finish, wasReceived 1 purchased → yes"),
        Script(
            "finishing a failed transaction isn't treated as a delivery",
            "report 1 failed, finish 1 → finish, wasReceived 1 failed → no"),
        Script(
            "an unpaid transaction is never given to the app",
            """
            report 1 failed, receive 1 failed → no, receive 1 failed → no
            receive 2 purchased → no, receive 2 purchased → yes
            """),
        // Lists. Entries are reported in another order.
        Script(
            "offered and pending transactions are unclaimed, those of calls aren't",
            """
            report 1 purchased, give 1 offered, report 2 deferred, report 3 purchasing
            report 4 purchased, give 4 withCaller, report 5 restored, give 5 delivering
            report 6 purchased, give 6 retrying, report 7 failed, give 7 finished
            report 8 restored, give 8 offered, unclaimed → 1 + 2 + 8
            """),
        Script(
            "a new subscriber receives the transactions that aren't being delivered, oldest first",
            """
            report 7 purchased, give 7 finished, report 6 purchased, give 6 downloading
            report 5 purchased, give 5 retrying, report 4 purchased, give 4 delivering
            report 3 purchased, give 3 withCaller, report 2 purchased, give 2 offered, report 1 purchased
            report 8 purchasing, report 9 deferred, report 10 failed, outstanding → 2 + 3
            """),
        Script(
            "unfinished has every paid transaction that isn't finished, oldest first",
            """
            report 7 purchased, give 7 finished, report 6 purchased, give 6 downloading
            report 5 purchased, give 5 retrying, report 4 purchased, give 4 delivering
            report 3 purchased, give 3 withCaller, report 2 purchased, give 2 offered, report 1 purchased
            report 8 purchasing, report 9 deferred, report 10 failed, unfinished → 1 + 2 + 3 + 4 + 5 + 6
            """),
        Script(
            "restored transactions are offered like purchased ones",
            "report 1 restored, give 1 offered, outstanding → 1, unfinished → 1"),
        // Changes.
        Script(
            "setState and remove ignore unknown tokens",
            "report 1 purchased, give 1 offered, give 2 delivering, remove 2, count → 1, state 1 → offered"),
        Script(
            "an entry that has left isn't part of its purchase, and knows those with which it came back",
            """
            report 1 purchased, give 1 offered, report 2 purchased as 1, siblings 2 → 1
            remove 1, siblings 2 → none, siblings 1 → 2
            """),
    ]

    @Test(arguments: scripts) func `a transaction is delivered, then finished`(script: Script) {
        var ledger = Ledger()
        script.play { ledger.perform($0) }
    }

    /// What each event does to a purchased transaction in each state: the result, and the state afterwards. Each step
    /// starts over. A transaction with `loading` has unfinished downloads.
    static let events = [
        active("open", "release → none open, unlist → yes gone"),
        active("offered", "release → 1 retrying, unlist → yes gone"),
        active("withCaller", "release → 1 retrying, unlist → yes gone"),
        active("delivering", "release → none delivering, unlist → no delivering"),
        active("retrying", "release → none retrying, unlist → yes gone"),
        Script(
            "downloading",
            """
            finish → finish finished, deliver → no downloading, deliver loading → no downloading
            release → none downloading, unlist → no downloading
            """),
        Script(
            "finished",
            """
            finish → finished finished, deliver → no finished, deliver loading → no finished
            release → none finished, unlist → no finished
            """),
    ]

    /// The events of a state before the delivery has ended.
    private static func active(_ state: String, _ others: String) -> Script {
        Script(state, "finish → finish finished, deliver → yes finished, deliver loading → no downloading, " + others)
    }

    /// Returns the result of an event for a purchased transaction in a state, and the state afterwards.
    private func outcome(of event: String, _ count: Int = 1, in state: String, isLoading: Bool = false) -> String {
        var ledger = Ledger()
        _ = ledger.perform(Script.Step("report 1 purchased \(isLoading ? "loading" : "")"))
        _ = ledger.perform(Script.Step("give 1 \(state)"))
        var result: String?
        for _ in 0..<count { result = ledger.perform(Script.Step(event)) }
        return [result, ledger.perform(Script.Step("state 1"))].compactMap(\.self).joined(separator: " ")
    }

    @Test(arguments: events) func `each event has its result in each state`(script: Script) {
        let state = script.testDescription
        script.play { outcome(of: "\($0.verb) 1", in: state, isLoading: $0.has("loading")) }
    }

    @Test(arguments: events.map(\.testDescription))
    func `the second finish or delivery has no effect, and no other state replaces downloads or a finish`(
        state: String
    ) {
        expectEqual(outcome(of: "finish 1", 2, in: state), "finished finished")
        for isLoading in [false, true] {
            let once = outcome(of: "deliver 1", in: state, isLoading: isLoading).split(separator: " ").last ?? ""
            expectEqual(outcome(of: "deliver 1", 2, in: state, isLoading: isLoading), "no \(once)")
        }
        for other in ["offered", "withCaller", "delivering", "retrying"] {
            let kept = ["downloading", "finished"].contains(state) ? state : other
            expectEqual(outcome(of: "give 1 \(other)", in: state), kept)
        }
    }

    @Test func `a download of an unknown entry changes nothing`() {
        var ledger = UnfinishedTransactions()
        let download = StoreDownload(
            id: StoreDownload.ID(transaction: .entry(1), index: 0), contentID: "level", contentLength: 1)
        expectEqual(ledger.update(download), false)
    }

    @Test func `only the purchase of a running delivery is being delivered`() {
        var ledger = UnfinishedTransactions()
        _ = ledger.report(.entry(1, .purchased), now: .seconds(1_000))
        _ = ledger.beginDelivery(of: .entry(1, .purchased))
        expectEqual(ledger.isBeingDelivered(.entry(1, .purchased)), true)
        expectEqual(ledger.isBeingDelivered(.entry(2, .purchased)), false, "the ledger doesn't know this purchase")
    }

    @Test func `a new state keeps the approval, and the time is recorded`() throws {
        var ledger = UnfinishedTransactions()
        _ = ledger.report(.entry(1, .purchased), now: .seconds(1_000))
        let pending = PendingPurchase(.entry(1, .deferred), isKnownToCall: true)
        ledger.setPendingPurchase(pending, of: .entry(1))
        ledger.setPendingPurchase(nil, of: .entry(1))
        ledger.setState(.offered, of: .entry(1), now: .seconds(2_000))
        let entry = try #require(ledger[.entry(1)])
        expectEqual(entry.state, .offered)
        expectEqual(entry.pending, pending)
        expectEqual(entry.since, .seconds(2_000))
    }

    @Test func `a purchase that an earlier launch has delivered was received before`() throws {
        var ledger = UnfinishedTransactions()
        let row = StoreTransaction.entry(1, .restored)
        var wasReceived = ledger.markReceived(row)
        #expect(!wasReceived)
        ledger = UnfinishedTransactions()
        ledger.earlierDeliveries.add([row.deliveryKey: try #require(DeliveredPurchase(row))])
        wasReceived = ledger.markReceived(row)
        #expect(wasReceived)
    }

    @Test(arguments: [true, false])
    func `the delivery of a row that has left the queue is recorded, and finished if only a list lacks it`(
        isUnlisted: Bool
    ) {
        var ledger = UnfinishedTransactions()
        ledger.earlierDeliveries.add([:])
        ledger.contexts.load([:], now: .seconds(0))
        let row = StoreTransaction.entry(1, .restored)
        _ = ledger.report(row, now: .seconds(0))
        ledger.remove(row.token, isUnlisted: isUnlisted)
        _ = ledger.beginDelivery(of: row)
        expectEqual(ledger.delivered(row.token), isUnlisted)
        expectEqual(ledger.contexts.takeChanges(now: .seconds(0)).count, 1)
        #expect(ledger.wasDelivered(row))
    }
}
