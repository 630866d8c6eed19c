import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PaymentCandidateTests {
    @Test(arguments: [StoreTransaction.State.purchased, .restored], [UInt64(1), 10])
    func `an older paid transaction that is reported anew is a candidate`(state: StoreTransaction.State, serial: UInt64) {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        let older = StoreTransaction.entry(serial, state)
        #expect(machine.report(older, isNews: false, isRestoring: false) == .candidate(id))
        #expect(machine.inFlight?.older == older)
        #expect(machine.inFlight?.id == id, "it does not answer yet")
    }

    @Test func `an older transaction of the product is a candidate whatever its quantity`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        #expect(machine.news(.entry(9, .purchased, quantity: 3)) == .candidate(id))
    }

    @Test func `an older transaction of another product is a stranger`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        #expect(machine.news(.entry(9, .purchased, of: "gems")) == .stranger)
        #expect(machine.inFlight?.older == nil)
        #expect(machine.settle(id) == nil)
    }

    @Test func `a payment that gets no transaction of its own settles for the candidate`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        let older = StoreTransaction.entry(9, .purchased)
        #expect(machine.news(older) == .candidate(id))
        #expect(machine.settle(id) == older)
        #expect(machine.inFlight == nil)
        #expect(machine.settle(id) == nil)
    }

    @Test func `a payment with a transaction of its own does not settle for less`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        #expect(machine.news(.entry(9, .purchased)) == .candidate(id))
        #expect(machine.news(.entry(11, .purchasing)) == .progress)
        #expect(machine.settle(id) == nil)
        #expect(machine.inFlight?.id == id)
        #expect(machine.news(.entry(11, .purchased)) == .answer(id))
    }

    @Test func `only the payment that has the slot settles, and only for a candidate`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        #expect(machine.settle(id) == nil)
        #expect(machine.news(.entry(9, .purchased)) == .candidate(id))
        #expect(machine.settle(CallID()) == nil)
        #expect(machine.inFlight?.id == id)
        #expect(machine.cancel(id) == .abandon)
        #expect(machine.settle(id) == nil)
    }

    @Test func `the candidate that was reported last counts`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        #expect(machine.news(.entry(8, .purchased)) == .candidate(id))
        #expect(machine.news(.entry(9, .purchased)) == .candidate(id))
        #expect(machine.settle(id) == .entry(9, .purchased))
    }

    @Test func `a payment whose transaction is removed without an outcome is lost`() {
        var machine = PaymentStateMachine()
        let request = PaymentRequest(productID: "coins", quantity: 2)
        let id = machine.begin(request, mark: 10)
        #expect(machine.news(.entry(11, .purchasing, quantity: 2)) == .progress)
        #expect(machine.remove(.entry(11)) == .lost(id, request))
        #expect(machine.inFlight == nil)
        #expect(machine.remove(.entry(11)) == .none)
    }

    @Test func `a payment whose transaction is removed is answered by the older one, seen before or after it was bound`() {
        for isSeenBefore in [true, false] {
            var machine = PaymentStateMachine()
            let id = machine.begin(mark: 10)
            let older = StoreTransaction.entry(9, .purchased)
            if isSeenBefore { #expect(machine.news(older) == .candidate(id)) }
            #expect(machine.news(.entry(11, .purchasing)) == .progress)
            if !isSeenBefore {
                #expect(machine.news(older) == .stranger, "there is nothing to settle while the payment has a transaction")
            }
            #expect(machine.remove(.entry(11)) == .answer(id, older))
            #expect(machine.inFlight == nil)
        }
    }

    @Test func `the removal of something else changes nothing`() {
        var machine = PaymentStateMachine()
        #expect(machine.remove(.entry(1)) == .none)
        let id = machine.begin(mark: 10)
        #expect(machine.remove(.entry(9)) == .none)
        #expect(machine.news(.entry(11, .purchasing)) == .progress)
        #expect(machine.remove(.entry(12)) == .none)
        #expect(machine.inFlight?.id == id)
        #expect(machine.news(.entry(11, .purchased)) == .answer(id))
        #expect(machine.remove(.entry(11)) == .none)
    }
}
