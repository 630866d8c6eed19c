import AppStoreSimulator
import Foundation
import StoreKit
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit
@testable import SwiftyStoreKit

@Suite(.bounded) struct FinishTransactionTests {
    private struct OwnTransaction: PaymentTransaction {
        let transactionDate: Date? = nil
        let transactionState = SKPaymentTransactionState.purchased
        let transactionIdentifier: String? = "1"
        let downloads: [SKDownload] = []
    }

    private let log = Recorder<StoreLogEvent>()

    private func launch(_ world: LegacyWorld) -> LegacyStore {
        world.launch(StoreConfiguration(clock: world.clock, log: { [log] in log.record($0) }))
    }

    @Test(arguments: Engine.allCases) func `a transaction of another type is ignored and logged`(engine: Engine)
        async throws
    {
        let legacy = launch(LegacyWorld(engine))
        legacy.finishTransaction(OwnTransaction())
        #expect(log.elements.contains { $0.level == .warning && $0.message.contains("OwnTransaction") })
    }

    @Test func `a transaction of the queue that wasn't reported to the store can be finished`() async throws {
        let world = LegacyWorld(.storeKit1)
        let environment = StoreKit1Environment(launch: world.appStore.launch())
        let watcher = QueueWatcher()
        environment.queue.add(watcher)
        try world.appStore.buyProduct(productID: LegacyWorld.pro)
        let transaction = try await watcher.seen.first(1)[0]
        world.appStore.behavior.reportsToSecondObserver = false
        let backend = StoreKit1Backend(environment: environment)
        let legacy = LegacyStore(backend: backend, configuration: StoreConfiguration(clock: world.clock))
        legacy.finishTransaction(transaction)
        try await world.settle(legacy)
        expectEqual(world.appStore.allTransactions().map(\.isFinished), [true])
    }

    /// A launch of the block API, and an observer that the app itself has added to the payment queue.
    private struct App {
        let legacy: LegacyStore
        let queue: SKPaymentQueue
        let watcher = QueueWatcher()

        init(_ world: LegacyWorld, _ log: Recorder<StoreLogEvent>) throws {
            legacy = world.launch(StoreConfiguration(clock: world.clock, log: { log.record($0) }))
            queue = try #require(legacy.backend ?? legacy.requests?.backend).environment.queue
            queue.add(watcher)
        }
    }

    private var errors: [String] { log.elements.filter { $0.level >= .warning }.map(\.message) }

    @Test(arguments: Engine.allCases)
    func `a transaction that the app's own observer got can be finished`(engine: Engine) async throws {
        let world = LegacyWorld(engine)
        let app = try App(world, log)
        app.queue.add(SKPayment(product: try await world.product(LegacyWorld.coins, of: app.legacy)))
        let transaction = try await app.watcher.seen.first(where: { $0.transactionState == .purchased })
        try await world.settle(app.legacy)
        app.legacy.finishTransaction(transaction)
        _ = try await app.watcher.removed.first(1)
        #expect(try await world.queue(of: app.legacy).isEmpty)
        expectEqual(world.appStore.allTransactions().map(\.isFinished), [true])
        expectEqual(errors, [])
    }

    @Test(arguments: Engine.allCases)
    func `a transaction of the queue from before the launch can be finished`(engine: Engine) async throws {
        let world = LegacyWorld(engine)
        try world.appStore.buyProduct(productID: LegacyWorld.coins)
        let app = try App(world, log)
        _ = try await app.watcher.seen.first(1)
        try await world.settle(app.legacy)
        app.legacy.finishTransaction(try #require(app.queue.transactions.first))
        _ = try await app.watcher.removed.first(1)
        #expect(try await world.queue(of: app.legacy).isEmpty)
        expectEqual(world.appStore.allTransactions().map(\.isFinished), [true])
        expectEqual(errors, [])
    }

    @Test(arguments: Engine.allCases)
    func `a deferred transaction of the queue isn't finished`(engine: Engine) async throws {
        let world = LegacyWorld(engine)
        let app = try App(world, log)
        world.appStore.setNextPurchaseOutcome(.deferred)
        app.queue.add(SKPayment(product: try await world.product(LegacyWorld.coins, of: app.legacy)))
        let transaction = try await app.watcher.seen.first(where: { $0.transactionState == .deferred })
        app.legacy.finishTransaction(transaction)
        try await world.settle(app.legacy)
        expectEqual(errors.count { $0.contains("isn't paid yet") }, engine == .storeKit2 ? 1 : 0)
        try world.appStore.approvePurchase(of: LegacyWorld.coins)
        expectEqual(try await world.queue(of: app.legacy).map(\.productID), [LegacyWorld.coins])
    }

    @Test func `a transaction without an answer stays in the queue`() async throws {
        let world = LegacyWorld(.storeKit1)
        let app = try App(world, log)
        world.appStore.setNextPurchaseOutcome(.neverAnswered(afterPurchasing: true))
        app.queue.add(SKPayment(product: try await world.product(LegacyWorld.coins, of: app.legacy)))
        let transaction = try await app.watcher.seen.first(where: { $0.transactionState == .purchasing })
        app.legacy.finishTransaction(transaction)
        app.legacy.finishTransaction(SKPaymentTransaction())
        try await world.settle(app.legacy)
        #expect(app.queue.transactions.first === transaction && world.appStore.misuses.isEmpty)
    }

    @Test func `over StoreKit 2, finishing a transaction that left the queue is an error in the log`() async throws {
        let world = LegacyWorld(.storeKit2)
        try world.appStore.buyProduct(productID: LegacyWorld.coins)
        let app = try App(world, log)
        let transaction = try await app.watcher.seen.first(1)[0]
        try await world.settle(app.legacy)
        app.legacy.finishTransaction(transaction)
        _ = try await app.watcher.removed.first(1)
        expectEqual(errors, [])
        app.legacy.finishTransaction(transaction)
        _ = try await log.first { $0.level == .error && $0.message.contains("isn't in the payment queue") }
    }
}
