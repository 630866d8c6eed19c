import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Tests the block API without StoreKit's answers, and while the app is suspended.
@Suite(.bounded) struct SilenceTests {
    @Test(arguments: Engine.allCases)
    func `no call times out while the app is suspended`(engine: Engine) async throws {
        let world = LegacyWorld(engine)
        let legacy = world.launch(StoreConfiguration(clock: SuspendedClock(world.clock)))
        let coins = try await world.product(LegacyWorld.coins, of: legacy)
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let (silent, waiting, unknown) = (
            Answers<PurchaseResult>(), Answers<PurchaseResult>(), Answers<PurchaseResult>()
        )
        legacy.purchaseProduct(coins, completion: silent.completion())
        try await world.settle(legacy)
        world.appStore.behavior.productRequestsAreNeverAnswered = true
        legacy.purchaseProduct(coins, completion: waiting.completion())
        let request = legacy.purchaseProduct(LegacyWorld.pro, completion: unknown.completion())
        try await world.settle(legacy)
        world.clock.advance(by: 1_000)
        try await world.settle(legacy)
        expectEqual([silent.count, waiting.count, unknown.count], [0, 0, 0])
        request.cancel()
        expectEqual(try await unknown.next().error?.code, .paymentCancelled)
    }

    @Test(arguments: Engine.allCases)
    func `a purchase behind a silent one of the same product ends after 30 seconds, and the next one at once`(
        engine: Engine
    ) async throws {
        let (world, legacy) = LegacyWorld.launched(engine)
        let coins = try await world.product(LegacyWorld.coins, of: legacy)
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        let silent = legacy.buying(coins)
        try await world.settle(legacy)
        let second = legacy.buying(coins)
        try await world.clock.waitForSleepers(1, duration: 30)
        world.clock.advance(by: 30)
        let error = try #require(await second.next().error)
        expectEqual((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code, NSURLErrorTimedOut)
        let third = legacy.buying(coins)
        #expect(try await third.next().error != nil)
        // The store is still waiting for the unanswered payment, and for no other.
        expectEqual(silent.count, 0)
        #expect(world.appStore.allTransactions().count { $0.state == .purchased } == 0)
        #expect(try await legacy.store.diagnostics().waitingPayments == 0)
    }

    @Test func `a receipt refresh after an unanswered one sends its own request`() async throws {
        let (world, legacy) = LegacyWorld.launched()
        world.appStore.behavior.receiptRefreshesAreNeverAnswered = true
        let (silent, second) = (ReceiptCall(), ReceiptCall())
        _ = legacy.receipts.fetchReceipt(forceRefresh: true) { silent.record($0) }
        try await world.clock.waitForSleepers(1, duration: 60)
        try await world.firstRequest()
        world.clock.advance(by: 60)
        #expect(try await silent.result().first?.word.hasPrefix("receipt") == false)
        world.appStore.behavior.receiptRefreshesAreNeverAnswered = false
        try world.appStore.buyProduct(productID: LegacyWorld.pro)
        _ = legacy.receipts.fetchReceipt(forceRefresh: true) { second.record($0) }
        #expect(try await second.result().first?.word.hasPrefix("receipt") == true)
    }
}

/// Tests how calls reach StoreKit: a moment after they return, in their order, and not on the main thread.
@Suite(.bounded) struct ReachTests {
    /// A payment queue that records its calls.
    private final class RecordingQueue: SKPaymentQueue, @unchecked Sendable {
        let asked = Recorder<String>()

        private func record(_ call: String) {
            asked.record(MainQueue.isCurrent ? "\(call) on the main thread" : call)
        }

        override func add(_ payment: SKPayment) {
            record("pay \(payment.productIdentifier)")
            super.add(payment)
        }

        override func restoreCompletedTransactions(withApplicationUsername username: String?) {
            record("restore")
            super.restoreCompletedTransactions(withApplicationUsername: username)
        }

        override func finishTransaction(_ transaction: SKPaymentTransaction) {
            record("finish \(transaction.payment.productIdentifier)")
            super.finishTransaction(transaction)
        }
    }

    private func launch(_ world: LegacyWorld) -> (legacy: LegacyStore, queue: RecordingQueue) {
        let launch = world.appStore.launch()
        let queue = RecordingQueue(launch: launch)
        let backend = StoreKit1Backend(environment: .over(queue, launch))
        return (LegacyStore(backend: backend, configuration: StoreConfiguration(clock: world.clock)), queue)
    }

    @Test(arguments: SimulatorBehavior.DeliveryThread.allCases)
    func `a purchase, a finish and a restore of the main thread reach the payment queue in their order`(
        thread: SimulatorBehavior.DeliveryThread
    ) async throws {
        let world = LegacyWorld(.storeKit1, thread: thread)
        let (legacy, queue) = launch(world)
        let coins = UncheckedProduct(try await world.product(LegacyWorld.coins, of: legacy))
        let purchases = Answers<PurchaseResult>()
        try await MainQueue.run {
            legacy.purchaseProduct(coins.product, atomically: false, completion: purchases.completion())
        }
        let transaction = try #require(await purchases.next().success?.transaction as? SKPaymentTransaction)
        try await MainQueue.run {
            legacy.finishTransaction(transaction)
            legacy.restorePurchases { _ in }
        }
        expectEqual(
            try await queue.asked.first(3), ["pay \(LegacyWorld.coins)", "finish \(LegacyWorld.coins)", "restore"])
    }

    @Test func `calls on another thread reach the payment queue although the main thread is busy`() async throws {
        let world = LegacyWorld(.storeKit1)
        let (legacy, queue) = launch(world)
        let coins = try await world.product(LegacyWorld.coins, of: legacy)
        let hold = MainQueue.hold()
        try await hold.begun()
        let purchases = legacy.buying(coins)
        legacy.restorePurchases { _ in }
        expectEqual(try await queue.asked.first(2), ["pay \(LegacyWorld.coins)", "restore"])
        expectEqual(purchases.count, 0)
        hold.release()
        #expect(try await purchases.next().success != nil && purchases.cameOnMain)
    }

    @Test func `calls from many threads at once each reach the payment queue, once`() async throws {
        let world = LegacyWorld(.storeKit1)
        world.appStore.catalog = SimulatedCatalog(
            products: (0..<8).map { SimulatedProduct(productID: "p\($0)", kind: .consumable, price: 1) })
        let (legacy, queue) = launch(world)
        let transactions = legacy.listening(atomically: false)
        for number in 0..<8 { try world.appStore.buyProduct(productID: "p\(number)") }
        try await world.settle(legacy)
        let unfinished = transactions.all.flatMap { $0 }.compactMap { $0.transaction as? SKPaymentTransaction }
        expectEqual(unfinished.count, 8)
        DispatchQueue.concurrentPerform(iterations: 8) { legacy.finishTransaction(unfinished[$0]) }
        expectEqual(try await queue.asked.first(8).sorted(), (0..<8).map { "finish p\($0)" })
        try await world.settle(legacy)
        expectEqual(queue.asked.elements.count, 8)
    }
}

/// A product that is sent to the main queue.
// @unchecked because: the product doesn't change.
private struct UncheckedProduct: @unchecked Sendable {
    let product: SKProduct

    init(_ product: SKProduct) {
        self.product = product
    }
}
