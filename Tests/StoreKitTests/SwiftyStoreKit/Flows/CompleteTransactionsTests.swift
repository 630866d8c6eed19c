import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct CompleteTransactionsTests {
    @Test func `unfinished transactions at launch arrive as one batch, in the queue's order, and are then finished`()
        async throws
    {
        let world = LegacyWorld(.storeKit1(because: .transaction))
        for product in [LegacyWorld.news, LegacyWorld.pro, LegacyWorld.coins] {
            try world.appStore.buyProduct(productID: product)
        }
        let legacy = world.launch()
        let answers = Answers<[Purchase]>()
        let unfinished = Answers<Int?>()
        legacy.completeTransactions(
            completion: answers.completion { _ in world.note(unfinishedOf: legacy, in: unfinished) })
        let batch = try await answers.next()
        expectEqual(batch.map(\.productId), [LegacyWorld.news, LegacyWorld.pro, LegacyWorld.coins])
        #expect(
            batch.allSatisfy {
                !$0.needsFinishTransaction && $0.transaction is SKPaymentTransaction
            })
        expectEqual(try await unfinished.next(), 3, "finished before the callback")
        #expect(try await world.queue(of: legacy).isEmpty)
        #expect(answers.count == 1 && answers.cameOnMain)
    }

    /// Leaves a deferred, a failed and a purchased transaction of an earlier launch.
    private func leaveTransactions(in world: LegacyWorld) {
        let launch = world.appStore.launch()
        for (product, outcome) in [
            (LegacyWorld.pro, SimulatedOutcome.deferred), (LegacyWorld.coins, .failed(.unknown)),
            (LegacyWorld.news, .purchased),
        ] {
            world.appStore.setNextPurchaseOutcome(outcome)
            launch.add(SimulatedPayment(productID: product))
        }
    }

    @Test func `deferred transactions arrive at launch, too, and need finishing`() async throws {
        let world = LegacyWorld(.storeKit1(because: .pendingApproval))
        leaveTransactions(in: world)
        try await world.appStore.idle()
        let legacy = world.launch()
        try await world.settle(legacy)
        let late = legacy.listening(atomically: false)
        let batch = try await late.next()
        // Failed transactions were finished before the handler was installed.
        expectEqual(batch.map(\.transaction.transactionState), [.deferred, .purchased])
        expectEqual(batch.map(\.needsFinishTransaction), [true, true])
        expectEqual(batch.map(\.originalPurchaseDate)[0], .distantPast)
    }

    @Test func `transactions that the queue reports together arrive together, before any of them is finished`()
        async throws
    {
        let world = LegacyWorld(.storeKit1(because: .pendingApproval), pacing: .manual)
        leaveTransactions(in: world)
        world.appStore.runUntilIdle()
        let legacy = world.launch()
        let answers = legacy.listening()
        _ = try await legacy.store.diagnostics()
        world.appStore.runUntilIdle()
        let batch = try await answers.next()
        expectEqual(batch.map(\.transaction.transactionState), [.deferred, .failed, .purchased])
        #expect(batch.allSatisfy { $0.transaction is SKPaymentTransaction && !$0.needsFinishTransaction })
        try await MainQueue.drain()
        _ = try await legacy.store.diagnostics()
        world.appStore.runUntilIdle()
        #expect(await legacy.store.unfinishedTransactions.isEmpty)
        #expect(answers.count == 1 && world.appStore.misuses.isEmpty)
        #expect(world.appStore.allTransactions().map(\.state).contains(.deferred))
    }

    @Test func `a declined approval arrives as a failed transaction, which is finished and has StoreKit's object`()
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(.storeKit1(because: .pendingApproval))
        let answers = legacy.listening(atomically: false)
        world.appStore.setNextPurchaseOutcome(.deferred)
        _ = try await legacy.buying(LegacyWorld.pro).next()
        try world.appStore.declineAskToBuyTransaction(id: try world.entry(.deferred))
        let purchase = try #require(await answers.next().first)
        let transaction = try #require(purchase.transaction as? SKPaymentTransaction)
        #expect(transaction.transactionState == .failed && transaction.error != nil)
        #expect(!purchase.needsFinishTransaction && purchase.originalPurchaseDate == .distantPast)
        #expect(try await world.queue(of: legacy).isEmpty)
        #expect(try await world.store(of: legacy, heardFailures: 0))
    }

    @Test(arguments: Engine.allCases)
    func `a purchase that its caller hasn't finished yet isn't passed to a later handler, which might finish it`(
        engine: Engine
    )
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(engine)
        let purchase = try #require(await legacy.buying(LegacyWorld.pro, atomically: false).next().success)
        let answers = legacy.listening()
        expectEqual(try await world.queue(of: legacy).count, 1)
        expectEqual(answers.count, 0)
        legacy.finishTransaction(purchase.transaction)
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    /// Installs a delivery that accepts purchases when the gate opens.
    private func installDelivery(in legacy: LegacyStore) -> Gate {
        let gate = Gate()
        legacy.store.setDelivery { _ in
            await gate.pass()
            return .accepted
        }
        return gate
    }

    @Test(arguments: Engine.allCases, SimulatorBehavior.DeliveryThread.allCases)
    func `transactions that an installed delivery delivered arrive afterwards and need no finishing`(
        engine: Engine, thread: SimulatorBehavior.DeliveryThread
    )
        async throws
    {
        // On the caller's thread, the queue removes the transaction during the finish, and its object with it.
        let (world, legacy) = LegacyWorld.launched(engine, thread: thread)
        let gate = installDelivery(in: legacy)
        let answers = legacy.listening(atomically: false)
        try world.appStore.buyProduct(productID: LegacyWorld.pro)
        try await gate.arrivals(1)
        try await MainQueue.drain()
        expectEqual(answers.count, 0)
        gate.open()
        let purchase = try #require(await answers.next().first)
        #expect(purchase.productId == LegacyWorld.pro && !purchase.needsFinishTransaction)
        #expect(
            purchase.transaction.transactionState == .purchased && purchase.transaction.transactionIdentifier != nil)
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test(arguments: Engine.allCases) func `a callback can finish its transactions and call the API`(engine: Engine)
        async throws
    {
        let (world, legacy) = LegacyWorld.launched(engine)
        let answers = Answers<[Purchase]>()
        let inner = Answers<PurchaseResult>()
        legacy.completeTransactions(
            atomically: false,
            completion: answers.completion { batch in
                for purchase in batch { legacy.finishTransaction(purchase.transaction) }
                _ = legacy.purchaseProduct(LegacyWorld.coins, completion: inner.completion())
                legacy.completeTransactions { _ in }
            })
        try world.appStore.buyProduct(productID: LegacyWorld.pro)
        #expect(try await inner.next().success != nil)
        #expect(try await world.queue(of: legacy).isEmpty)
        expectEqual(answers.count, 1)
    }

    @Test(arguments: SimulatorBehavior.DeliveryThread.allCases)
    func `an unfinished transaction that StoreKit reports again is delivered again when the app returns`(
        thread: SimulatorBehavior.DeliveryThread
    ) async throws {
        let world = LegacyWorld(.storeKit1, thread: thread)
        let launch = world.appStore.launch()
        let legacy = world.launch(launch)
        let answers = legacy.listening(atomically: false)
        try world.appStore.buyProduct(productID: LegacyWorld.coins)
        let purchase = try #require(await answers.next().first)
        // A second report while the app stays active is a duplicate.
        launch.enterForeground()
        try await world.settle(legacy)
        expectEqual(answers.count, 1)
        legacy.store.refreshPendingState()
        launch.enterForeground()
        let again = try #require(await answers.first(2).last?.first)
        expectEqual(again.transaction.transactionIdentifier, purchase.transaction.transactionIdentifier)
        legacy.finishTransaction(again.transaction)
        legacy.store.refreshPendingState()
        launch.enterForeground()
        try await world.settle(legacy)
        expectEqual(answers.count, 2)
    }

    @Test(arguments: SimulatorBehavior.DeliveryThread.allCases)
    func `a repeated report is delivered even before the store has noticed that the app is back`(
        thread: SimulatorBehavior.DeliveryThread
    ) async throws {
        let world = LegacyWorld(.storeKit1, thread: thread)
        let launch = world.appStore.launch()
        let legacy = world.launch(launch)
        let answers = legacy.listening(atomically: false)
        for product in [LegacyWorld.coins, LegacyWorld.pro] { try world.appStore.buyProduct(productID: product) }
        try await world.settle(legacy)
        let first = answers.all.flatMap { $0 }
        expectEqual(first.count, 2)
        legacy.finishTransaction(first[0].transaction)
        for returns in 1...2 {
            legacy.move(toBackground: true)
            try await world.settle(legacy)
            launch.enterForeground()
            legacy.move(toBackground: false)
            try await world.settle(legacy)
            let again = answers.all.flatMap { $0 }.dropFirst(2)
            expectEqual(again.map(\.productId), Array(repeating: first[1].productId, count: returns))
        }
        legacy.finishTransaction(first[1].transaction)
        #expect(try await world.queue(of: legacy).isEmpty)
    }

    @Test func `a transaction that an installed delivery is delivering isn't reported again`() async throws {
        let world = LegacyWorld()
        let launch = world.appStore.launch()
        let legacy = world.launch(launch)
        let gate = installDelivery(in: legacy)
        let answers = legacy.listening(atomically: false)
        try world.appStore.buyProduct(productID: LegacyWorld.coins)
        try await gate.arrivals(1)
        legacy.move(toBackground: true)
        launch.enterForeground()
        legacy.move(toBackground: false)
        try await world.settle(legacy)
        expectEqual(answers.count, 0)
        gate.open()
        #expect(try await !answers.next()[0].needsFinishTransaction)
    }

    @Test func `a transaction that a purchase's caller is delivering isn't reported again`() async throws {
        let world = LegacyWorld()
        let launch = world.appStore.launch()
        let legacy = world.launch(launch)
        let answers = legacy.listening(atomically: false)
        #expect(try await legacy.buying(LegacyWorld.coins, atomically: false).next().success != nil)
        legacy.store.refreshPendingState()
        launch.enterForeground()
        try await world.settle(legacy)
        expectEqual(answers.count, 0)
    }

    @Test func `a closure of a later call is released at once`() {
        final class Screen: Sendable {}
        let legacy = LegacyWorld().launch()
        weak let closed: Screen?
        legacy.completeTransactions { _ in }
        do {
            let screen = Screen()
            closed = screen
            legacy.completeTransactions { _ in _ = screen }
            legacy.onEntitlementRevocation { _ in }
            legacy.onEntitlementRevocation { _ in _ = screen }
        }
        #expect(closed == nil)
    }
}

extension LegacyWorld {
    /// Returns whether a new subscriber to failures receives a number of failures.
    fileprivate func store(of legacy: LegacyStore, heardFailures count: Int) async throws -> Bool {
        let failures = Recorder<PurchaseFailure>()
        let listening = Task { for await failure in legacy.store.purchaseFailures { failures.record(failure) } }
        try await settle(legacy)
        listening.cancel()
        await listening.value
        return failures.elements.count == count
    }
}
