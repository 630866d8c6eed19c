import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The states of a transaction, by its deliverer.
@Suite(.bounded) struct StoreDeliveryTests {
    private let call = CallID()
    private let token = TransactionToken.entry(11)

    /// A store that has submitted a payment for coins.
    private func paying(_ style: Deliverer.CallStyle, installed: Bool) -> StoreStateMachine {
        var store = StoreStateMachine()
        if installed { store.deliveryInstalled() }
        _ = store.buy(call, style: style)
        return store
    }

    @Test(arguments: [false, true])
    func `the closure of a call delivers its transaction, which is finished when the closure returns`(installed: Bool) {
        var store = paying(.closure, installed: installed)
        let actions = store.report(.entry(11, .purchased))
        expectEqual(actions.purchase(by: call)?.isDelivered, false)
        expectEqual(actions.purchase(by: call)?.cause, .requested)
        #expect(actions.deliveries.isEmpty && actions.offered.isEmpty && actions.finished.isEmpty)
        expectEqual(store.diagnostics(isRestoring: false).held.map(\.reason), [.delivering])
        #expect(store.outstandingPurchases.isEmpty)
        store.closureEnded([token], delivered: true)
        expectEqual(store.perform().finished, [token])
    }

    @Test(arguments: [false, true])
    func `if the closure throws, the purchase stays unfinished and is offered to subscribers only`(installed: Bool) {
        var store = paying(.closure, installed: installed)
        _ = store.report(.entry(11, .purchased))
        store.closureEnded([token], delivered: false)
        let actions = store.perform()
        expectEqual(actions.offered.map(\.transaction.token), [token])
        expectEqual(actions.offered.first?.cause, .unsolicited)
        expectEqual(actions.reports, actions.offered.map { .purchase($0) })
        #expect(actions.finished.isEmpty && actions.deliveries.isEmpty)
        expectEqual(store.outstandingPurchases.map(\.transaction.token), [token])
        store.closureEnded([token, .entry(99)], delivered: false)
        expectEqual(store.perform(), [], "the transaction was offered, and the other one is unknown")
    }

    @Test func `an installed delivery handles the purchase of a call without a closure before the call returns`() throws
    {
        var store = paying(.plain, installed: true)
        let actions = store.report(.entry(11, .purchased))
        expectEqual(actions.response(to: call), nil)
        let delivery = try #require(actions.deliveries.first)
        expectEqual(delivery.job.cause, .requested)
        expectEqual(delivery.job.attempt, 0)
        expectEqual(delivery.records.map(\.isDelivered), [false])
        store.deliveryEnded(delivery.job.id, .accepted)
        let ended = store.perform()
        expectEqual(ended.finished, [token])
        expectEqual(ended.purchase(by: call)?.isDelivered, true)
        #expect(ended.offered.isEmpty, "the transaction belongs to the call")
    }

    @Test func `two entries of one purchase in one report are delivered once, and both are finished`() throws {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        let rows = [11, 12].map { (number: UInt64) in
            var row = StoreTransaction.entry(number, .restored, of: "pro")
            row.report.original = StoreTransaction.Original(id: "original", purchaseDate: nil)
            return row
        }
        _ = store.transactionsReported(rows)
        let delivery = try #require(store.perform().deliveries.first)
        expectEqual(delivery.records.map(\.transaction.token), [token])
        store.deliveryEnded(delivery.job.id, .accepted)
        expectEqual(Set(store.perform().finished), [token, .entry(12)])
    }

    @Test func `an installed delivery handles an unsolicited purchase before the stream receives it`() throws {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        let actions = store.report(.entry(11, .purchased))
        #expect(actions.offered.isEmpty)
        expectEqual(actions.reports, [])
        let delivery = try #require(actions.deliveries.first)
        expectEqual(delivery.job.cause, .unsolicited)
        store.deliveryEnded(delivery.job.id, .accepted)
        let ended = store.perform()
        expectEqual(ended.finished, [token])
        expectEqual(ended.offered.map(\.isDelivered), [true])
        expectEqual(ended.reports, ended.offered.map { .purchase($0) })
    }

