import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Payments about which StoreKit is silent.
@Suite(.bounded) struct PaymentPatienceTests {
    private let first = CallID()
    private let second = CallID()
    private let third = CallID()

    /// A machine with a silent payment for coins, and calls that wait.
    private func waiting(_ products: String..., patience: TimeInterval = 30) -> PaymentStateMachine {
        var machine = PaymentStateMachine(patience: patience)
        machine.enqueue(first, .plain("coins"))
        _ = machine.startNext()
        for (id, product) in zip([second, third], products) { machine.enqueue(id, .plain(product)) }
        return machine
    }

    @Test func `a call for another product has its turn after the payment has been silent for long enough`() {
        var machine = waiting("gems")
        expectEqual(machine.nextTurn(now: .seconds(5)), .seconds(30))
        expectEqual(machine.startNext(now: .seconds(29.9)), nil)
        #expect(machine.silent.isEmpty)
        expectEqual(machine.startNext(now: .seconds(30)), second)
        expectEqual(machine.inFlight?.productID, "gems")
        expectEqual(machine.silent.map(\.productID), ["coins"])
        #expect(machine.isSubmitted(first), "the silent payment still has its call")
    }

    @Test func `an overtaken payment is reported once`() {
        var machine = waiting("gems", "pro")
        expectEqual(machine.submitNext(now: .seconds(30))?.overtaken.map(\.request.productID), ["coins"])
        expectEqual(machine.submitNext(now: .seconds(60))?.overtaken.map(\.request.productID), ["gems"])
    }

    @Test func `a call for the same product waits ten times as long`() {
        var machine = waiting("coins")
        expectEqual(machine.startNext(now: .seconds(30)), nil)
        #expect(machine.silent.isEmpty, "no other payment has started")
        expectEqual(machine.nextTurn(now: .seconds(30)), nil)
        expectEqual(machine.startNext(now: .seconds(299.9)), nil)
        expectEqual(machine.startNext(now: .seconds(300)), second)
        expectEqual(machine.silent.map(\.productID), ["coins"])
    }

    @Test func `a call for the same product isn't submitted while the queue has the silent payment`() {
        var machine = waiting("coins")
        expectEqual(machine.news(.entry(11, .purchasing), now: .seconds(1)), .progress)
        expectEqual(machine.startNext(now: .seconds(100_000)), nil)
        expectEqual(machine.remove(.entry(11)), .lost(first, .init(productID: "coins")))
        expectEqual(machine.startNext(now: .seconds(100_000)), second)
    }

    @Test func `the calls behind a silent payment for their product are removed in their order, and no others`() {
        var machine = waiting("coins", "coins")
        expectEqual(machine.startNext(now: .seconds(29)), nil)
        expectEqual(machine.takeCallsBehindSilence(now: .seconds(29)), [])
        expectEqual(machine.startNext(now: .seconds(30)), nil)
        let pro = CallID()
        machine.enqueue(pro, .plain("pro"))
        expectEqual(machine.takeCallsBehindSilence(now: .seconds(30)), [second, third])
        expectEqual(machine.startNext(now: .seconds(30)), pro)
        expectEqual(machine.waitingCount, 0)
    }

    @Test func `a call for another product goes before an earlier one for the same product`() {
        var machine = waiting("coins", "gems")
        expectEqual(machine.startNext(now: .seconds(30)), third)
        expectEqual(machine.news(.entry(11, .purchased, of: "gems")), .answer(third, .plain))
        expectEqual(machine.startNext(now: .seconds(31)), nil)
        expectEqual(machine.startNext(now: .seconds(300)), second)
    }

    @Test func `the slot stays taken while any submitted payment hasn't been silent for long enough`() {
        var machine = waiting("gems", "pro")
        expectEqual(machine.startNext(now: .seconds(40)), second)
        expectEqual(machine.nextTurn(now: .seconds(41)), .seconds(70))
        expectEqual(machine.startNext(now: .seconds(69)), nil)
        expectEqual(machine.startNext(now: .seconds(70)), third)
        expectEqual(machine.silent.map(\.productID), ["coins", "gems"])
    }

    @Test func `a passed call has its turn when its product is free, even beside silent payments`() {
        var machine = waiting("coins", "gems")
        expectEqual(machine.startNext(now: .seconds(200)), third)
        expectEqual(machine.startNext(now: .seconds(230)), nil, "its own product is still held back")
        expectEqual(machine.startNext(now: .seconds(300)), second, "although gems are held back until 500")
    }

