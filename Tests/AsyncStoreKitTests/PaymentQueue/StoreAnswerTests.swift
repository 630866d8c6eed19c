import TestHarness
import Testing

/// Reports of a queue that attributes transactions to payments.
@Suite(.bounded) struct StoreAnswerTests {
    static let scripts = [
        Script(
            "the answer belongs to the call, with any token and any product",
            """
            buy a → submit coins, answers a 1 purchased of gems → a: 1, buy b → submit coins
            answers b 10 purchased of gems → b: 10, buy c → submit coins, answers c 11 purchased of gems → c: 11
            submitted → none
            """),
        Script(
            "a transaction that the queue calls unsolicited answers no call, and is offered",
            """
            buy a → submit coins, unsolicited 11 purchased → offer 11, isSubmitted a → yes
            answers a 12 purchased → a: 12
            """),
        Script(
            "the answer to a call that has ended is offered",
            "buy a → submit coins, cancel a → release a + a: taskCancelled, answers a 11 purchased → offer 11"),
        Script(
            "an answer frees the slot for the next call",
            """
            buy a → submit coins, buy b gems → silence 30, submitted → coins
            answers a 11 failed → finish 11 + a: canceled + submit gems, submitted → gems
            """),
        Script(
            "a preexisting answer is marked as such",
            "buy a → submit coins, answers a 11 purchased earlier → a: 11 older"),
        Script(
            "an answer that was offered before is a preexisting one, and belongs to its caller",
            """
            buy a → submit coins, unsolicited 5 purchased → offer 5, answers a 5 purchased → a: 5 older
            held → returnedToCaller
            """),
        Script(
            "a finished answer has nothing left to deliver, and is finished again",
            """
            buy a → submit coins, unsolicited 5 purchased → offer 5, finish 5 → finish 5
            answers a 5 purchased → finish 5 + a: 5 older delivered
            """),
        Script(
            "a pending answer is resolved by a transaction that the queue calls unsolicited",
            """
            buy a → submit coins, answers a 11 deferred → a: pending + pending coins, pending → coins
            unsolicited 11 purchased → pending none + offer 11 approved, pending → none
            """),
        Script(
            "restored rows belong to the running restore, and are offered without a restore",
            """
            restore r → inactivity of r 300, signed 1 → none, end → stop inactivity of r + r: 1
            signed 3 → offer 3
            """),
    ]

    @Test(arguments: scripts) func `a queue says which call a transaction answers`(script: Script) {
        var store = StoreScript()
        script.play { store.perform($0) }
    }
}
