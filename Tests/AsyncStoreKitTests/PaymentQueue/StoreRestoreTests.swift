import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A store's calls of `restore`, with the machine that knows whether one runs.
@Suite(.bounded) struct StoreRestoreTests {
    private let call = CallID()
    private let purchase = CallID()

    /// A store and its restore.
    private struct Restoring {
        var store = StoreStateMachine()
        var restore = RestoreStateMachine()

        mutating func begin(_ id: CallID, _ style: Deliverer.CallStyle = .plain, takesPartial: Bool = false) -> [StoreAction] {
            _ = restore.begin(id)
            store.restoreStarted(id, .init(applicationUsername: nil, style: style, takesPartial: takesPartial))
            return store.perform()
        }

        mutating func report(_ batch: StoreTransaction...) -> [StoreAction] {
            let rows = store.receive(batch, during: restore.phase)
            restore.add(rows)
            return store.perform()
        }

        mutating func end(failure: StoreError? = nil) -> [StoreAction] {
            store.restoreEnded(restore.end(), failure: failure)
            return store.perform()
        }

        mutating func cancel(_ id: CallID) -> [StoreAction] {
            store.cancelRestore(id, restore.cancel(id))
            return store.perform()
        }
    }

    private func row(_ serial: UInt64, of product: String = "coins", original: String? = nil) -> StoreTransaction {
        var row = StoreTransaction.entry(serial, .restored, of: product)
        row.original = original.map { StoreTransaction.Original(id: $0, purchaseDate: nil) }
        return row
    }

    private let failure = StoreError(.networkError, "No network.")

    private func response(_ actions: [StoreAction]) -> RestoreResult? {
        for case .respondToRestore(call, let result) in actions { return result }
        return nil
    }

    private func rows(_ actions: [StoreAction]) -> [UInt64]? {
        guard case .success(let response) = response(actions) else { return nil }
        return response.records.map(\.transaction.token.serial)
    }

    @Test func `its rows are the call's when it ends, and nobody is offered them before`() {
        var world = Restoring()
        expectEqual(world.begin(call).seconds(of: .restoreInactivity(call)), 300)
        expectEqual(world.report(row(1), row(2)), [.start(.restoreInactivity(call), seconds: 300)])
        let ended = world.end()
        expectEqual(rows(ended), [1, 2])
        #expect(ended.contains(.stop(.restoreInactivity(call))))
        expectEqual(world.store.diagnostics(isRestoring: false).held.map(\.reason), [.handedOver, .handedOver])
        #expect(world.store.restoreCalls.isEmpty)
    }

    @Test func `the rows of a call with a closure are delivered by that, whatever is installed`() {
        var world = Restoring()
        world.store.deliveryInstalled()
        _ = world.begin(call, .closure)
        _ = world.report(row(1))
        let ended = world.end()
        expectEqual(rows(ended), [1])
        #expect(ended.deliveries.isEmpty)
        expectEqual(world.store.diagnostics(isRestoring: false).held.map(\.reason), [.delivering])
    }

    @Test func `an installed delivery is given all rows at once, and the call hears of it afterwards`() throws {
        var world = Restoring()
        world.store.deliveryInstalled()
        _ = world.begin(call)
        _ = world.report(row(1), row(2))
        let ended = world.end()
        expectEqual(response(ended), nil)
        let delivery = try #require(ended.deliveries.first)
        expectEqual(delivery.job.tokens, [.entry(1), .entry(2)])
        expectEqual(delivery.job.cause, .restored)
        world.store.deliveryEnded(delivery.job.id, .accepted)
        let delivered = world.store.perform()
        expectEqual(rows(delivered), [1, 2])
        expectEqual(delivered.finished, [.entry(1), .entry(2)])
    }

    @Test func `a restore that brings nothing is answered at once, whatever is installed`() {
        var world = Restoring()
        world.store.deliveryInstalled()
        _ = world.begin(call)
        expectEqual(rows(world.end()), [])
    }

    @Test func `a failed restore fails its call, and what had come is offered`() {
        var world = Restoring()
        _ = world.begin(call)
        _ = world.report(row(1))
        let ended = world.end(failure: failure)
        expectEqual(response(ended), .failure(failure))
        expectEqual(ended.offered.map(\.transaction.token.serial), [1])
    }

    @Test func `a call that takes what is partial is given what had come, with the failure, unless a delivery is installed`() {
        for isInstalled in [false, true] {
            var world = Restoring()
            if isInstalled { world.store.deliveryInstalled() }
            _ = world.begin(call, takesPartial: true)
            _ = world.report(row(1))
            let ended = world.end(failure: failure)
            if isInstalled {
                expectEqual(response(ended), .failure(failure))
                expectEqual(ended.deliveries.map(\.job.tokens), [[.entry(1)]])
            } else {
                let record = PurchaseRecord(transaction: row(1), cause: .restored)
                expectEqual(response(ended), .success(RestoreResponse(records: [record], failure: failure)))
            }
        }
    }

