import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct RestoreTests {
    /// Returns a launch of an account with three restorable purchases, with a new observer.
    private func launch(_ change: (inout SimulatorBehavior) -> Void = { _ in }) -> (
        SimulatedAppStore, SimulatedLaunch, RecordingObserver
    ) {
        SimulatedAppStore.observed(owning: ["pro", "coins", "themes", "season", "monthly"], change)
    }

    @Test func `a restore reports finished, restorable purchases with new identifiers and the originals`() throws {
        let (store, launch, observer) = launch()
        launch.restoreCompletedTransactions(applicationUsername: "anna")
        store.runUntilIdle()
        expectEqual(observer.log, ["updated pro:restored,themes:restored,monthly:restored", "restore finished"])
        let history = store.allTransactions()
        for transaction in observer.updates {
            let original = try #require(transaction.original)
            #expect(history.contains { $0.transactionID == original.transactionID })
            #expect(!history.contains { $0.transactionID == transaction.transactionID })
            expectEqual(original.payment.productID, transaction.payment.productID)
            expectEqual(transaction.payment.applicationUsername, "anna")
        }
    }

    @Test func `unfinished transactions aren't restored`() {
        let (_, launch, observer) = SimulatedAppStore.observed(buying: ["pro"])
        observer.forget()
        launch.restore()
        expectEqual(observer.log, ["restore finished"])
    }

    @Test func `restoring twice creates two transactions for each purchase`() {
        let (store, launch, observer) = launch()
        launch.restore()
        launch.restoreCompletedTransactions()
        store.runUntilIdle()
        expectEqual(observer.updates.count, 6)
        expectEqual(Set(observer.updates.map(\.id)).count, 6)
        expectEqual(Set(observer.updates.compactMap(\.transactionID)).count, 6)
        expectEqual(Set(observer.updates.compactMap(\.original?.transactionID)).count, 3)
    }

    @Test func `a restore during a restore is ignored`() {
        let (store, launch, observer) = launch { $0.restoreBatchSize = 1 }
        launch.restoreCompletedTransactions()
        store.step()
        launch.restore()
        expectEqual(observer.updates.count, 3)
        expectEqual(observer.log.filter { $0 == "restore finished" }.count, 1)
    }

    @Test func `a restore can begin inside the end of another restore`() {
        let store = SimulatedAppStore.stepped()
        store.own("pro")
        let launch = store.launch()
        let count = OrderLog<Bool>()
        let observer = RecordingObserver { launch, event in
            guard event == .restoreFinished, count.values.isEmpty else { return }
            count.append(true)
            launch.restoreCompletedTransactions()
        }
        launch.add(observer)
        launch.restore()
        expectEqual(
            observer.log, ["updated pro:restored", "restore finished", "updated pro:restored", "restore finished"])
    }

    @Test(arguments: [1, 2, 100, 0, -1]) func `restored transactions arrive in batches`(size: Int) {
        let (_, launch, observer) = launch { $0.restoreBatchSize = size }
        launch.restore()
        let batches = observer.log.filter { $0.hasPrefix("updated") }.count
        expectEqual(batches, size == 100 ? 1 : size == 2 ? 2 : 3)
        expectEqual(observer.updates.count, 3)
    }

    @Test func `a restore can fail after partial success`() {
        let (store, launch, observer) = launch { $0.restoreEnding = .fails(.notConnectedToInternet, afterRows: 2) }
        launch.restore()
        expectEqual(observer.log, ["updated pro:restored,themes:restored", "restore failed -1009"])
        store.behavior.restoreEnding = .fails(.unknown, afterRows: -5)
        observer.forget()
        launch.restore()
        expectEqual(observer.log, ["restore failed 0"])
    }

    @Test func `a restore can be unanswered, and another restore can begin`() {
        let (store, launch, observer) = launch { $0.restoreEnding = .neverAnswers(afterRows: 1) }
        launch.restore()
        expectEqual(observer.log, ["updated pro:restored"])
        store.behavior.restoreEnding = .finishes
        launch.restore()
        expectEqual(observer.log.last, "restore finished")
    }

    @Test func `restored transactions can arrive after the end`() {
        let (_, launch, observer) = launch { behavior in
            behavior.restoredRowsAfterFinished = 2
            behavior.restoreBatchSize = 1
        }
        launch.restore()
        expectEqual(
            observer.log,
            ["updated pro:restored", "restore finished", "updated themes:restored", "updated monthly:restored"])
        expectEqual(launch.transactions.count, 3)
    }

    @Test func `restored transactions can lack their original`() {
        let (_, launch, observer) = launch { $0.restoredWithoutOriginal = true }
        launch.restore()
        expectEqual(observer.updates.map(\.original), [nil, nil, nil])
        expectEqual(observer.states, [.restored, .restored, .restored])
    }

    @Test func `refunded purchases aren't restored`() throws {
        let (store, launch, observer) = launch()
        try store.refund("pro")
        launch.restore()
        expectEqual(observer.updates.map(\.payment.productID), ["themes", "monthly"])
    }

    @Test func `every renewal of a subscription is restored`() throws {
        let (store, launch, observer) = launch()
        store.pass(70 * 86_400)
        for transaction in launch.transactions {
            launch.finishTransaction(transaction.id)
        }
        store.runUntilIdle()
        observer.forget()
        launch.restore()
        expectEqual(observer.updates.filter { $0.payment.productID == "monthly" }.count, 3)
    }

    @Test func `a restore without purchases has no batch`() {
        let (_, launch, observer) = SimulatedAppStore.observed()
        launch.restore()
        expectEqual(observer.log, ["restore finished"])
    }

    @Test func `a payment can be answered during a restore`() {
        let (_, launch, observer) = launch { $0.restoreBatchSize = 1 }
        launch.restoreCompletedTransactions()
        launch.buy("themes")
        expectEqual(
            observer.log,
            [
                "updated pro:restored", "updated themes:purchasing", "updated themes:restored",
                "updated themes:purchased",
                "updated monthly:restored", "restore finished",
            ])
    }
}
