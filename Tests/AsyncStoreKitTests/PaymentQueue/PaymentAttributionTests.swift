import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PaymentAttributionTests {
    /// The payment `a` is for coins, and the queue's newest entry is number 10 when it is submitted.
    static let scripts = [
        Script(
            "a duplicate report of the bound transaction changes nothing",
            "begin a, report 11 purchasing → progress, repeat 11 purchasing → progress, slot → a"),
        Script(
            "a transaction with an owner isn't bound by a duplicate report",
            "begin a, repeat 11 purchased → unsolicited, bound → none, report 12 purchased → answers a"),
        Script(
            "a transaction that is restored during a restore belongs to the restore",
            "begin a, restored 11 restored → unsolicited, bound → none, restored 12 purchased → answers a"),
        Script(
            "a bound payment is answered as restored, even during a restore",
            "begin a, report 11 purchasing → progress, restored 11 restored → answers a"),
        Script(
            "two equal payments are answered by their own transactions, in turn",
            """
            begin a, report 11 purchased → answers a
            begin b mark 11, repeat 11 purchased → candidate b, report 12 purchased → answers b
            """),
        Script(
            "an abandoned payment's transaction doesn't answer the next payment",
            """
            begin a, report 11 purchasing → progress, cancel a → abandon
            begin b mark 11, report 11 failed → unsolicited, report 12 purchased → answers b
            """),
        Script(
            "the transaction of a timed-out payment isn't attributed",
            "begin a, report 11 purchasing → progress, end a, report 11 purchased → unsolicited"),
        // Older transactions. A candidate doesn't answer yet.
        Script(
            "an older purchased transaction that is reported again is a candidate",
            "begin a, repeat 1 purchased → candidate a, candidate → 1, slot → a"),
        Script(
            "an older restored transaction that is reported again is a candidate",
            "begin a, repeat 1 restored → candidate a, candidate → 1, slot → a"),
        Script(
            "the newest entry before the submission is a candidate when it is purchased",
            "begin a, repeat 10 purchased → candidate a, candidate → 10, slot → a"),
        Script(
            "the newest entry before the submission is a candidate when it is restored",
            "begin a, repeat 10 restored → candidate a, candidate → 10, slot → a"),
        Script(
            "an older transaction of the product is a candidate with any quantity",
            "begin a, report 9 purchased quantity 3 → candidate a"),
        Script(
            "an older transaction of another product is unsolicited",
            "begin a, report 9 purchased of gems → unsolicited, candidate → none, older a → none"),
        Script(
            "a payment without its own transaction is answered with the candidate",
            "begin a, report 9 purchased → candidate a, older a → 9, slot → none, older a → none"),
        Script(
            "a payment with its own transaction isn't answered with the candidate",
            """
            begin a, report 9 purchased → candidate a, report 11 purchasing → progress, older a → none, slot → a
            report 11 purchased → answers a
            """),
        Script(
            "only a submitted payment with a candidate is answered with an older transaction",
            """
            begin a, older a → none, report 9 purchased → candidate a, older b → none, slot → a
            cancel a → abandon, older a → none
            """),
        Script(
            "the candidate that was reported last is used",
            "begin a, report 8 purchased → candidate a, report 9 purchased → candidate a, older a → 9"),
        // Removed transactions.
        Script(
            "a payment whose transaction is removed without an outcome is lost",
            """
            begin a quantity 2, report 11 purchasing quantity 2 → progress
            remove 11 → lost a 2 coins, slot → none, remove 11 → none
            """),
        Script(
            "a payment whose transaction is removed is answered by an older one that was reported before",
            """
            begin a, report 9 purchased → candidate a, report 11 purchasing → progress
            remove 11 → answers a with 9, slot → none
            """),
        // There is nothing to wait for while the payment has a transaction, so transaction 9 isn't a candidate.
        Script(
            "a payment whose transaction is removed is answered by an older one that was reported later",
            """
            begin a, report 11 purchasing → progress, report 9 purchased → unsolicited
            remove 11 → answers a with 9, slot → none
            """),
        Script(
            "the removal of another transaction changes nothing",
            """
            remove 1 → none, begin a, remove 9 → none, report 11 purchasing → progress, remove 12 → none, slot → a
            report 11 purchased → answers a, remove 11 → none
            """),
    ]

    /// Rows for several states of a transaction.
    static let rows =
        ["purchased", "failed", "restored"].flatMap { state in
            [
                Script(
                    "the first newer transaction is the answer, whatever its first outcome is: \(state)",
                    "begin a, report 11 \(state) → answers a, slot → none"),
                Script(
                    "a purchasing transaction is bound to its payment, and its outcome answers the payment: \(state)",
                    """
                    begin a, report 11 purchasing → progress, bound → 11, report 12 purchased → unsolicited, slot → a
                    report 11 \(state) → answers a, slot → none
                    """),
            ]
        }
        + ["purchasing", "failed", "deferred"].map { state in
            Script(
                "a transaction up to the mark is never bound: \(state)",
                """
                begin a, report 1 \(state) → unsolicited, report 10 \(state) → unsolicited
                slot → a, bound → none, candidate → none
                """)
        }
        + StoreTransaction.State.allCases.map { state in
            Script("without a payment every transaction is unsolicited: \(state)", "report 1 \(state) → unsolicited")
        }

    @Test(arguments: scripts + rows) func `a payment is answered by its own transaction`(script: Script) {
        var payments = PaymentScript()
        script.play { payments.perform($0) }
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

}