    @Test func `what is finished by hand while the restore runs is not taken for unfinished when it ends`() {
        var world = Restoring()
        _ = world.begin(call)
        _ = world.report(row(1))
        #expect(throws: Never.self) { try world.store.finish(.entry(1), newest: .entry(1)).get() }
        expectEqual(world.store.perform().finished, [.entry(1)])
        _ = world.end()
        #expect(world.store.diagnostics(isRestoring: false).held.isEmpty)
        #expect(world.store.outstandingPurchases.isEmpty)
    }

    @Test func `a cancelled call is told so, what had come is offered, and what comes still too`() {
        var world = Restoring()
        _ = world.begin(call)
        _ = world.report(row(1))
        let cancelled = world.cancel(call)
        expectEqual(response(cancelled), .failure(.cancelled("the restore")))
        expectEqual(cancelled.offered.map(\.transaction.token.serial), [1])
        expectEqual(world.report(row(2)).offered.map(\.transaction.token.serial), [2])
        expectEqual(world.cancel(call), [])
        expectEqual(response(world.end()), nil)
    }

    @Test func `a call that is cancelled while its rows are delivered is told so, and the delivery goes on`() throws {
        var world = Restoring()
        world.store.deliveryInstalled()
        _ = world.begin(call)
        _ = world.report(row(1))
        let delivery = try #require(world.end().deliveries.first)
        expectEqual(response(world.cancel(call)), .failure(.cancelled("the delivery of a restore")))
        world.store.deliveryEnded(delivery.job.id, .accepted)
        let ended = world.store.perform()
        expectEqual(response(ended), nil)
        expectEqual(ended.offered.map(\.isDelivered), [true])
    }

    @Test func `what is purchased while a restore runs is not the restore's`() {
        var world = Restoring()
        _ = world.begin(call)
        expectEqual(world.report(.entry(1, .purchased), row(2)).offered.map(\.transaction.token.serial), [1])
        expectEqual(rows(world.end()), [2])
    }
}

// A payment for something that is owned already may be answered as restored.
extension StoreRestoreTests {
    private func paying() -> Restoring {
        var world = Restoring()
        _ = world.store.buy(purchase, "pro", newest: 10)
        return world
    }

    @Test func `a payment that is answered as restored while a restore runs has its answer when that ends`() {
        var world = paying()
        _ = world.begin(call)
        _ = world.report(row(11, of: "pro", original: "a"), row(12, of: "coins", original: "b"), row(13, of: "pro", original: "a"))
        let ended = world.end()
        expectEqual(ended.purchase(by: purchase)?.transaction.token, .entry(13))
        expectEqual(rows(ended), [11, 12])
    }

    @Test func `also when the restore's own row came before the payment`() {
        var world = Restoring()
        _ = world.begin(call)
        _ = world.report(row(5, of: "pro", original: "a"))
        _ = world.store.buy(purchase, "pro", newest: 10)
        _ = world.report(row(11, of: "pro", original: "a"))
        let ended = world.end()
        expectEqual(ended.purchase(by: purchase)?.transaction.token, .entry(11))
        expectEqual(rows(ended), [5])
    }

    @Test func `also when nobody waits for the restore any longer`() {
        for isInstalled in [false, true] {
            var world = paying()
            if isInstalled { world.store.deliveryInstalled() }
            _ = world.begin(call)
            _ = world.report(row(11, of: "pro", original: "a"))
            _ = world.cancel(call)
            _ = world.report(row(12, of: "pro", original: "a"))
            let ended = world.end()
            expectEqual(ended.purchase(by: purchase)?.transaction.token, .entry(12))
            expectEqual(ended.purchase(by: purchase)?.answersEarlierPayment, true)
            expectEqual(ended.purchase(by: purchase)?.isDelivered, isInstalled, "it is not delivered twice at once")
        }
    }

    @Test func `what was restored once is the restore's own row, and the payment is still waited for`() {
        var world = paying()
        _ = world.begin(call)
        _ = world.report(row(11, of: "pro", original: "a"), row(12, of: "pro", original: "b"), row(13, of: "pro"), row(14, of: "pro"))
        let ended = world.end()
        expectEqual(ended.response(to: purchase), nil)
        expectEqual(rows(ended), [11, 12, 13, 14])
        #expect(world.store.payments.isSubmitted(purchase))
    }

    @Test func `a payment that waited behind the one that is answered goes on when the restore ends`() {
        for isAwaited in [true, false] {
            var world = paying()
            #expect(world.store.buy(CallID(), "gems").submitted.isEmpty)
            _ = world.begin(call)
            if !isAwaited { _ = world.cancel(call) }
            _ = world.report(row(11, of: "pro", original: "a"), row(12, of: "pro", original: "a"))
            expectEqual(world.end().submitted, ["gems"])
        }
    }

    @Test func `a row that somebody else has finished meanwhile is not delivered when the restore fails`() {
        var world = Restoring()
        world.store.deliveryInstalled()
        _ = world.begin(call)
        _ = world.report(row(1), row(2, of: "gems"))
        world.store.remove([.entry(1)])
        let ended = world.end(failure: failure)
        expectEqual(ended.deliveries.flatMap(\.records).map(\.transaction.token), [.entry(2)])
    }
}
