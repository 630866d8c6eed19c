import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit

/// A store's calls of `restore`, with the restore's state machine.
@Suite(.bounded) struct StoreRestoreTests {
    private let call = CallID()
    private let purchase = CallID()

    /// A store and its restore.
    private struct Restoring {
        var store = StoreStateMachine()
        var restore = RestoreStateMachine()

        mutating func begin(_ id: CallID, _ style: Deliverer.CallStyle = .plain, takesPartial: Bool = false)
            -> [StoreAction]
        {
            _ = restore.restoreRequested(id)
            store.restoreStarted(id, .init(applicationUsername: nil, style: style, takesPartial: takesPartial))
            return store.perform()
        }

        mutating func report(_ batch: StoreTransaction...) -> [StoreAction] {
            let rows = store.transactionsReported(batch, during: restore.phase)
            restore.rowsReported(rows)
            return store.perform()
        }

        mutating func end(failure: StoreError? = nil) -> [StoreAction] {
            store.restoreEnded(restore.restoreEnded(), failure: failure)
            return store.perform()
        }

        mutating func cancel(_ id: CallID) -> [StoreAction] {
            store.cancelRestore(id, restore.cancel(id))
            return store.perform()
        }
    }

    private func row(_ serial: UInt64, of product: String = "coins", original: String? = nil) -> StoreTransaction {
        var row = StoreTransaction.entry(serial, .restored, of: product)
        row.report.original = original.map { StoreTransaction.Original(id: $0, purchaseDate: nil) }
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

    static let scripts = [
        Script(
            "restored transactions go to the call when the restore ends, and aren't offered before",
            """
            restore r → inactivity of r 300, rows 1 2 → inactivity of r 300
            end → stop inactivity of r + r: 1 and 2, held → returnedToCaller + returnedToCaller, restoreCalls → 0
            """),
        Script(
            "the installed delivery receives all restored purchases together, and the call returns afterwards",
            """
            install, restore r → inactivity of r 300, rows 1 2 → inactivity of r 300
            end → stop inactivity of r + deliver 1 and 2 restored, accept 1 → finish 1 + finish 2 + r: 1 delivered and 2 delivered
            """),
        Script(
            "a restore without purchases is answered at once, with an installed delivery",
            "install, restore r → inactivity of r 300, end → stop inactivity of r + r: nothing"),
        Script(
            "a failed restore fails its call, and the transactions so far are offered",
            """
            restore r → inactivity of r 300, rows 1 → inactivity of r 300
            end failing → stop inactivity of r + r: no network + offer 1
            """),
        Script(
            "a transaction that is finished during the restore isn't treated as unfinished at its end",
            """
            restore r → inactivity of r 300, rows 1 → inactivity of r 300, finish 1 → finish 1
            end → stop inactivity of r + r: 1 delivered, held → none, outstanding → none
            """),
        Script(
            "a canceled call throws, and its transactions are offered, also those that arrive later",
            """
            restore r → inactivity of r 300, rows 1 → inactivity of r 300
            cancelRestore r → stop inactivity of r + r: canceled + offer 1
            rows 2 → inactivity of r 300 + offer 2
            cancelRestore r → none, end → stop inactivity of r
            """),
        Script(
            "a call that is canceled during its delivery throws, and the delivery continues",
            """
            install, restore r → inactivity of r 300, rows 1 → inactivity of r 300
            end → stop inactivity of r + deliver 1 restored, cancelRestore r → r: canceled delivery
            accept 1 → finish 1 + offer 1 delivered
            """),
        Script(
            "a purchase during a restore doesn't belong to the restore",
            """
            restore r → inactivity of r 300, report 1 purchased → offer 1
            rows 2 → inactivity of r 300, end → stop inactivity of r + r: 2
            """),
        // A payment for an owned product may be answered as restored.
        Script(
            "a payment that is answered as restored during a restore has its answer at the restore's end",
            """
            buy p pro → submit pro, restore r → inactivity of r 300
            rows 11:pro:a 12:coins:b 13:pro:a → inactivity of r 300
            end → stop inactivity of r + p: 13 + r: 11 and 12
            """),
        Script(
            "a payment has its answer if the restore's own row came before the payment",
            """
            restore r → inactivity of r 300, rows 5:pro:a → inactivity of r 300, buy p pro → submit pro
            rows 11:pro:a → inactivity of r 300, end → stop inactivity of r + p: 11 + r: 5
            """),
        Script(
            "a payment has its answer if the restore's call was canceled",
            """
            buy p pro → submit pro, restore r → inactivity of r 300, rows 11:pro:a → inactivity of r 300
            cancelRestore r → stop inactivity of r + r: canceled + offer 11, rows 12:pro:a → inactivity of r 300
            end → stop inactivity of r + p: 12 older
            """),
        // The purchase isn't delivered twice at once.
        Script(
            "a payment has its answer if the restore's call was canceled, with an installed delivery",
            """
            buy p pro → submit pro, install, restore r → inactivity of r 300, rows 11:pro:a → inactivity of r 300
            cancelRestore r → stop inactivity of r + r: canceled + deliver 11 unsolicited
            rows 12:pro:a → inactivity of r 300
            end → stop inactivity of r + p: 12 older delivered
            """),
        Script(
            "a purchase that was restored once belongs to the restore, and the payment still waits",
            """
            buy p pro → submit pro, restore r → inactivity of r 300
            rows 11:pro:a 12:pro:b 13:pro 14:pro → inactivity of r 300
            end → stop inactivity of r + settling of p 3 + r: 11 and 12 and 13 and 14, isSubmitted p → yes
            """),
        Script(
            "a payment behind an answered one starts when the restore ends",
            """
            buy p pro → submit pro, buy q gems → silence 30, restore r → inactivity of r 300
            rows 11:pro:a 12:pro:a → inactivity of r 300, end → stop inactivity of r + p: 12 + submit gems + r: 11
            """),
        Script(
            "a payment behind an answered one starts when a canceled restore ends",
            """
            buy p pro → submit pro, buy q gems → silence 30, restore r → inactivity of r 300
            cancelRestore r → stop inactivity of r + r: canceled
            rows 11:pro:a 12:pro:a → inactivity of r 300 + offer 11, end → stop inactivity of r + p: 12 older + submit gems
            """),
        Script(
            "a transaction that was finished elsewhere isn't delivered when the restore fails",
            """
            install, restore r → inactivity of r 300, rows 1 2:gems → inactivity of r 300, remove 1 → none
            end failing → stop inactivity of r + r: no network + deliver 2 unsolicited
            """),
    ]

    @Test(arguments: scripts) func `a restore answers its call`(script: Script) {
        var store = StoreScript()
        script.play { store.perform($0) }
    }

    @Test func `the closure of a call delivers its rows, with or without an installed delivery`() {
        var world = Restoring()
        world.store.deliveryInstalled()
        _ = world.begin(call, .closure)
        _ = world.report(row(1))
        let ended = world.end()
        expectEqual(rows(ended), [1])
        #expect(ended.deliveries.isEmpty)
        expectEqual(world.store.diagnostics(isRestoring: false).held.map(\.reason), [.delivering])
    }

    @Test func `a call that accepts partial results receives them with the failure, unless a delivery is installed`() {
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

}

// A restore may bring a purchase that is being delivered, as a transaction of its own.
extension StoreRestoreTests {
    /// A store whose closure is delivering transaction 11, and whose restore has ended with a row of the same purchase.
    private func deliveringWhatIsRestored(enclosing: Set<String> = []) -> (world: Restoring, ended: [StoreAction]) {
        var world = Restoring()
        _ = world.store.buy(purchase, "pro", style: .closure)
        _ = world.report(.entry(11, .purchased, of: "pro"))
        _ = world.begin(call)
        world.store.restoreCalls[call]?.enclosing = enclosing
        _ = world.report(row(12, of: "pro", original: "paid-11"))
        let ended = world.end()
        return (world, ended)
    }

    @Test func `a purchase is offered if its delivery fails after a restore has stopped waiting for the delivery`() {
        var (world, ended) = deliveringWhatIsRestored()
        expectEqual(rows(ended), nil)
        expectEqual(rows(world.store.fire(.restoreInactivity(call), at: .seconds(300))), [12])
        world.store.closureEnded([.entry(11)], delivered: false)
        expectEqual(world.store.perform().offered.map(\.transaction.token), [.entry(11)])
        expectEqual(world.store.diagnostics(isRestoring: false).held.map(\.reason), [.offered, .offered])
    }

    @Test func `a purchase is offered if its delivery fails after a restore within that delivery`() {
        var (world, ended) = deliveringWhatIsRestored(enclosing: ["paid-11"])
        expectEqual(rows(ended), [12])
        world.store.closureEnded([.entry(11)], delivered: false)
        expectEqual(world.store.perform().offered.map(\.transaction.token), [.entry(11)])
    }

    @Test func `a restore that waits for a delivery gives its row to the installed delivery, and its timer stops`()
        throws
    {
        var (world, _) = deliveringWhatIsRestored()
        world.store.deliveryInstalled()
        world.store.closureEnded([.entry(11)], delivered: false)
        let actions = world.store.perform()
        let delivery = try #require(actions.deliveries.first)
        expectEqual(actions.deliveries.count, 1)
        #expect(response(actions) == nil && actions.contains(.stop(.restoreInactivity(call))))
        world.store.deliveryEnded(delivery.job.id, .accepted)
        expectEqual(rows(world.store.perform()), [12])
    }

    @Test func `a restore that waits for a delivery is answered when the delivery ends, and its timer stops`() {
        var (world, ended) = deliveringWhatIsRestored()
        expectEqual(ended.seconds(of: .restoreInactivity(call)), 300)
        world.store.closureEnded([.entry(11)], delivered: true)
        let actions = world.store.perform()
        expectEqual(rows(actions), [12])
        #expect(actions.contains(.stop(.restoreInactivity(call))))
    }

    @Test func `a restored transaction is finished with the delivery that the restore has stopped waiting for`() {
        var (world, _) = deliveringWhatIsRestored()
        _ = world.store.fire(.restoreInactivity(call), at: .seconds(300))
        world.store.closureEnded([.entry(11)], delivered: true)
        expectEqual(world.store.perform().finished, [.entry(11), .entry(12)])
        #expect(world.store.diagnostics(isRestoring: false).held.isEmpty)
    }

    @Test func `a retry that waits for a slot doesn't deliver a purchase of a restore`() throws {
        var world = Restoring()
        world.store.deliveryInstalled()
        let first = try #require(world.report(.entry(1, .purchased)).deliveries.first)
        _ = world.store.transactionsReported((2...4).map { .entry($0, .purchased) })
        let running = world.store.perform().deliveries.map(\.job)
        expectEqual(running.count, 3)
        world.store.deliveryEnded(first.job.id, .retryLater(after: 5))
        #expect(world.store.fire(.deliveryRetry, at: .seconds(10)).deliveries.isEmpty, "others are on their way")
        _ = world.begin(call, .closure)
        world.restore.rowsReported(world.store.restoredReported([restoredEntry(1)], during: world.restore.phase))
        expectEqual(rows(world.end()), [1])
        world.store.closureEnded([.entry(1)], delivered: false)
        expectEqual(world.store.perform().offered.map(\.transaction.token), [.entry(1)])
        world.store.deliveryEnded(running[0].id, .accepted)
        #expect(world.store.perform().deliveries.isEmpty, "the subscribers have the purchase")
    }

    @Test func `a delivery with nothing left to deliver isn't treated as the delivery of a restored purchase`() {
        var world = Restoring()
        world.store.deliveryInstalled()
        let running = keepDeliveriesBusy(in: &world, with: 1...4)
        #expect(world.report(.entry(11, .purchased)).deliveries.isEmpty, "the delivery waits for a slot")
        _ = world.begin(call, .closure)
        world.restore.rowsReported(world.store.restoredReported([restoredEntry(11)], during: world.restore.phase))
        expectEqual(rows(world.end()), nil)
        world.store.remove([.entry(11)])
        world.store.deliveryEnded(running[0].id, .accepted)
        expectEqual(rows(world.store.perform()), [11])
        var again = StoreTransaction.entry(12, .purchased)
        again.report.id = "paid-11"
        #expect(world.report(again).finished.isEmpty, "the closure hasn't returned")
        world.store.closureEnded([.entry(11)], delivered: false)
        expectEqual(world.store.perform().deliveries.map(\.job.tokens), [[.entry(12)]])
    }

    @Test func `a restore claims the entry with which the purchase of a row came back`() {
        var world = Restoring()
        _ = world.begin(call, .closure)
        world.restore.rowsReported(world.store.restoredReported([restoredEntry(1)], during: world.restore.phase))
        world.store.remove([.entry(1)])
        var again = StoreTransaction.entry(2, .purchased)
        again.report.id = "paid-1"
        expectEqual(world.report(again).offered.map(\.transaction.token), [.entry(2)])
        expectEqual(rows(world.end()), [2])
        #expect(world.store.outstandingPurchases.isEmpty, "a loop that begins now isn't offered the purchase")
        world.store.closureEnded([.entry(2)], delivered: false)
        expectEqual(world.store.perform().offered.map(\.transaction.token), [.entry(2)])
    }

    /// Begins as many deliveries as can run at once.
    private func keepDeliveriesBusy(
        in world: inout Restoring, with serials: ClosedRange<UInt64>
    ) -> [DeliveryStateMachine.Job] {
        _ = world.store.transactionsReported(serials.map { .entry($0, .purchased) })
        let running = world.store.perform().deliveries.map(\.job)
        expectEqual(running.count, DeliveryStateMachine.limit)
        return running
    }

    /// The row with which StoreKit 2 restores an entry.
    private func restoredEntry(_ serial: UInt64) -> StoreTransaction {
        var restored = StoreTransaction.entry(serial, .restored)
        restored.report.signedText = SignedText(id: "\(serial)", jws: { "" }, payload: { Data() })
        return restored
    }
}