    @Test func `passed calls keep their order, and go before later calls`() {
        var machine = PaymentStateMachine(patience: 30)
        for product in ["coins", "gems"] {
            machine.enqueue(CallID(), .plain(product))
            _ = machine.startNext(now: product == "coins" ? .seconds(0) : .seconds(30))
        }
        let waiting = ["gems", "coins", "gems", "coins"].map { ($0, CallID()) }
        for (product, id) in waiting { machine.enqueue(id, .plain(product)) }
        expectEqual(machine.startNext(now: .seconds(70)), nil, "all of them are held back")
        let last = CallID()
        machine.enqueue(last, .plain("pro"))
        for payment in machine.submitted { machine.end(payment.id) }
        var order: [CallID] = []
        while let id = machine.startNext(now: .seconds(80)) {
            order.append(id)
            machine.end(id)
        }
        expectEqual(order, waiting.map(\.1) + [last])
        expectEqual(remembered(by: machine), 0)
    }

    @Test func `a purchasing report restarts the timeout`() {
        var machine = waiting("gems")
        expectEqual(machine.news(.entry(11, .purchasing), now: .seconds(25)), .progress)
        expectEqual(machine.startNext(now: .seconds(54)), nil)
        expectEqual(machine.nextTurn(now: .seconds(54)), .seconds(55))
        expectEqual(machine.startNext(now: .seconds(55)), second)
    }

    @Test func `a silent payment that is reported again has the slot again, and can be overtaken again`() {
        var machine = waiting("gems", "pro")
        expectEqual(machine.startNext(now: .seconds(30)), second)
        expectEqual(machine.news(.entry(11, .purchasing), now: .seconds(50)), .progress)
        #expect(machine.silent.isEmpty)
        expectEqual(machine.news(.entry(12, .purchased, of: "gems"), now: .seconds(51)), .answer(second, .plain))
        expectEqual(machine.inFlight?.productID, "coins")
        expectEqual(machine.startNext(now: .seconds(79)), nil)
        expectEqual(machine.duplicate(.entry(11, .purchasing), now: .seconds(79)), .progress)
        expectEqual(machine.submitNext(now: .seconds(109))?.overtaken.map(\.request.productID), ["coins"])
    }

    @Test func `a report of another transaction doesn't restart the timeout`() {
        var machine = waiting("gems")
        expectEqual(machine.news(.entry(11, .purchasing, of: "pro"), now: .seconds(29)), .unsolicited)
        expectEqual(machine.news(.entry(9, .purchased), now: .seconds(29)), .candidate(first))
        expectEqual(machine.startNext(now: .seconds(30)), second)
    }

    @Test(arguments: 1...3)
    func `a clock that is set back doesn't prolong the wait, with any number of silent payments`(count: Int) {
        var machine = PaymentStateMachine(patience: 30)
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
        patience: TimeInterval
    ) {
        var machine = waiting("coins", "gems", patience: patience)
        expectEqual(machine.startNext(), second)
        expectEqual(machine.startNext(), third)
        expectEqual(machine.silent.count, 2)
        expectEqual(machine.nextTurn(now: .seconds(0)), nil)
    }

    @Test(arguments: [TimeInterval.infinity, .greatestFiniteMagnitude])
    func `with an infinite timeout every call waits`(
        patience: TimeInterval
    ) {
        var machine = waiting("gems", patience: patience)
        expectEqual(machine.startNext(now: .distantFuture), nil)
        machine.end(first)
        expectEqual(machine.startNext(now: .distantFuture), second)
    }

    @Test func `there is no timer without a waiting call or a running payment`() {
        var machine = PaymentStateMachine(patience: 30)
        expectEqual(machine.nextTurn(now: .seconds(0)), nil)
        machine.reserve(first)
        expectEqual(machine.startNext(), nil)
        expectEqual(machine.nextTurn(now: .seconds(0)), nil, "the call waits for its product, not for StoreKit")
        machine.withdraw(first)
        machine.enqueue(second, .plain())
        _ = machine.startNext()
        expectEqual(machine.nextTurn(now: .seconds(0)), nil)
    }
}

// The line behind a silent payment.
extension PaymentPatienceTests {
    @Test func `a reserved place doesn't block other calls, and keeps its order once it is filled`() {
        var machine = waiting("coins")
        machine.reserve(third)
        let last = CallID()
        machine.enqueue(last, .plain("gems"))
        let later = CallID()
        machine.enqueue(later, .plain("pearls"))
        expectEqual(machine.startNext(now: .seconds(30)), last)
        expectEqual(machine.fill(third, .plain("pro")), true)
        machine.end(last)
        expectEqual(machine.startNext(now: .seconds(30)), third)
        machine.end(third)
        expectEqual(machine.startNext(now: .seconds(30)), later)
        machine.end(later)
        expectEqual(machine.startNext(now: .seconds(300)), second)
    }

    @Test func `a passed call that is canceled never starts`() {
        var machine = waiting("coins", "gems")
        expectEqual(machine.startNext(now: .seconds(30)), third)
        expectEqual(machine.cancel(second), .withdraw)
        expectEqual(machine.cancel(second), .none)
        expectEqual(machine.waitingCount, 0)
        machine.end(third)
        expectEqual(machine.startNext(now: .seconds(1_000)), nil)
        machine.end(first)
        expectEqual(remembered(by: machine), 0)
    }

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

