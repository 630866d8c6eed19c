import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// The properties that a delivery reads first, by the names of StoreKit 2.
@Suite(.bounded) struct PurchasePropertyTests {
    private let appStore = SimulatedAppStore(
        catalog: SimulatedCatalog(products: [
            .consumable("coins", price: 2),
            .autoRenewable("club", price: 5, period: .month(1), group: "club", introductoryOffer: .freeTrial(.week(1))),
        ]))

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `a delivery reads identifiers over both engines, and what Apple signed over StoreKit 2`(engine: StoreEngine)
        async throws
    {
        let store = PurchaseStore(simulating: appStore, engine: engine)
        let delivered = Recorder<StorePurchase>()
        try await store.purchase("coins", options: PurchaseOptions(quantity: 3)) { delivered.record($0) }
        let purchase = try await delivered.first(1)[0]
        let record = try #require(appStore.allTransactions().first)
        expectEqual(purchase.transactionID, record.transactionID)
        expectEqual(purchase.originalTransactionID, record.transactionID)
        let isSigned = engine == .storeKit2
        expectEqual(purchase.price, isSigned ? 6 : nil)
        expectEqual(purchase.currency, isSigned ? "USD" : nil)
        expectEqual(purchase.productKind, isSigned ? .consumable : nil)
        expectEqual(purchase.ownershipType, isSigned ? .purchased : nil)
        expectEqual(purchase.environment, isSigned ? purchase.transaction.signedInfo?.environment : nil)
        expectEqual(purchase.environment == nil, !isSigned)
        expectEqual(purchase.reason, isSigned ? .purchase : nil)
        expectEqual(purchase.isUpgraded, isSigned ? false : nil)
        expectEqual(purchase.revocationDate, nil)
        expectEqual(purchase.offer, nil)
    }

    @Test func `a trial names its offer and its period`() async throws {
        let store = PurchaseStore(simulating: appStore)
        let delivered = Recorder<StorePurchase>()
        try await store.purchase("club") { delivered.record($0) }
        let purchase = try await delivered.first(1)[0]
        expectEqual(purchase.offer?.isTrial, true)
        expectEqual(purchase.subscriptionGroupID, "club")
        expectEqual(purchase.expirationDate, appStore.now + 7 * 86_400)
    }
}