    @Test func `a rejected purchase is finished, and its call or the failures stream receives the error`() throws {
        for isCalled in [true, false] {
            var store = isCalled ? paying(.plain, installed: true) : StoreStateMachine()
            if !isCalled { store.deliveryInstalled() }
            let delivery = try #require(store.report(.entry(11, .purchased)).deliveries.first)
            store.deliveryEnded(delivery.job.id, .rejected(reason: "A joke card."))
            let ended = store.perform()
            expectEqual(ended.finished, [token])
            let error = StoreError(.deliveryRejected, "A joke card.")
            expectEqual(ended.failure(of: call), (isCalled ? error : nil))
            expectEqual(ended.failures.map(\.error), (isCalled ? [] : [error]))
            #expect(ended.offered.isEmpty)
        }
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
            let next = store.retryPolicy.pause(failures: 2, asked: nil, because: nil, key: key, now: .seconds(10))
            expectEqual(ended.seconds(of: .deliveryRetry), next.end.timeIntervalSince(.seconds(10)))
        }
    }

    @Test
    func `without a delivery the caller owns a purchase, which stays unfinished and is offered to new subscribers`() {
        var store = paying(.plain, installed: false)
        let actions = store.report(.entry(11, .purchased))
        expectEqual(actions.purchase(by: call)?.transaction.token, token)
        #expect(actions.offered.isEmpty && actions.finished.isEmpty)
        expectEqual(store.diagnostics(isRestoring: false).held.map(\.reason), [.returnedToCaller])
        expectEqual(store.outstandingPurchases.map(\.transaction.token), [token])
        #expect(store.outstandingBatch.isEmpty, "subscribers to batches receive the purchases without a call")
    }

    @Test func `without a delivery every subscriber owns an unsolicited purchase, which stays unfinished`() {
        var store = StoreStateMachine()
        let actions = store.report(.entry(11, .purchased))
        expectEqual(actions.offered.map(\.transaction.token), [token])
        #expect(actions.finished.isEmpty)
        expectEqual(store.diagnostics(isRestoring: false).held.map(\.reason), [.offered])
        expectEqual(store.outstandingPurchases.count, 1)
        expectEqual(store.outstandingBatch.count, 1)
    }

    @Test func `an approval without a call is outstanding for subscribers to batches, and one with a call isn't`() {
        var store = paying(.plain, installed: false)
        #expect(store.report(.entry(11, .deferred)).response(to: call) != nil)
        #expect(store.outstandingBatch.isEmpty)
        _ = store.report(.entry(12, .deferred, of: "gems"))
        expectEqual(store.outstandingBatch.map(\.transaction.token), [.entry(12)])
    }

    @Test func `a pending purchase that is removed elsewhere is no longer pending, and fails`() throws {
        var store = paying(.plain, installed: false)
        _ = store.report(.entry(11, .deferred))
        expectEqual(store.pendingPurchases.map(\.productID), ["coins"])
        store.remove([.entry(11)])
        let actions = store.perform()
        #expect(actions.contains(.sendPendingPurchases([])))
        expectEqual(actions.failures.map(\.error.code), [.transactionRemoved])
    }

    @Test func `when the queue's list lacks the offered entry of a purchase, its other entry is offered`() {
        var store = StoreStateMachine()
        expectEqual(store.report(.entry(11, .purchased)).offered.map(\.transaction.token), [token])
        var copy = StoreTransaction.entry(12, .restored)
        copy.report.original = StoreTransaction.Original(id: "paid-11", purchaseDate: nil)
        expectEqual(store.report(copy).reports, [])
        store.removeUnlisted([token])
        #expect(store.actions.contains(.forget([token])))
        expectEqual(store.perform().offered.map(\.transaction.token), [.entry(12)])
    }

    @Test func `a failed delivery isn't part of a batch that was sent`() throws {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        let delivery = try #require(store.report(.entry(11, .purchased)).deliveries.first)
        store.deliveryEnded(delivery.job.id, .rejected(reason: "A joke card."))
        expectEqual(store.perform().reports.map(\.record), [nil])
    }

    @Test func `a newly installed delivery takes over offered purchases, but not those of callers`() {
        var store = paying(.plain, installed: false)
        _ = store.report(.entry(11, .purchased))
        _ = store.report(.entry(12, .purchased))
        store.deliveryInstalled()
        expectEqual(store.perform().deliveries.map(\.job.tokens), [[.entry(12)]])
        store.deliveryInstalled()
        let again = store.perform()
        #expect(again.deliveries.isEmpty)
        expectEqual(again.logged.map(\.level), [.notice])
    }

    @Test func `a failed transaction is finished immediately, and its call or the failures stream receives the error`()
    {
        var store = paying(.plain, installed: true)
        let answered = store.report(.entry(11, .failed))
        expectEqual(answered.finished, [token])
        expectEqual(answered.response(to: call), .success(.userCancelled(StoreError(.userCancelled, "Cancelled."))))
        #expect(answered.failures.isEmpty)
        let unasked = store.report(.entry(12, .failed))
        expectEqual(unasked.finished, [.entry(12)])
        expectEqual(unasked.failures.map(\.transaction.token), [.entry(12)])
        #expect(unasked.deliveries.isEmpty)
    }

    @Test func `an observing store delivers, and finishes nothing`() throws {
        var store = StoreStateMachine(mode: .observing)
        store.deliveryInstalled()
        let delivery = try #require(store.report(.entry(11, .purchased)).deliveries.first)
        store.deliveryEnded(delivery.job.id, .accepted)
        #expect(store.perform().finished.isEmpty)
        #expect(store.report(.entry(12, .failed)).finished.isEmpty)
    }

    @Test func `unsolicited restored transactions are delivered together, purchased ones one by one`() {
        var store = StoreStateMachine()
        store.deliveryInstalled()
        let batch: [StoreTransaction] = [
            .entry(1, .restored), .entry(2, .purchased), .entry(3, .restored), .entry(4, .purchased),
        ]
        _ = store.transactionsReported(batch)
        expectEqual(store.perform().deliveries.map { $0.job.tokens.map(\.serial) }, [[2], [4], [1, 3]])
    }
}

