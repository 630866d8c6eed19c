import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The states of a transaction, by its deliverer.
@Suite(.bounded) struct StoreDeliveryTests {
    private let call = CallID()

    /// A store that has submitted a payment for coins.
    private func paying(_ style: Deliverer.CallStyle, installed: Bool) -> StoreStateMachine {
        var store = StoreStateMachine()
        if installed { store.deliveryInstalled() }
        _ = store.buy(call, style: style)
        return store
    }

    /// A script for a store without a delivery, and for one with an installed delivery.
    private static func withAndWithoutDelivery(_ name: String, _ steps: String) -> Script {
        Script(name, "\(steps), silence 30, install, \(steps)")
    }

    /// A store with an installed delivery that is delivering as many transactions as it can.
    private static let busy = """
        install
        batch 1:purchased 2:purchased 3:purchased 4:purchased → deliver 1 unsolicited + deliver 2 unsolicited + \
        deliver 3 unsolicited + deliver 4 unsolicited
        """

    /// The same with calls: their deliveries have places of their own. The purchase of call a waits behind them.
    private static let busyWithCalls =
        "silence 0, install, "
        + (5...8).map { number in
            """
            buy \(number) news\(number) newest 0 → submit news\(number)
            report \(number) purchased of news\(number) → deliver \(number) requested
            """
        }.joined(separator: "\n") + "\n" + busy.dropFirst(8) + """

            buy a pro → submit pro, report 11 purchased of pro → none
            """

    static let scripts = [
        withAndWithoutDelivery(
            "the closure of a call delivers its transaction, which is finished when the closure returns",
            """
            buy a closure → submit coins, report 11 purchased → a: 11, held → delivering, outstanding → none
            close 11 → finish 11
            """),
        withAndWithoutDelivery(
            "if the closure throws, the purchase stays unfinished and is offered to subscribers only",
            """
            buy a closure → submit coins, report 11 purchased → a: 11, close 11 failing → offer 11
            outstanding → 11, close 11 99 failing → none
            """),
        Script(
            "an installed delivery handles the purchase of a call without a closure before the call returns",
            """
            install, buy a → submit coins, report 11 purchased → deliver 11 requested
            accept 1 → notice + finish 11 + a: 11 delivered
            """),
        Script(
            "an installed delivery handles an unsolicited purchase before the stream receives it",
            "install, report 11 purchased → deliver 11 unsolicited, accept 1 → notice + finish 11 + offer 11 delivered"),
        Script(
            "two entries of one purchase in one report are delivered once, and both are finished",
            "install, rows 11:pro:a 12:pro:a → deliver 11 unsolicited, accept 1 → notice + finish 11 + finish 12 + offer 11 delivered"
        ),
        Script(
            "a rejected purchase is finished, and its call receives the error",
            """
            install, buy a → submit coins, report 11 purchased → deliver 11 requested
            reject 1 → error + finish 11 + a: a joke
            """),
        Script(
            "a rejected purchase without a call is a failure, and isn't part of a batch",
            "install, report 11 purchased → deliver 11 unsolicited, reject 1 → error + finish 11 + fail 11: a joke"),
        Script(
            "without a delivery the caller owns a purchase, which stays unfinished and is offered to new subscribers",
            """
            buy a → submit coins, report 11 purchased → a: 11, held → returnedToCaller, outstanding → 11
            outstandingBatch → none
            """),
        Script(
            "without a delivery every subscriber owns an unsolicited purchase, which stays unfinished",
            "report 11 purchased → offer 11, held → offered, outstanding → 11, outstandingBatch → 11"),
        Script(
            "an approval without a call is outstanding for subscribers to batches, and one with a call isn't",
            """
            buy a → submit coins, report 11 deferred → a: pending + pending coins, outstandingBatch → none
            report 12 deferred of gems → pending coins + gems, outstandingBatch → 12
            """),
        Script(
            "a pending purchase that is removed elsewhere is no longer pending, and fails",
            """
            buy a → submit coins, report 11 deferred → a: pending + pending coins, pending → coins
            remove 11 → forget 11 + pending none + fail 11: transactionRemoved, pending → none
            """),
        Script(
            "when the queue's list lacks the offered entry of a purchase, its other entry is offered",
            "report 11 purchased → offer 11, rows 12:coins:paid-11 → none, unlist 11 → forget 11 + offer 12"),
        Script(
            "a newly installed delivery takes over offered purchases, but not those of callers",
            """
            buy a → submit coins, report 11 purchased → a: 11, report 12 purchased → offer 12
            install, perform → deliver 12 unsolicited, install, perform → notice
            """),
        Script(
            "a failed transaction is finished immediately, and its call or the failures stream receives the error",
            """
            install, buy a → submit coins, report 11 failed → finish 11 + a: canceled
            report 12 failed → fail 12: userCancelled in a batch + finish 12
            """),
        Script(
            "an observing store delivers, and finishes nothing",
            """
            observing, install, report 11 purchased → warning + deliver 11 unsolicited
            accept 1 → notice + offer 11 delivered
            report 12 failed → fail 12: userCancelled in a batch
            """),
        Script(
            "unsolicited restored transactions are delivered together, purchased ones one by one",
            """
            install
            batch 1:restored 2:purchased 3:restored 4:purchased → deliver 2 unsolicited + deliver 4 unsolicited + \
            deliver 1 and 3 unsolicited
            """),
        Script(
            "a call that is canceled during its delivery throws immediately, and the delivery continues",
            """
            install, buy a → submit coins, report 11 purchased → deliver 11 requested
            cancel a → a: taskCancelled, accept 1 → notice + finish 11 + offer 11 delivered requested
            """),
        // Other observers.
        Script(
            "a purchase that another observer finishes during its delivery isn't finished again",
            """
            install, report 11 purchased → deliver 11 unsolicited, remove 11 → forget 11
            accept 1 → notice + offer 11 delivered
            """),
        Script(
            "a purchase whose delivery waits for the server is delivered for the call that it answers",
            """
            install, buy a → submit coins, answers a 11 purchased → deliver 11 requested
            delay 1 → warning + a: deliveryPending + retry 7, buy b → submit coins
            answers b 11 purchased → stop retry + deliver 11 older again requested
            accept 2 → notice + finish 11 + b: 11 older delivered
            """),
        Script(
            "a transaction that is finished before its delivery starts isn't delivered, and its call returns it",
            "\(busyWithCalls), finish 11 → finish 11, accept 1 → notice + finish 5 + 5: 5 delivered + a: 11 delivered"),
        Script(
            "a transaction that leaves the queue before its delivery starts fails its call",
            """
            \(busyWithCalls), remove 11 → forget 11
            accept 1 → notice + finish 5 + 5: 5 delivered + a: transactionRemoved
            """),
        Script(
            "finishing a purchase that left the queue finishes the transaction with which the purchase came back",
            """
            \(busy), buy a pro closure → submit pro, report 11 purchased of pro → a: 11
            close 11 failing → offer 11, remove 11 → forget 11, report 12 purchased of pro as paid-11 → none
            finish 11 → transactionFinished, perform → finish 12
            accept 1 → notice + finish 1 + offer 1 delivered
            """),
        Script(
            "a purchase that leaves the queue before its delivery starts is delivered when it comes back",
            """
            \(busy), report 11 purchased → none, remove 11 → forget 11, report 12 purchased as paid-11 → none
            accept 1 → notice + finish 1 + offer 1 delivered + deliver 12 unsolicited
            """),
        Script(
            "nothing is delivered after the queue has ended",
            "\(busyWithCalls), terminate, accept 1 → notice + 5: 5 delivered"),
    ]

