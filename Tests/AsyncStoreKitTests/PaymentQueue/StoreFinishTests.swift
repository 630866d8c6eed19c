import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Answers that report a delivery come after the finish of its transaction, over a backend that takes time to finish.
@Suite(.bounded) struct StoreFinishTests {
    private let first = CallID()
    private let second = CallID()
    private let token = TransactionToken.entry(11)

    /// A store whose installed delivery has the purchase of a call.
    private func delivering() throws -> (store: StoreStateMachine, job: DeliveryStateMachine.Job) {
        var store = StoreStateMachine()
        store.waitsForFinish = true
        store.deliveryInstalled()
        _ = store.buy(first)
        let delivery = try #require(store.report(.entry(11, .purchased)).deliveries.first)
        return (store, delivery.job)
    }

    /// A store whose installed delivery has accepted the purchase of a call.
    private func accepted() throws -> StoreStateMachine {
        var (store, job) = try delivering()
        store.deliveryEnded(job.id, .accepted)
        let actions = store.perform()
        expectEqual(actions.finished, [token])
        #expect(actions.response(to: first) == nil, "the transaction isn't finished")
        return store
    }

    @Test func `a purchase for the installed delivery is answered when its transaction is finished`() throws {
        var store = try accepted()
        store.finished(.entry(99))
        #expect(store.perform().response(to: first) == nil)
        store.finished(token)
        expectEqual(store.perform().purchase(by: first)?.isDelivered, true)
        store.finished(token)
        expectEqual(store.perform(), [])
    }

    @Test func `a rejection is reported when its transaction is finished`() throws {
        var (store, job) = try delivering()
        store.deliveryEnded(job.id, .rejected(reason: "No."))
        #expect(store.perform().response(to: first) == nil)
        store.finished(token)
        expectEqual(store.perform().failure(of: first)?.code, .deliveryRejected)
    }

    @Test func `a delivery that will be tried again is reported at once, because nothing is finished`() throws {
        var (store, job) = try delivering()
        store.deliveryEnded(job.id, .retryLater)
        expectEqual(store.perform().failure(of: first)?.code, .deliveryPending)
    }

    @Test func `an answer waits five seconds at most for the App Store, each from its own beginning`() throws {
        var store = try accepted()
        store.now = .seconds(2)
        _ = store.buy(second, "gems")
        let delivery = try #require(store.report(.entry(12, .purchased, of: "gems")).deliveries.first)
        store.deliveryEnded(delivery.job.id, .accepted)
        #expect(store.perform().response(to: second) == nil)
        let actions = store.fire(.answerLimit, at: .seconds(5))
        expectEqual(actions.purchase(by: first)?.isDelivered, true)
        #expect(actions.response(to: second) == nil)
        expectEqual(actions.seconds(of: .answerLimit), 2)
        expectEqual(store.fire(.answerLimit, at: .seconds(7)).purchase(by: second)?.isDelivered, true)
        expectEqual(store.heldAnswers.count, 0)
        store.finished(token)
        expectEqual(store.perform(), [])
    }

    @Test func `a canceled call doesn't wait for the finish`() throws {
        var store = try accepted()
        store.cancelPurchase(first)
        expectEqual(store.perform().purchase(by: first)?.isDelivered, true)
    }

    @Test func `a closed store answers at once`() throws {
        var store = try accepted()
        store.releaseAnswers()
        expectEqual(store.perform().purchase(by: first)?.isDelivered, true)
        var (terminated, job) = try delivering()
        terminated.termination = StoreError(.backendUnavailable, "")
        terminated.deliveryEnded(job.id, .accepted)
        #expect(terminated.perform().response(to: first) != nil, "nothing is finished any more")
    }

    @Test func `finish() is answered when the transaction is finished, also a second call meanwhile`() {
        var store = StoreStateMachine()
        store.waitsForFinish = true
        _ = store.buy(first)
        #expect(store.report(.entry(11, .purchased)).purchase(by: first) != nil, "nothing is finished yet")
        let (one, two, three) = (CallID(), CallID(), CallID())
        store.finish(token, for: one, newest: .entry(11))
        store.finish(token, for: two, newest: .entry(11))
        let actions = store.perform()
        expectEqual(actions.finished, [token])
        #expect(!actions.contains(.answer(one, nil)) && !actions.contains(.answer(two, nil)))
        store.finished(token)
        expectEqual(store.perform(), [.answer(one, nil), .answer(two, nil)])
        store.finish(token, for: three, newest: .entry(11))
        guard case .answer(three, let error)? = store.perform().first else {
            Issue.record("not answered")
            return
        }
        expectEqual(error?.code, .transactionFinished)
    }

    @Test func `a closure with several purchases is answered when all are finished`() {
        var store = StoreStateMachine()
        store.waitsForFinish = true
        store.requestFinish(token)
        store.requestFinish(.entry(12))
        store.answer(first, afterFinishing: [token, .entry(12), .entry(13)])
        store.finished(.entry(12))
        expectEqual(store.perform().filter { $0 == .answer(first, nil) }, [])
        store.finished(token)
        expectEqual(store.perform(), [.answer(first, nil)])
    }
}
