import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The first launch with this package, after code that credited purchases and never finished them.
@Suite(.bounded) struct DeliveredByEarlierCodeTests {
    private let appStore = SimulatedAppStore(catalog: .shop)
    private let folder = TemporaryFolder()
    private let delivered = Recorder<String>()

    /// Buys coins, with earlier code that doesn't finish. Returns the transaction's identifier.
    private func buyWithEarlierCode(_ engine: StoreEngine) async throws -> String {
        let store = PurchaseStore(simulating: appStore, engine: engine)
        let outcome = try await store.purchase(StoreWorld.coins)
        guard case .success(let purchase) = outcome else { throw StoreError(.unknown, "\(outcome)") }
        return try #require(purchase.transaction.id)
    }

    private func launch(_ engine: StoreEngine, _ ledger: DeliveryLedger) async throws -> PurchaseStore {
        let configuration = StoreConfiguration(deliveryLedger: ledger)
        let store = PurchaseStore(simulating: appStore, engine: engine, configuration: configuration)
        store.setDelivery { [delivered] request in
            for purchase in request.purchases { delivered.record(purchase.deliveryKey) }
            return .accepted
        }
        try await store.settled()
        return store
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `what earlier code has credited is only finished, by identifier or by date`(engine: StoreEngine) async throws {
        for isByDate in [false, true] {
            let credited = try await buyWithEarlierCode(engine)
            try await PurchaseStore(simulating: appStore, engine: engine).advance(by: 60)
            let date = appStore.now
            try await PurchaseStore(simulating: appStore, engine: engine).advance(by: 60)
            let lost = try await buyWithEarlierCode(engine)
            var ledger = DeliveryLedger(url: folder.file("Deliveries"))
            if isByDate { ledger.deliveredBefore = date } else { ledger.deliveredTransactionIDs = [credited] }
            let store = try await launch(engine, ledger)
            expectEqual(delivered.elements.suffix(1), [lost])
            expectEqual(delivered.elements.count, isByDate ? 2 : 1)
            expectEqual(try await store.diagnostics().held, [])
            expectEqual(Set(appStore.allTransactions().map(\.isFinished)), [true])
        }
    }
}
