import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct PaymentApprovalTests {
    /// The approval of call a is pending, for the transaction 11.
    private static let deferred = "begin a quantity 3, report 11 deferred quantity 3 → pending a with 3 coins"

    static let scripts =
        [
            Script(
                "a deferred payment returns the pending purchase to its call, and frees the slot",
                "\(deferred), slot → none, approvals → 11"),
            Script(
                "a payment can be deferred after it was purchasing",
                """
                begin a, report 11 purchasing → progress, report 11 deferred → pending a with 1 coins
                approvals → 11
                """),
            Script(
                "a removal before the outcome loses the approval, once",
                "\(deferred), remove 11 → approval of a lost, approvals → none, remove 11 → none"),
            Script(
                "an approval doesn't answer the equal payment that has the slot by then",
                """
                \(deferred), begin b quantity 3 mark 11, report 11 purchased quantity 3 → resolved a
                slot → b, candidate → none, report 12 purchased quantity 3 → answers b
                """),
            Script(
                "several approvals are resolved, each by its own transaction",
                """
                \(deferred), begin b mark 11, report 12 deferred → pending b with 1 coins
                report 12 failed → resolved b, report 11 purchased quantity 3 → resolved a, remembered → 0
                """),
            Script(
                "a canceled call doesn't return a pending purchase, and its approval is unsolicited",
                """
                begin a, report 11 purchasing → progress, cancel a → abandon, report 11 deferred → unsolicited
                report 11 purchased → unsolicited, remembered → 0
                """),
        ]
        + ["purchased", "failed", "restored"].map { state in
            Script(
                "the outcome resolves the approval, once: \(state)",
                """
                \(deferred), report 11 \(state) quantity 3 → resolved a, approvals → none
                report 11 \(state) quantity 3 → unsolicited
                """)
        }
        + ["deferred", "purchasing"].map { state in
            Script(
                "without an outcome the approval isn't resolved: \(state)",
                "\(deferred), report 11 \(state) quantity 3 → progress, approvals → 11")
        }

    @Test(arguments: scripts) func `a purchase waits for its approval`(script: Script) {
        var payments = PaymentScript()
        script.play { payments.perform($0) }
    }
}