    @Test func `each call in a long line behind silent payments costs the same`() {
        // Otherwise, every call would be examined for each call that passes it: 25 million times, which takes minutes.
        let count = 5_000
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
            machine.end(id)
        }
        #expect(remembered(by: machine) <= 2 * count + 50, "the calls that have passed use no memory")
        machine.end(first)
        for id in held {
            expectEqual(machine.startNext(now: .seconds(31)), id)
            machine.end(id)
        }
        expectEqual(remembered(by: machine), 0)
    }
}

// Answers with several submitted payments.
extension PaymentPatienceTests {
    /// A silent payment for coins, a payment for gems that has the slot, and a third call.
    private func underWay(_ last: PaymentStateMachine.Call? = nil) -> PaymentStateMachine {
        var machine = waiting("gems")
        _ = machine.startNext(now: .seconds(300), mark: 20)
        if let last {
            machine.enqueue(third, last)
            _ = machine.startNext(now: .seconds(600), mark: 30)
        }
        return machine
    }

    @Test func `the silent payment is answered when its transaction arrives, and the other by its own`() {
        var machine = underWay()
        expectEqual(machine.news(.entry(21, .purchased)), .answer(first, .plain))
        #expect(machine.silent.isEmpty)
        expectEqual(machine.news(.entry(22, .purchased, of: "gems")), .answer(second, .plain))
        expectEqual(machine.inFlight, nil)
    }

    @Test func `the exact match is answered, even if an older payment is for the same product`() {
        var machine = underWay(.plain("coins", quantity: 3))
        expectEqual(machine.news(.entry(31, .purchased, quantity: 3)), .answer(third, .plain))
        expectEqual(machine.news(.entry(32, .purchased, quantity: 1)), .answer(first, .plain))
    }

    @Test func `equal payments are answered in the order of their submission`() {
        var machine = underWay(.plain("coins"))
        expectEqual(machine.news(.entry(31, .failed)), .answer(first, .plain))
        expectEqual(machine.news(.entry(32, .purchased)), .answer(third, .plain))
    }

    @Test func `a transaction from before the later of two equal payments answers the earlier one`() {
        var machine = underWay(.plain("coins"))
        expectEqual(machine.news(.entry(25, .purchased)), .answer(first, .plain))
        #expect(machine.isSubmitted(third))
    }

    @Test func `a transaction that is bound to one payment doesn't answer an equal one`() {
        var machine = underWay(.plain("coins"))
        expectEqual(machine.news(.entry(31, .purchasing)), .progress)
        expectEqual(machine.news(.entry(32, .purchased)), .answer(third, .plain))
        expectEqual(machine.news(.entry(31, .purchased)), .answer(first, .plain))
    }

    @Test func `an older transaction is a candidate for the oldest payment without its own transaction`() {
        var machine = underWay(.plain("coins"))
        expectEqual(machine.news(.entry(9, .purchased)), .candidate(first))
        expectEqual(machine.news(.entry(31, .purchasing)), .progress)
        expectEqual(machine.duplicate(.entry(9, .purchased)), .candidate(third))
        expectEqual(machine.takePreexisting(for: first)?.older, nil)
        expectEqual(machine.takePreexisting(for: third)?.older, .entry(9, .purchased))
    }

    @Test func `only the silent payment is lost when its transaction is removed`() {
        var machine = underWay()
        expectEqual(machine.news(.entry(21, .purchasing)), .progress)
        expectEqual(machine.remove(.entry(21)), .lost(first, PaymentRequest(productID: "coins")))
        #expect(machine.isSubmitted(second))
    }

    @Test func `a silent payment can be deferred, and approved`() throws {
        var machine = underWay()
        guard case .pending(first, let pending) = machine.news(.entry(21, .deferred)) else {
            Issue.record("The silent call didn't return a pending purchase.")
            return
        }
        expectEqual(machine.news(.entry(21, .purchased)), .resolved(pending))
        expectEqual(machine.inFlight?.productID, "gems")
    }

    @Test func `canceling a silent payment leaves its answer unattributed, and the other payment keeps the slot`() {
        var machine = underWay()
        expectEqual(machine.cancel(first), .abandon)
        #expect(machine.silent.isEmpty)
        expectEqual(machine.inFlight?.productID, "gems")
        expectEqual(machine.news(.entry(21, .purchased)), .unsolicited)
        expectEqual(machine.news(.entry(22, .purchased, of: "gems")), .answer(second, .plain))
        expectEqual(remembered(by: machine), 0)
    }

    @Test func `two restored answers of a restore go to two payments, one each`() {
        var machine = underWay(.plain("pro"))
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
