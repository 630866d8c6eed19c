import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A store's behavior with payments about which StoreKit is silent.
@Suite(.bounded) struct StorePatienceTests {
    private let first = CallID()
    private let second = CallID()
    private let third = CallID()

    /// A store with a silent payment for coins.
    private func silent(patience: TimeInterval = 30, timeout: TimeInterval? = nil) -> StoreStateMachine {
        var store = StoreStateMachine(paymentResponseTimeout: patience)
        expectEqual(store.buy(first, "coins", timeout: timeout).submitted, ["coins"])
        return store
    }

    @Test func `a single payment starts no timer`() {
        var store = StoreStateMachine()
        expectEqual(store.buy(first, "coins").seconds(of: .paymentPatience), nil)
    }

    @Test func `a call for another product starts after the timeout, and the log and the diagnostics report that`() {
        var store = silent()
        store.now = .seconds(10)
        expectEqual(store.buy(second, "gems").seconds(of: .paymentPatience), 20)
        #expect(store.diagnostics(isRestoring: false).unresponsivePayments.isEmpty)
        let actions = store.fire(.paymentPatience, at: .seconds(30))
        expectEqual(actions.submitted, ["gems"])
        expectEqual(actions.logged.map(\.level), [.warning])
        expectEqual(actions.logged.first?.message.contains("\"coins\""), true)
        expectEqual(actions.logged.first?.message.contains("30.0 seconds"), true)
        let diagnostics = store.diagnostics(isRestoring: false)
        expectEqual(diagnostics.inFlight?.productID, "gems")
        expectEqual(diagnostics.unresponsivePayments.map(\.productID), ["coins"])
        expectEqual(diagnostics.waitingPayments, 0)
    }

    @Test func `the silent call is answered when its transaction arrives, and is no longer silent`() {
        var store = silent()
        _ = store.buy(second, "gems")
        _ = store.fire(.paymentPatience, at: .seconds(30), newest: 20)
        expectEqual(
            store.report(.entry(21, .purchased, of: "coins")).purchase(by: first)?.transaction.token, .entry(21))
        #expect(store.diagnostics(isRestoring: false).unresponsivePayments.isEmpty)
        expectEqual(
            store.report(.entry(22, .purchased, of: "gems")).purchase(by: second)?.transaction.token, .entry(22))
    }

    @Test func `a call for the same product times out, and the silent payment keeps its attribution`() {
        var store = silent()
        expectEqual(store.buy(second, "coins").seconds(of: .paymentPatience), 30)
        let actions = store.fire(.paymentPatience, at: .seconds(30), newest: 20)
        #expect(actions.submitted.isEmpty)
        expectEqual(actions.failure(of: second)?.code, .timedOut)
        expectEqual(actions.seconds(of: .paymentPatience), nil)
        store.now = .seconds(40)
        expectEqual(store.buy(third, "coins").failure(of: third)?.code, .timedOut, "the call fails at once")
        expectEqual(
            store.report(.entry(21, .purchased, of: "coins")).purchase(by: first)?.transaction.token, .entry(21))
        expectEqual(store.buy(CallID(), "coins").submitted, ["coins"])
    }

    @Test func `an app that is suspended doesn't miss the answer to a payment, and its calls don't time out`() {
        var store = silent()
        _ = store.buy(second, "coins")
        // The app was suspended from the 2nd second to the 35th: the timer is overdue, and something else comes first.
        store.now = .seconds(35)
        expectEqual(store.report(.entry(12, .purchased, of: "maps")).failure(of: second)?.code, nil)
        // The timer counts the time in which the app runs.
        expectEqual(store.fire(.paymentPatience, at: .seconds(63)).failure(of: second)?.code, .timedOut)
        // The suspension isn't part of the later waits either: the payment has been silent for 30 seconds, and the
        // tenfold timeout is 300.
        store.now = .seconds(332)
        expectEqual(store.buy(third, "coins").failure(of: third)?.code, .timedOut)
        store.now = .seconds(333)
        expectEqual(store.buy(CallID(), "coins").submitted, ["coins"])
    }

