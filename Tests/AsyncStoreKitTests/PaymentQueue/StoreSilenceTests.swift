import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A store's behavior with payments about which StoreKit is silent.
@Suite(.bounded) struct StoreSilenceTests {
    private let first = CallID()
    private let second = CallID()
    private let third = CallID()

    /// A store with a silent payment for coins.
    private func silent(responseTimeout: TimeInterval = 30, timeout: TimeInterval? = nil) -> StoreStateMachine {
        var store = StoreStateMachine(paymentResponseTimeout: responseTimeout)
        expectEqual(store.buy(first, "coins", timeout: timeout).submitted, ["coins"])
        return store
    }

    static let scripts = [
        Script("a single payment starts no timer", "buy a → submit coins"),
        Script(
            "the silent call is answered when its transaction arrives, and is no longer silent",
            """
            buy a → submit coins, buy b gems → silence 30
            silenceEnds at 30 newest 20 → release a + warning + submit gems, silent → coins
            report 21 purchased → a: 21, silent → none
            report 22 purchased of gems → b: 22
            """),
        Script(
            "a call for the same product times out, and the silent payment keeps its attribution",
            """
            buy a → submit coins, buy b → silence 30, silenceEnds at 30 newest 20 → b: timedOut
            buy c at 40 → c: timedOut, report 21 purchased → a: 21, buy d → submit coins
            """),
        // The app was suspended from the 2nd second to the 35th: the timer is overdue, and something else comes first.
        // The timer counts the time in which the app runs. The suspension isn't part of the later waits either: the
        // payment has been silent for 30 seconds, and the tenfold timeout is 300.
        Script(
            "an app that is suspended doesn't miss the answer to a payment, and its calls don't time out",
            """
            buy a → submit coins, buy b → silence 30, report 12 purchased of maps at 35 → offer 12
            silenceEnds at 63 → b: timedOut, buy c at 332 → c: timedOut, buy d at 333 → release a + warning + submit coins
            """),
        Script(
            "payments don't grow silent while the app is in the background",
            """
            buy a → submit coins, background at 10 → none, foreground at 1000 → none, buy b gems → silence 20
            background at 1005 → none, foreground at 2000 → none, report 12 purchased of maps → offer 12
            silenceEnds at 2015 → release a + warning + submit gems
            """),
        Script(
            "a product can be bought again after ten times the timeout if the queue never had its silent payment",
            "buy a → submit coins, buy b at 299 → b: timedOut, buy c at 300 → release a + warning + submit coins"),
        Script(
            "a product can't be bought again while the queue has its silent payment",
            """
            buy a → submit coins, report 11 purchasing → none, buy b at 100000 → b: timedOut
            remove 11 → forget 11 + a: transactionRemoved, buy c → submit coins
            """),
        // The last call fails at once.
        Script(
            "a silent payment doesn't hold back calls for another product for long",
            """
            buy a → submit coins, buy b gems → silence 30, silenceEnds at 30 → release a + warning + submit gems
            buy c at 41 → c: timedOut
            """),
        Script(
            "calls that wait for the same turn start one timer",
            "buy a → submit coins, buy b gems → silence 30, buy c pro at 7.3 → none"),
        Script(
            "a purchasing report restarts the timer",
            """
            buy a → submit coins, buy b gems → silence 30, report 11 purchasing at 20 → none
            silenceEnds at 30 → silence 20, silenceEnds at 50 → release a + warning + submit gems
            """),
        Script(
            "the next call starts at once if the running payment has been silent for long",
            "buy a → submit coins, buy b gems at 31 → release a + warning + submit gems"),
        Script(
            "the third call also waits for the second payment's timeout",
            """
            buy a → submit coins, buy b gems → silence 30, buy c pro → none
            report 11 purchased at 5 → a: 11 + submit gems
            silenceEnds at 30 → silence 5, silenceEnds at 35 → release b + warning + submit pro
            """),
        Script(
            "a submission starts the timer for the calls behind it",
            """
            queue a coins, queue b gems, queue c pro, perform → submit coins + silence 30
            cancel a → release a + a: taskCancelled + submit gems, silenceEnds at 31 → release b + warning + submit pro
            """),
        Script(
            "with an infinite timeout no timer is started",
            "silence inf, buy a → submit coins, buy b gems → none"),
        Script(
            "a canceled call of a silent payment throws, and its transaction is offered later",
            """
            buy a → submit coins, buy b gems → silence 30, silenceEnds at 30 newest 20 → release a + warning + submit gems
            cancel a → release a + a: taskCancelled, report 21 purchased → offer 21
            """),
        Script(
            "a silent call has its own timeout, from its submission",
            """
            buy a timeout 100 → submit coins + timeout of a 100, buy b gems → silence 30
            silenceEnds at 30 newest 20 → release a + warning + submit gems, timeout a at 100 → release a + a: timedOut
            report 21 purchased → offer 21, report 22 purchased of gems → b: 22
            """),
        Script(
            "a payment that times out while others wait frees the slot at once",
            """
            buy a timeout 5 → submit coins + timeout of a 5, buy b → silence 30
            timeout a at 5 → release a + a: timedOut + submit coins
            """),
        Script(
            "a payment that is answered with an older transaction frees the slot",
            """
            report 5 purchased → offer 5, buy a → submit coins, buy b gems → silence 30
            report 5 purchased → settling of a 3, settles a at 3 → a: 5 older + submit gems
            """),
        Script(
            "the backend releases payments without a call, and payments that were overtaken",
            """
            buy a timeout 100 → submit coins + timeout of a 100, buy b gems → silence 30
            silenceEnds at 30 → release a + warning + submit gems, timeout a at 100 → release a + a: timedOut
            cancel b → release b + b: taskCancelled
            """),
        Script(
            "nothing starts after the queue has ended",
            "buy a → submit coins, buy b gems → silence 30, terminate, silenceEnds at 30 → none"),
    ]