// Other observers.
extension StoreDeliveryTests {
    /// A store with an installed delivery that is delivering as many transactions as it can, and calls whose purchases
    /// wait behind them.
    /// - Returns: The store, and its running deliveries: first those without a call, or those with one if there are
    ///   calls.
    private func busy(_ calls: [CallID]) -> (store: StoreStateMachine, running: [DeliveryStateMachine.Job]) {
        var store = StoreStateMachine(paymentResponseTimeout: 0)
        store.deliveryInstalled()
        var running: [DeliveryStateMachine.Job] = []
        for serial: UInt64 in 1...4 where !calls.isEmpty {
            _ = store.buy(CallID(), "news \(serial)", newest: 0)
            running += store.report(.entry(serial, .purchased, of: "news \(serial)")).deliveries.map(\.job)
        }
        _ = store.transactionsReported((1...4).map { .entry(calls.isEmpty ? $0 : $0 + 4, .purchased, of: "news") })
        running += store.perform().deliveries.map(\.job)
        for (index, id) in calls.enumerated() {
            _ = store.buy(id, "pro \(index)", newest: 10)
            #expect(store.report(.entry(11 + UInt64(index), .purchased, of: "pro \(index)")).deliveries.isEmpty)
        }
        return (store, running)
    }

    @Test func `a transaction that is finished before its delivery starts isn't delivered, and its call throws`() throws
    {
        var (store, running) = busy([call])
        #expect(throws: Never.self) { try store.finish(token, newest: token).get() }
        _ = store.perform()
        store.deliveryEnded(running[0].id, .accepted)
        let actions = store.perform()
        #expect(actions.deliveries.isEmpty)
        expectEqual(actions.purchase(by: call)?.isDelivered, true)
        expectEqual(actions.finished, [.entry(1)], "the transaction isn't finished twice")
    }