    @Test func `payments don't grow silent while the app is in the background`() {
        var store = silent()
        store.now = .seconds(10)
        store.appMoved(isInBackground: true)
        store.now = .seconds(1_000)
        store.appMoved(isInBackground: false)
        expectEqual(store.buy(second, "gems").seconds(of: .paymentPatience), 20)
        store.now = .seconds(1_005)
        store.appMoved(isInBackground: true)
        store.now = .seconds(2_000)
        store.appMoved(isInBackground: false)
        #expect(store.report(.entry(12, .purchased, of: "maps")).submitted.isEmpty)
        expectEqual(store.fire(.paymentPatience, at: .seconds(2_015)).submitted, ["gems"])
    }

    @Test func `a call for the same product times out after 30 seconds, however long other products wait`() {
        var store = silent(patience: 300)
        expectEqual(store.buy(second, "gems").seconds(of: .paymentPatience), 300)
        store.now = .seconds(10)
        expectEqual(store.buy(third, "coins").seconds(of: .paymentPatience), 20)
        let actions = store.fire(.paymentPatience, at: .seconds(30))
        expectEqual(actions.failure(of: third)?.code, .timedOut)
        expectEqual(actions.failure(of: third)?.message.contains("30.0 seconds"), true)
        #expect(actions.submitted.isEmpty)
        expectEqual(actions.seconds(of: .paymentPatience), 270)
        store.now = .seconds(31)
        let late = CallID()
        expectEqual(store.buy(late, "coins").failure(of: late)?.code, .timedOut)
        expectEqual(store.fire(.paymentPatience, at: .seconds(300)).submitted, ["gems"])
    }

    @Test func `a product can be bought again after ten times the timeout if the queue never had its silent payment`() {
        var store = silent()
        store.now = .seconds(299)
        expectEqual(store.buy(second, "coins").failure(of: second)?.code, .timedOut)
        store.now = .seconds(300)
        expectEqual(store.buy(third, "coins").submitted, ["coins"])
    }

    @Test func `a product can't be bought again while the queue has its silent payment`() {
        var store = silent()
        _ = store.report(.entry(11, .purchasing, of: "coins"))
        store.now = .seconds(100_000)
        expectEqual(store.buy(second, "coins").failure(of: second)?.code, .timedOut)
        store.remove([.entry(11)])
        _ = store.perform()
        expectEqual(store.buy(third, "coins").submitted, ["coins"])
    }

    @Test func `a silent payment doesn't hold back calls for another product for long`() {
        var store = silent()
        _ = store.buy(second, "gems")
        expectEqual(store.fire(.paymentPatience, at: .seconds(30)).submitted, ["gems"])
        store.now = .seconds(41)
        expectEqual(store.buy(third, "coins").failure(of: third)?.code, .timedOut, "the call fails at once")
    }

    @Test func `calls that wait for the same turn start one timer`() {
        var store = silent()
        expectEqual(store.buy(second, "gems").seconds(of: .paymentPatience), 30)
        store.now = .seconds(7.3)
        expectEqual(store.buy(third, "pro").seconds(of: .paymentPatience), nil)
    }

    @Test func `a purchasing report restarts the timer`() {
        var store = silent()
        _ = store.buy(second, "gems")
        store.now = .seconds(20)
        _ = store.report(.entry(11, .purchasing))
        let actions = store.fire(.paymentPatience, at: .seconds(30))
        #expect(actions.submitted.isEmpty)
        expectEqual(actions.seconds(of: .paymentPatience), 20)
        expectEqual(store.fire(.paymentPatience, at: .seconds(50)).submitted, ["gems"])
    }

    @Test func `the next call starts at once if the running payment has been silent for long`() {
        var store = silent()
        store.now = .seconds(31)
        expectEqual(store.buy(second, "gems").submitted, ["gems"])
    }

    @Test(arguments: [0, -1, TimeInterval.nan])
    func `with a zero or invalid timeout payments are submitted immediately`(
        patience: TimeInterval
    ) {
        var store = silent(patience: patience)
        expectEqual(store.buy(second, "coins").submitted, ["coins"])
        let actions = store.buy(third, "gems")
        expectEqual(actions.submitted, ["gems"])
        expectEqual(actions.seconds(of: .paymentPatience), nil)
    }

