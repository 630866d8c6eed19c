import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Payments about which StoreKit is silent.
@Suite(.bounded) struct PaymentSilenceTests {
    private let first = CallID()
    private let second = CallID()
    private let third = CallID()

    /// A machine with a silent payment for coins, and calls that wait.
    private func waiting(_ products: String..., responseTimeout: TimeInterval = 30) -> PaymentStateMachine {
        var machine = PaymentStateMachine(responseTimeout: responseTimeout)
        machine.enqueue(first, .plain("coins"))
        _ = machine.startNext()
        for (id, product) in zip([second, third], products) { machine.enqueue(id, .plain(product)) }
        return machine
    }

    /// Scripts with a timeout of 30 seconds.
    static let scripts = [
        Script(
            "a call for another product starts after the payment has been silent for long enough",
            """
            begin a, enqueue b gems, turn at 5 → 30, start at 29.9 → none, silent → none
            start at 30 → b, product → gems, silent → coins, isSubmitted a → yes
            """),
        Script(
            "an overtaken payment is reported once",
            "begin a, enqueue b gems, enqueue c pro, overtaken at 30 → coins, overtaken at 60 → gems"),
        Script(
            "a call for the same product waits ten times as long",
            """
            begin a, enqueue b, start at 30 → none, silent → none, turn at 30 → none
            start at 299.9 → none, start at 300 → b, silent → coins
            """),
        Script(
            "a call for the same product isn't submitted while the queue has the silent payment",
            """
            begin a, enqueue b, report 11 purchasing at 1 → progress, start at 100000 → none
            remove 11 → lost a coins, start at 100000 → b
            """),
        Script(
            "the calls behind a silent payment for their product are removed in their order, and no others",
            """
            begin a, enqueue b, enqueue c, start at 29 → none, overdue at 29 → none, start at 30 → none
            enqueue d pro, overdue at 30 → b + c, start at 30 → d, waiting → 0
            """),
        Script(
            "a call for another product goes before an earlier one for the same product",
            """
            begin a, enqueue b, enqueue c gems, start at 30 → c, report 11 purchased of gems → answers c
            start at 31 → none, start at 300 → b
            """),
        Script(
            "the slot stays taken while any submitted payment hasn't been silent for long enough",
            """
            begin a, enqueue b gems, enqueue c pro, start at 40 → b, turn at 41 → 70
            start at 69 → none, start at 70 → c, silent → coins + gems
            """),
        // At 300 seconds, gems are held back until 500.
        Script(
            "a passed call starts when its product is free, even beside silent payments",
            "begin a, enqueue b, enqueue c gems, start at 200 → c, start at 230 → none, start at 300 → b"),
        Script(
            "passed calls keep their order, and go before later calls",
            """
            begin a, begin b gems at 30, enqueue c gems, enqueue d, enqueue e gems, enqueue f
            start at 70 → none, enqueue g pro, end a, end b
            start at 80 → c, end c, start at 80 → d, end d, start at 80 → e, end e
            start at 80 → f, end f, start at 80 → g, end g, start at 80 → none, remembered → 0
            """),
        Script(
            "a purchasing report restarts the timeout",
            """
            begin a, enqueue b gems, report 11 purchasing at 25 → progress
            start at 54 → none, turn at 54 → 55, start at 55 → b
            """),
        Script(
            "a silent payment that is reported again has the slot again, and can be overtaken again",
            """
            begin a, enqueue b gems, enqueue c pro, start at 30 → b
            report 11 purchasing at 50 → progress, silent → none
            report 12 purchased of gems at 51 → answers b, product → coins
            start at 79 → none, repeat 11 purchasing at 79 → progress, overtaken at 109 → coins
            """),
        Script(
            "a report of another transaction doesn't restart the timeout",
            """
            begin a, enqueue b gems, report 11 purchasing of pro at 29 → unsolicited
            report 9 purchased at 29 → candidate a, start at 30 → b
            """),
        Script(
            "there is no timer without a waiting call or a running payment",
            """
            turn at 0 → none, enqueue a, cancel a → withdraw, start → none, turn at 0 → none
            enqueue b, start → b, turn at 0 → none
            """),
        Script(
            "calls that pass a call which is held back keep their order, and it starts when it may",
            """
            begin a, enqueue b, enqueue d gems, enqueue c pro, enqueue e pearls, start at 30 → d
            end d, start at 30 → c, end c, start at 30 → e, end e, start at 300 → b
            """),
        Script(
            "a passed call that is canceled never starts",
            """
            begin a, enqueue b, enqueue c gems, start at 30 → c, cancel b → withdraw, cancel b → none, waiting → 0
            end c, start at 1000 → none, end a, remembered → 0
            """),
    ]

    @Test(arguments: scripts) func `a silent payment loses the slot to a call for another product`(script: Script) {
        var payments = PaymentScript()
        script.play { payments.perform($0) }
    }