    static let rows = ["0", "-1", "nan"].map { timeout in
        Script(
            "with a zero or invalid timeout payments are submitted immediately: \(timeout)",
            """
            silence \(timeout), buy a → submit coins, buy b → release a + warning + submit coins
            buy c gems → release b + warning + submit gems
            """)
    }

    @Test(arguments: scripts + rows) func `a silent payment doesn't block the store`(script: Script) {
        var store = StoreScript()
        script.play { store.perform($0) }
    }

    @Test func `a call for another product starts after the timeout, and the log and the diagnostics report that`() {
        var store = silent()
        store.now = .seconds(10)
        expectEqual(store.buy(second, "gems").seconds(of: .paymentSilence), 20)
        #expect(store.diagnostics(isRestoring: false).unresponsivePayments.isEmpty)
        let actions = store.fire(.paymentSilence, at: .seconds(30))
        expectEqual(actions.submitted, ["gems"])
        expectEqual(actions.logged.map(\.level), [.warning])
        expectEqual(actions.logged.first?.message.contains("\"coins\""), true)
        expectEqual(actions.logged.first?.message.contains("30.0 seconds"), true)
        let diagnostics = store.diagnostics(isRestoring: false)
        expectEqual(diagnostics.inFlight?.productID, "gems")
        expectEqual(diagnostics.unresponsivePayments.map(\.productID), ["coins"])
        expectEqual(diagnostics.waitingPayments, 0)
    }

    @Test func `a call for the same product times out after 30 seconds, however long other products wait`() {
        var store = silent(responseTimeout: 300)
        expectEqual(store.buy(second, "gems").seconds(of: .paymentSilence), 300)
        store.now = .seconds(10)
        expectEqual(store.buy(third, "coins").seconds(of: .paymentSilence), 20)
        let actions = store.fire(.paymentSilence, at: .seconds(30))
        expectEqual(actions.failure(of: third)?.code, .timedOut)
        expectEqual(actions.failure(of: third)?.message.contains("30.0 seconds"), true)
        #expect(actions.submitted.isEmpty)
        expectEqual(actions.seconds(of: .paymentSilence), 270)
        store.now = .seconds(31)
        let late = CallID()
        expectEqual(store.buy(late, "coins").failure(of: late)?.code, .timedOut)
        expectEqual(store.fire(.paymentSilence, at: .seconds(300)).submitted, ["gems"])
    }
}