    @Test func `a transaction that leaves the queue before its delivery starts fails its call`() {
        var (store, running) = busy([call])
        store.remove([token])
        store.deliveryEnded(running[0].id, .accepted)
        let actions = store.perform()
        #expect(actions.deliveries.isEmpty)
        expectEqual(actions.failure(of: call)?.code, .transactionRemoved)
    }

    @Test func `finishing a purchase that left the queue finishes the transaction with which the purchase came back`() {
        var (store, running) = busy([])
        _ = store.buy(call, "pro", style: .closure)
        _ = store.report(.entry(11, .purchased, of: "pro"))
        store.closureEnded([token], delivered: false)
        expectEqual(store.perform().offered.map(\.transaction.token), [token])
        store.remove([token])
        var again = StoreTransaction.entry(12, .purchased, of: "pro")
        again.report.id = "paid-11"
        #expect(store.report(again).deliveries.isEmpty, "the delivery waits for an earlier one")
        #expect(throws: StoreError(.transactionFinished, "The transaction has been finished before.")) {
            try store.finish(token, newest: .entry(12)).get()
        }
        expectEqual(store.perform().finished, [.entry(12)])
        store.deliveryEnded(running[0].id, .accepted)
        let actions = store.perform()
        #expect(actions.deliveries.isEmpty)
        expectEqual(actions.finished, [.entry(1)])
    }

    @Test func `a purchase that leaves the queue before its delivery starts is delivered when it comes back`() {
        var (store, running) = busy([])
        #expect(store.report(.entry(11, .purchased)).deliveries.isEmpty)
        store.remove([token])
        var again = StoreTransaction.entry(12, .purchased)
        again.report.id = "paid-11"
        #expect(store.report(again).deliveries.isEmpty)
        store.deliveryEnded(running[0].id, .accepted)
        let actions = store.perform()
        expectEqual(actions.deliveries.map(\.job.tokens), [[.entry(12)]])
        expectEqual(actions.finished, [.entry(1)])
    }

    @Test func `a call that is canceled during its delivery throws immediately, and the delivery continues`() throws {
        var store = paying(.plain, installed: true)
        let delivery = try #require(store.report(.entry(11, .purchased)).deliveries.first)
        store.cancelPurchase(call)
        expectEqual(store.perform().failure(of: call)?.code, .taskCancelled)
        store.deliveryEnded(delivery.job.id, .accepted)
        let ended = store.perform()
        expectEqual(ended.finished, [token])
        expectEqual(ended.response(to: call), nil)
        expectEqual(ended.offered.map(\.isDelivered), [true])
        expectEqual(ended.reports, ended.offered.map { .purchase($0) })
    }

    @Test func `many deliveries with nothing left to deliver end without a deep recursion`() {
        let count = 20_000
        var (store, running) = busy([])
        let tokens = (100..<100 + UInt64(count)).map { TransactionToken.entry($0) }
        _ = store.transactionsReported(tokens.map { .entry($0.serial, .purchased) })
        store.remove(tokens)
        for job in running { store.deliveryEnded(job.id, .accepted) }
        #expect(store.perform().deliveries.isEmpty)
        #expect(!store.deliveries.hasWork)
    }

    @Test func `nothing is delivered after the queue has ended`() throws {
        var (store, running) = busy([call])
        store.termination = StoreError(.backendUnavailable, "")
        store.deliveryEnded(running[0].id, .accepted)
        let actions = store.perform()
        #expect(actions.deliveries.isEmpty)
        #expect(actions.finished.isEmpty)
    }
}
