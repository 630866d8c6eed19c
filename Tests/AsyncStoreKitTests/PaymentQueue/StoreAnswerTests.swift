import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// Reports of a queue that attributes transactions to payments.
@Suite(.bounded) struct StoreAnswerTests {
    private func buying(_ products: String..., style: Deliverer.CallStyle = .plain) -> (StoreStateMachine, [CallID]) {
        var store = StoreStateMachine()
        let ids = products.map { product in
            let id = CallID()
            store.purchase(id, .init(request: PaymentRequest(productID: product), style: style))
            return id
        }
        _ = store.perform()
        return (store, ids)
    }

    private func answer(
        _ store: inout StoreStateMachine, _ id: CallID, _ transaction: StoreTransaction, isEarlier: Bool = false
    ) -> [StoreAction] {
        store.paymentAnswered(id, with: transaction, isPreexisting: isEarlier)
        return store.perform()
    }

    private func unsolicited(
        _ store: inout StoreStateMachine, _ batch: StoreTransaction...
    ) -> [StoreAction] {
        store.unsolicitedReported(batch)
        return store.perform()
    }

    @Test(arguments: [UInt64(1), 10, 11])
    func `the answer belongs to the call, with any token and any product`(serial: UInt64) {
        var (store, ids) = buying("coins")
        let record = answer(&store, ids[0], .entry(serial, .purchased, of: "gems")).purchase(by: ids[0])
        expectEqual(record?.transaction.productID, "gems")
        expectEqual(record?.isPreexisting, false)
        #expect(store.payments.submitted.isEmpty)
    }

    @Test func `a transaction that the queue calls unsolicited answers no call, and is offered`() {
        var (store, ids) = buying("coins")
        let actions = unsolicited(&store, .entry(11, .purchased))
        expectEqual(actions.offered.map(\.transaction.token), [.entry(11)])
        #expect(store.payments.isSubmitted(ids[0]))
        expectEqual(answer(&store, ids[0], .entry(12, .purchased)).purchase(by: ids[0])?.transaction.token, .entry(12))
    }

    @Test func `the answer to a call that has ended is offered`() {
        var (store, ids) = buying("coins")
        store.cancelPurchase(ids[0])
        _ = store.perform()
        expectEqual(answer(&store, ids[0], .entry(11, .purchased)).offered.map(\.transaction.token), [.entry(11)])
    }

    @Test func `an answer frees the slot for the next call`() {
        var (store, ids) = buying("coins", "gems")
        expectEqual(store.payments.submitted.map(\.id), [ids[0]])
        _ = answer(&store, ids[0], .entry(11, .failed))
        expectEqual(store.payments.submitted.map(\.id), [ids[1]])
    }

    @Test func `a preexisting answer is marked as such, even if it was offered before`() {
        var (store, ids) = buying("coins")
        let first = answer(&store, ids[0], .entry(11, .purchased), isEarlier: true).purchase(by: ids[0])
        expectEqual(first?.isPreexisting, true)
        expectEqual(first?.isDelivered, false)
        (store, ids) = buying("coins")
        _ = unsolicited(&store, .entry(5, .purchased))
        let second = answer(&store, ids[0], .entry(5, .purchased)).purchase(by: ids[0])
        expectEqual(second?.isPreexisting, true)
        expectEqual(second?.isDelivered, false)
        expectEqual(store.ledger[.entry(5)]?.state, .withCaller)
    }

    @Test func `a finished answer has nothing left to deliver`() {
        var (store, ids) = buying("coins")
        _ = unsolicited(&store, .entry(5, .purchased))
        _ = store.finish(.entry(5), newest: .entry(10))
        _ = store.perform()
        let actions = answer(&store, ids[0], .entry(5, .purchased))
        expectEqual(actions.purchase(by: ids[0])?.isDelivered, true)
        #expect(actions.contains(.finish(.entry(5))), "the transaction is finished again")
    }

    @Test func `a pending answer is resolved by a transaction that the queue calls unsolicited`() {
        var (store, ids) = buying("coins")
        let told = answer(&store, ids[0], .entry(11, .deferred))
        guard
            case .respond(_, to: .success(.pending(let pending, _)))? = told.first(where: { $0.isResponse(to: ids[0]) })
        else {
            Issue.record("The call didn't return a pending purchase.")
            return
        }
        expectEqual(store.pendingPurchases, [pending])
        expectEqual(unsolicited(&store, .entry(11, .purchased)).offered.map(\.pendingPurchase), [pending])
        #expect(store.pendingPurchases.isEmpty)
    }

    @Test func `restored rows belong to the running restore, and are offered without a restore`() {
        var (store, _) = buying()
        let id = CallID()
        store.restoreStarted(id, .init(applicationUsername: nil, style: .plain))
        _ = store.perform()
        expectEqual(store.restoredReported([.entry(1, .restored)], during: .awaited(id)).map(\.token), [.entry(1)])
        expectEqual(store.perform().offered, [])
        expectEqual(store.restoredReported([.entry(3, .restored)], during: .idle), [])
        expectEqual(store.perform().offered.map(\.transaction.token), [.entry(3)])
    }
}

extension StoreAction {
    fileprivate func isResponse(to call: CallID) -> Bool {
        if case .respond(call, to: _) = self { true } else { false }
    }
}
