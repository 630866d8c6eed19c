import AppStoreSimulator
import Foundation
import StoreKit
import TestHarness
import Testing

/// Tests that both APIs share one history.
@Suite(.bounded) struct SharedHistoryTests {
    private let world = StoreKit2World()

    private final class Finisher: NSObject, SKPaymentTransactionObserver, Sendable {
        private let finishes: Bool
        private let events: AsyncStream<String>
        private let event: AsyncStream<String>.Continuation

        init(finishes: Bool) {
            self.finishes = finishes
            (events, event) = AsyncStream.makeStream()
        }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions {
                event.yield("\(transaction.payment.productIdentifier) \(transaction.transactionState)")
                if finishes, transaction.transactionState == .purchased { queue.finishTransaction(transaction) }
            }
        }

        func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
            for transaction in transactions { event.yield("removed \(transaction.payment.productIdentifier)") }
        }

        /// Stops recording and returns the recorded events.
        var log: [String] {
            get async {
                event.finish()
                return await events.reduce(into: []) { $0.append($1) }
            }
        }
    }

    private func bought(_ id: String, finishes: Bool) -> (StoreKit2World, SKPaymentQueue, Finisher) {
        let world = StoreKit2World(pacing: .manual)
        let queue = SKPaymentQueue(launch: world.launch)
        let observer = Finisher(finishes: finishes)
        queue.add(observer)
        let payment = SKMutablePayment()
        payment.productIdentifier = id
        queue.add(payment)
        world.appStore.runUntilIdle()
        return (world, queue, observer)
    }

    @Test func `a StoreKit 1 purchase is listed by StoreKit 2 and finished for both`() async throws {
        let (world, queue, observer) = bought("pro", finishes: false)
        expectEqual(await world.unfinished, ["pro"])
        expectEqual(await world.entitlements, ["pro"])
        let transaction = try #require(try Transaction.latest(for: "pro", launch: world.launch)?.payloadValue)
        expectEqual(queue.transactions.first?.transactionIdentifier, "\(transaction.id)")
        await transaction.finish()
        world.appStore.runUntilIdle()
        expectEqual(queue.transactions, [])
        expectEqual(await world.unfinished, [])
        withExtendedLifetime(observer) {}
    }

    @Test func `a transaction that StoreKit 1 finished isn't unfinished for StoreKit 2`() async throws {
        let (world, _, observer) = bought("pro", finishes: true)
        expectEqual(await world.unfinished, [])
        expectEqual(await world.all, ["pro"])
        withExtendedLifetime(observer) {}
    }

    @Test func `observers receive paid StoreKit 2 transactions, and no others`() async throws {
        let queue = SKPaymentQueue(launch: world.launch)
        let observer = Finisher(finishes: false)
        queue.add(observer)
        world.appStore.setNextPurchaseOutcome(.userCancelled)
        _ = try await world.product("pro").purchase(with: [])
        expectEqual(
            try await world.product("pro").purchase(with: [.simulatesAskToBuyInSandbox(true)]).summary, "pending")
        let transaction = try await world.buy("coins")
        await transaction.finish()
        try world.appStore.approvePurchase(of: "pro")
        await world.appStore.waitUntilIdle()
        expectEqual(await observer.log, ["coins purchased", "removed coins", "pro purchased"])
    }

    @Test func `finishing that fails lasts for a launch`() async throws {
        world.appStore.behavior.finishingFails = true
        try await world.own("pro")
        expectEqual(await world.unfinished, [])
        expectEqual(await world.relaunched().unfinished, ["pro"])
    }
}
