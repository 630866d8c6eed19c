import AppStoreSimulator
import AsyncStoreKit
import Foundation
import StoreKit
import Support
import SwiftyStoreKit
import TestHarness
import Testing

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

    @Test(arguments: Engine.storeKit1(because: .transaction))
    func `a transaction that the app got from another observer can be finished`(engine: Engine) async throws {
        let world = LegacyWorld(engine)
        final class Watcher: NSObject, SKPaymentTransactionObserver {
            let seen = Recorder<SKPaymentTransaction>()
            func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
                transactions.forEach(seen.record)
            }
        }
        let environment = StoreKit1Environment(launch: world.appStore.launch())
        let watcher = Watcher()
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
}