    @Test(arguments: scripts) func `a purchase is delivered, then finished`(script: Script) {
        var store = StoreScript()
        script.play { store.perform($0) }
    }

    @Test(arguments: ["Your account is being checked.", nil])
    func `the reason of a delayed delivery is underneath the error of the call`(
        reason: String?
    ) throws {
        var store = paying(.plain, installed: true)
        let delivery = try #require(store.report(.entry(11, .purchased)).deliveries.first)
        store.deliveryEnded(delivery.job.id, .retryLater(after: 5, reason: reason))
        let error = try #require(store.perform().failure(of: call))
        expectEqual(error.code, .deliveryPending)
        expectEqual((error.underlying as? StoreError)?.message, reason)
    }

    @Test func `a delayed delivery is tried again as a further attempt, and its call is answered once`() throws {
        for isCalled in [true, false] {
            var store = isCalled ? paying(.plain, installed: true) : StoreStateMachine()
            if !isCalled { store.deliveryInstalled() }
            let delivery = try #require(store.report(.entry(11, .purchased)).deliveries.first)
            store.deliveryEnded(delivery.job.id, .retryLater(after: 5))
            var ended = store.perform()
            #expect(ended.finished.isEmpty)
            expectEqual(ended.failure(of: call)?.code, (isCalled ? .deliveryPending : nil))
            expectEqual(ended.failures.map(\.error.code), (isCalled ? [] : [.deliveryPending]))
            let pause = try #require(ended.seconds(of: .deliveryRetry))
            let key = delivery.records[0].transaction.deliveryKey
            let policy = DeliveryRetryPolicy().pause(failures: 1, asked: 5, because: nil, key: key, now: store.now)
            expectEqual(pause, policy.end.timeIntervalSince(store.now))
            expectEqual(ended.logged.map(\.level), [.warning])
            expectEqual(store.diagnostics(isRestoring: false).held.map(\.reason), [.pendingRetry])

            let again = try #require(store.fire(.deliveryRetry, at: .seconds(10)).deliveries.first)
            expectEqual(again.job.attempt, 1)
            expectEqual(again.records.map(\.isRedelivery), [true])
            expectEqual(store.diagnostics(isRestoring: false).held.map(\.reason), [.delivering])
            store.deliveryEnded(again.job.id, .retryLater)
            ended = store.perform()
            #expect(ended.failures.isEmpty, "the call has already returned")
            let next = StoreStateMachine.retryPolicy.pause(
                failures: 2, asked: nil, because: nil, key: key, now: .seconds(10))
            expectEqual(ended.seconds(of: .deliveryRetry), next.end.timeIntervalSince(.seconds(10)))
        }
    }

    @Test func `a delivered purchase is reported with whether the app had it before`() throws {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        let delivery = try #require(store.report(.entry(11, .purchased)).deliveries.first)
        store.deliveryEnded(delivery.job.id, .retryLater(after: 5))
        _ = store.perform()
        let again = try #require(store.fire(.deliveryRetry, at: .seconds(10)).deliveries.first)
        store.deliveryEnded(again.job.id, .accepted)
        expectEqual(store.perform().offered.map(\.isRedelivery), [true])
    }

    @Test func `many deliveries with nothing left to deliver end without a deep recursion`() {
        let count = 20_000
        var store = StoreStateMachine()
        store.deliveryInstalled()
        _ = store.transactionsReported((1...4).map { .entry($0, .purchased, of: "news") })
        let running = store.perform().deliveries.map(\.job)
        let tokens = (100..<100 + UInt64(count)).map { TransactionToken.entry($0) }
        _ = store.transactionsReported(tokens.map { .entry($0.serial, .purchased) })
        store.remove(tokens)
        for job in running { store.deliveryEnded(job.id, .accepted) }
        #expect(store.perform().deliveries.isEmpty)
        #expect(!store.deliveries.hasWork)
    }
}
