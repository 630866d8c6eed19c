import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PaymentCandidateTests {
    @Test(arguments: [StoreTransaction.State.purchased, .restored], [UInt64(1), 10])
    func `an older paid transaction that is reported again is a candidate`(
        state: StoreTransaction.State, serial: UInt64
    ) {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        let older = StoreTransaction.entry(serial, state)
        expectEqual(machine.duplicate(older), .candidate(id))
        expectEqual(machine.slot?.older, older)
        expectEqual(machine.slot?.id, id, "the candidate doesn't answer yet")
    }

    @Test func `an older transaction of the product is a candidate with any quantity`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(9, .purchased, quantity: 3)), .candidate(id))
    }

    @Test func `an older transaction of another product is unsolicited`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(9, .purchased, of: "gems")), .unsolicited)
        expectEqual(machine.slot?.older, nil)
        expectEqual(machine.takePreexisting(for: id)?.older, nil)
    }

    @Test func `a payment without its own transaction is answered with the candidate`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        let older = StoreTransaction.entry(9, .purchased)
        expectEqual(machine.news(older), .candidate(id))
        expectEqual(machine.takePreexisting(for: id)?.older, older)
        expectEqual(machine.slot, nil)
        expectEqual(machine.takePreexisting(for: id)?.older, nil)
    }

    @Test func `a payment with its own transaction isn't answered with the candidate`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(9, .purchased)), .candidate(id))
        expectEqual(machine.news(.entry(11, .purchasing)), .progress)
        expectEqual(machine.takePreexisting(for: id)?.older, nil)
        expectEqual(machine.slot?.id, id)
        expectEqual(machine.news(.entry(11, .purchased)), .answer(id, .plain))
    }

    @Test func `only a submitted payment with a candidate is answered with an older transaction`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.takePreexisting(for: id)?.older, nil)
        expectEqual(machine.news(.entry(9, .purchased)), .candidate(id))
        expectEqual(machine.takePreexisting(for: CallID())?.older, nil)
        expectEqual(machine.slot?.id, id)
        expectEqual(machine.cancel(id), .abandon)
        expectEqual(machine.takePreexisting(for: id)?.older, nil)
    }

    @Test func `the candidate that was reported last counts`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(8, .purchased)), .candidate(id))
        expectEqual(machine.news(.entry(9, .purchased)), .candidate(id))
        expectEqual(machine.takePreexisting(for: id)?.older, .entry(9, .purchased))
    }

    @Test func `a payment whose transaction is removed without an outcome is lost`() {
        var machine = PaymentStateMachine()
        let request = PaymentRequest(productID: "coins", quantity: 2)
        let id = machine.begin(request, mark: 10)
        expectEqual(machine.news(.entry(11, .purchasing, quantity: 2)), .progress)
        expectEqual(machine.remove(.entry(11)), .lost(id, request))
        expectEqual(machine.slot, nil)
        expectEqual(machine.remove(.entry(11)), .none)
    }

    @Test
    func `a payment whose transaction is removed is answered by an older one, reported before or after it was bound`() {
        for isSeenBefore in [true, false] {
            var machine = PaymentStateMachine()
            let id = machine.begin(mark: 10)
            let older = StoreTransaction.entry(9, .purchased)
            if isSeenBefore { expectEqual(machine.news(older), .candidate(id)) }
            expectEqual(machine.news(.entry(11, .purchasing)), .progress)
            if !isSeenBefore {
                expectEqual(
                    machine.news(older), .unsolicited,
                    "there is nothing to wait for while the payment has a transaction")
            }
            expectEqual(machine.remove(.entry(11)), .answer(id, .plain, older))
            expectEqual(machine.slot, nil)
        }
    }

    @Test func `the removal of another transaction changes nothing`() {
        var machine = PaymentStateMachine()
        expectEqual(machine.remove(.entry(1)), .none)
        let id = machine.begin(mark: 10)
        expectEqual(machine.remove(.entry(9)), .none)
        expectEqual(machine.news(.entry(11, .purchasing)), .progress)
        expectEqual(machine.remove(.entry(12)), .none)
        expectEqual(machine.slot?.id, id)
        expectEqual(machine.news(.entry(11, .purchased)), .answer(id, .plain))
        expectEqual(machine.remove(.entry(11)), .none)
    }
}
