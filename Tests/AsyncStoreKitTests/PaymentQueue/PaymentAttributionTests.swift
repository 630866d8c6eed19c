import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PaymentAttributionTests {
    @Test(arguments: [StoreTransaction.State.purchased, .failed, .restored])
    func `the first newer transaction is the answer, whatever its first outcome is`(state: StoreTransaction.State) {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(11, state)), .answer(id, .plain))
        expectEqual(machine.slot, nil)
    }

    @Test(arguments: [StoreTransaction.State.purchased, .failed, .restored])
    func `a purchasing transaction is bound to its payment, and its outcome answers the payment`(
        state: StoreTransaction.State
    ) {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(11, .purchasing)), .progress)
        expectEqual(machine.slot?.bound, .entry(11))
        expectEqual(machine.news(.entry(12, .purchased)), .unsolicited)
        expectEqual(machine.slot?.id, id)
        expectEqual(machine.news(.entry(11, state)), .answer(id, .plain))
        expectEqual(machine.slot, nil)
    }

    @Test func `a duplicate report of the bound transaction changes nothing`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(11, .purchasing)), .progress)
        expectEqual(machine.duplicate(.entry(11, .purchasing)), .progress)
        expectEqual(machine.slot?.id, id)
    }

    @Test func `without a payment every transaction is unsolicited`() {
        var machine = PaymentStateMachine()
        for state in StoreTransaction.State.allCases { expectEqual(machine.news(.entry(1, state)), .unsolicited) }
    }

    @Test(arguments: [UInt64(1), 10], [StoreTransaction.State.purchasing, .failed, .deferred])
    func `a transaction up to the mark is never bound`(serial: UInt64, state: StoreTransaction.State) {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(serial, state)), .unsolicited)
        expectEqual(machine.slot?.id, id)
        expectEqual(machine.slot?.bound, nil)
        expectEqual(machine.slot?.older, nil)
    }

    @Test(arguments: [
        StoreTransaction.entry(11, .purchased, of: "gems", quantity: 5, username: "ada", offer: "spring"),
        .entry(11, .purchased, quantity: 1, username: "ada", offer: "spring"),
        .entry(11, .purchased, quantity: 5, username: "bob", offer: "spring"),
        .entry(11, .purchased, quantity: 5, username: nil, offer: "spring"),
        .entry(11, .purchased, quantity: 5, username: "ada", offer: "autumn"),
        .entry(11, .purchased, quantity: 5, username: "ada", offer: nil),
    ])
    func `a newer transaction of another payment is unsolicited`(transaction: StoreTransaction) {
        var machine = PaymentStateMachine()
        let offer = PurchaseOffer.promotional(id: "spring", keyID: "key", nonce: UUID(), signature: "", timestamp: 0)
        let id = machine.begin(
            PaymentRequest(productID: "coins", quantity: 5, applicationUsername: "ada", offer: offer), mark: 10)
        expectEqual(machine.news(transaction), .unsolicited)
        expectEqual(machine.slot?.older, nil)
        let own = StoreTransaction.entry(12, .purchased, quantity: 5, username: "ada", offer: "spring")
        expectEqual(machine.news(own), .answer(id, .plain))
    }

    @Test(arguments: [
        StoreTransaction.entry(11, .purchased, username: "ada"),
        .entry(11, .purchased, offer: "spring"),
    ])
    func `a plain payment isn't answered by a transaction with a user or an offer`(transaction: StoreTransaction) {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(transaction), .unsolicited)
        expectEqual(machine.news(.entry(12, .purchased)), .answer(id, .plain))
    }

    @Test func `a transaction with an owner isn't bound by a duplicate report`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.duplicate(.entry(11, .purchased)), .unsolicited)
        expectEqual(machine.slot?.bound, nil)
        expectEqual(machine.news(.entry(12, .purchased)), .answer(id, .plain))
    }

    @Test func `a transaction that is restored during a restore belongs to the restore`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(
            machine.report(.entry(11, .restored), isNewReport: true, isRestoring: true, now: .seconds(0)), .unsolicited)
        expectEqual(machine.slot?.bound, nil)
        expectEqual(
            machine.report(.entry(12, .purchased), isNewReport: true, isRestoring: true, now: .seconds(0)),
            .answer(id, .plain))
    }

    @Test func `a bound payment is answered as restored, even during a restore`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(11, .purchasing)), .progress)
        expectEqual(
            machine.report(.entry(11, .restored), isNewReport: true, isRestoring: true, now: .seconds(0)),
            .answer(id, .plain))
    }

    @Test func `two equal payments are answered by their own transactions, in turn`() {
        var machine = PaymentStateMachine()
        let first = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(11, .purchased)), .answer(first, .plain))
        let second = machine.begin(mark: 11)
        expectEqual(machine.duplicate(.entry(11, .purchased)), .candidate(second))
        expectEqual(machine.news(.entry(12, .purchased)), .answer(second, .plain))
    }

    @Test func `an abandoned payment's transaction doesn't answer the next payment`() {
        var machine = PaymentStateMachine()
        let first = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(11, .purchasing)), .progress)
        expectEqual(machine.cancel(first), .abandon)
        let second = machine.begin(mark: 11)
        expectEqual(machine.news(.entry(11, .failed)), .unsolicited)
        expectEqual(machine.news(.entry(12, .purchased)), .answer(second, .plain))
    }

    @Test func `the transaction of a timed-out payment isn't attributed`() {
        var machine = PaymentStateMachine()
        let id = machine.begin(mark: 10)
        expectEqual(machine.news(.entry(11, .purchasing)), .progress)
        machine.end(id)
        expectEqual(machine.news(.entry(11, .purchased)), .unsolicited)
    }
}