    @Test func `the third call also waits for the second payment's timeout`() {
        var store = silent()
        _ = store.buy(second, "gems")
        _ = store.buy(third, "pro")
        store.now = .seconds(5)
        let actions = store.report(.entry(11, .purchased, of: "coins"))
        expectEqual(actions.submitted, ["gems"])
        expectEqual(store.fire(.paymentPatience, at: .seconds(30)).seconds(of: .paymentPatience), 5)
        expectEqual(store.fire(.paymentPatience, at: .seconds(35)).submitted, ["pro"])
    }

    @Test func `a submission starts the timer for the calls behind it`() {
        var store = StoreStateMachine()
        let calls = [first, second, third]
        for (id, product) in zip(calls, ["coins", "gems", "pro"]) {
            store.purchase(id, PaymentStateMachine.Call(request: PaymentRequest(productID: product), style: .plain))
        }
        expectEqual(store.perform().seconds(of: .paymentPatience), 30)
        store.cancelPurchase(first)
        store.now = .seconds(1)
        let actions = store.perform()
        expectEqual(actions.submitted, ["gems"])
        expectEqual(store.fire(.paymentPatience, at: .seconds(31)).submitted, ["pro"])
    }

    @Test func `with an infinite timeout no timer is started`() {
        var store = silent(patience: .infinity)
        expectEqual(store.buy(second, "gems"), [])
    }

    @Test func `a canceled call of a silent payment throws, and its transaction is offered later`() {
        var store = silent()
        _ = store.buy(second, "gems")
        _ = store.fire(.paymentPatience, at: .seconds(30), newest: 20)
        store.cancelPurchase(first)
        expectEqual(store.perform().failure(of: first)?.code, .taskCancelled)
        let actions = store.report(.entry(21, .purchased, of: "coins"))
        expectEqual(actions.offered.map(\.transaction.token), [.entry(21)])
        expectEqual(actions.response(to: first), nil)
        expectEqual(actions.response(to: second), nil)
    }

    @Test func `a silent call has its own timeout, from its submission`() {
        var store = StoreStateMachine()
        expectEqual(store.buy(first, "coins", timeout: 100).seconds(of: .paymentTimeout(first)), 100)
        _ = store.buy(second, "gems")
        _ = store.fire(.paymentPatience, at: .seconds(30), newest: 20)
        expectEqual(store.fire(.paymentTimeout(first), at: .seconds(100)).failure(of: first)?.code, .timedOut)
        expectEqual(store.report(.entry(21, .purchased, of: "coins")).offered.count, 1)
        #expect(store.report(.entry(22, .purchased, of: "gems")).purchase(by: second) != nil)
    }

    @Test func `a payment that times out while others wait frees the slot at once`() {
        var store = silent(timeout: 5)
        _ = store.buy(second, "coins")
        let actions = store.fire(.paymentTimeout(first), at: .seconds(5))
        expectEqual(actions.failure(of: first)?.code, .timedOut)
        expectEqual(actions.submitted, ["coins"])
    }

    @Test func `a payment that is answered with an older transaction frees the slot`() {
        var store = StoreStateMachine()
        _ = store.report(.entry(5, .purchased))
        _ = store.buy(first)
        _ = store.buy(second, "gems")
        _ = store.report(.entry(5, .purchased))
        let actions = store.fire(.preexistingAnswer(first), at: .seconds(3))
        expectEqual(actions.purchase(by: first)?.isPreexisting, true)
        expectEqual(actions.submitted, ["gems"])
    }

    @Test func `the backend releases payments without a call, and payments that were overtaken`() {
        var store = silent(timeout: 100)
        _ = store.buy(second, "gems")
        #expect(store.fire(.paymentPatience, at: .seconds(30)).contains(.release(first)))
        #expect(store.fire(.paymentTimeout(first), at: .seconds(100)).contains(.release(first)))
        store.cancelPurchase(second)
        #expect(store.perform().contains(.release(second)))
    }

    @Test func `nothing starts after the queue has ended`() {
        var store = silent()
        _ = store.buy(second, "gems")
        store.termination = StoreError(.backendUnavailable, "")
        expectEqual(store.fire(.paymentPatience, at: .seconds(30)), [])
    }
}