    /// Payments with the marks 10, 20 and 30. Only the last isn't silent.
    static let answers = [
        Script(
            "the silent payment is answered when its transaction arrives, and the other by its own",
            """
            begin a, begin b gems at 300 mark 20, report 21 purchased → answers a, silent → none
            report 22 purchased of gems → answers b, product → none
            """),
        Script(
            "a silent payment can be deferred, and approved",
            """
            begin a, begin b gems at 300 mark 20, report 21 deferred → pending a with 1 coins
            report 21 purchased → resolved a, product → gems
            """),
        Script(
            "the exact match is answered, even if an older payment is for the same product",
            """
            begin a, begin b gems at 300 mark 20, begin c quantity 3 at 600 mark 30
            report 31 purchased quantity 3 → answers c, report 32 purchased quantity 1 → answers a
            """),
        Script(
            "equal payments are answered in the order of their submission",
            """
            begin a, begin b gems at 300 mark 20, begin c at 600 mark 30
            report 31 failed → answers a, report 32 purchased → answers c
            """),
        Script(
            "a transaction from before the later of two equal payments answers the earlier one",
            """
            begin a, begin b gems at 300 mark 20, begin c at 600 mark 30
            report 25 purchased → answers a, isSubmitted c → yes
            """),
        Script(
            "a transaction that is bound to one payment doesn't answer an equal one",
            """
            begin a, begin b gems at 300 mark 20, begin c at 600 mark 30
            report 31 purchasing → progress, report 32 purchased → answers c, report 31 purchased → answers a
            """),
        Script(
            "an older transaction is a candidate for the oldest payment without its own transaction",
            """
            begin a, begin b gems at 300 mark 20, begin c at 600 mark 30
            report 9 purchased → candidate a, report 31 purchasing → progress, repeat 9 purchased → candidate c
            older a → none, older c → 9
            """),
        Script(
            "only the silent payment is lost when its transaction is removed",
            """
            begin a, begin b gems at 300 mark 20, report 21 purchasing → progress
            remove 21 → lost a coins, isSubmitted b → yes
            """),
        Script(
            "canceling a silent payment leaves its answer unattributed, and the other payment keeps the slot",
            """
            begin a, begin b gems at 300 mark 20, cancel a → abandon, silent → none, product → gems
            report 21 purchased → unsolicited, report 22 purchased of gems → answers b, remembered → 0
            """),
    ]

    @Test(arguments: answers) func `each of several submitted payments has its own answer`(script: Script) {
        var payments = PaymentScript()
        script.play { payments.perform($0) }
    }

    @Test(arguments: 1...3)
    func `a clock that is set back doesn't prolong the wait, with any number of silent payments`(count: Int) {
        var machine = PaymentStateMachine(responseTimeout: 30)
        for index in 0..<count {
            machine.enqueue(CallID(), .plain("product \(index)"))
            #expect(machine.startNext(now: .seconds(1_000 + 30 * Double(index))) != nil)
        }
        machine.enqueue(second, .plain("gems"))
        expectEqual(machine.startNext(now: .seconds(0)), nil)
        expectEqual(machine.nextTurn(now: .seconds(0)), .seconds(30))
        expectEqual(machine.startNext(now: .seconds(30)), second)
    }

    @Test(arguments: [0, -0.0, -1, -TimeInterval.infinity, .nan])
    func `with a zero or invalid timeout no call waits, not even for the same product`(
        responseTimeout: TimeInterval
    ) {
        var machine = waiting("coins", "gems", responseTimeout: responseTimeout)
        expectEqual(machine.startNext(), second)
        expectEqual(machine.startNext(), third)
        expectEqual(machine.silent.count, 2)
        expectEqual(machine.nextTurn(now: .seconds(0)), nil)
    }

    @Test(arguments: [TimeInterval.infinity, .greatestFiniteMagnitude])
    func `with an infinite timeout every call waits`(
        responseTimeout: TimeInterval
    ) {
        var machine = waiting("gems", responseTimeout: responseTimeout)
        expectEqual(machine.startNext(now: .distantFuture), nil)
        machine.endWait(of: first)
        expectEqual(machine.startNext(now: .distantFuture), second)
    }
}

// The line behind a silent payment.
extension PaymentSilenceTests {
    @Test func `passed calls that are given up don't take up memory`() {
        var machine = waiting()
        for _ in 0..<1_000 {
            let id = CallID()
            machine.enqueue(id, .plain("coins"))
            expectEqual(machine.startNext(now: .seconds(30)), nil)
            expectEqual(machine.cancel(id), .withdraw)
        }
        #expect(remembered(by: machine) < 50)
    }

    @Test func `a hundred calls behind a silent payment let others pass, and start in their order when it ends`() {
        let count = 100
        var machine = waiting()
        let held = (0..<count).map { _ in CallID() }
        for id in held {
            machine.enqueue(id, .plain("coins"))
            expectEqual(machine.startNext(now: .seconds(30)), nil)
        }
        for _ in 0..<count {
            let id = CallID()
            machine.enqueue(id, .plain("gems"))
            expectEqual(machine.startNext(now: .seconds(30)), id)
            machine.endWait(of: id)
        }
        #expect(remembered(by: machine) < count + 50, "the calls that have passed use no memory")
        machine.endWait(of: first)
        for id in held {
            expectEqual(machine.startNext(now: .seconds(31)), id)
            machine.endWait(of: id)
        }
        expectEqual(remembered(by: machine), 0)
    }
}

extension PaymentSilenceTests {
    @Test func `two restored answers of a restore go to two payments, one each`() {
        var machine = waiting("gems", "pro")
        for (now, mark) in [(300.0, 20), (600, 30)] { _ = machine.startNext(now: .seconds(now), mark: UInt64(mark)) }
        func row(_ serial: UInt64, _ product: String, original: String) -> StoreTransaction {
            var row = StoreTransaction.entry(serial, .restored, of: product)
            row.report.original = StoreTransaction.Original(id: original, purchaseDate: nil)
            return row
        }
        let rows = [
            row(31, "coins", original: "a"), row(32, "pro", original: "b"), row(33, "coins", original: "a"),
            row(34, "pro", original: "b"),
            row(35, "gems", original: "c"),
        ]
        let answers = machine.takeAnswers(among: rows)
        expectEqual(answers.map(\.id), [first, third])
        expectEqual(answers.map(\.row), [rows[2], rows[3]])
        #expect(machine.isSubmitted(second), "gems were restored once: the row belongs to the restore")
    }
}
