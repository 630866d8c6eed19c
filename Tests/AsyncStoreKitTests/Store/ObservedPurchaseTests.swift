import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

@Suite(.bounded) struct ObservedPurchaseTests {
    private let appStore = SimulatedAppStore(catalog: SimulatedCatalog(products: [.nonConsumable("pro", price: 10)]))
    private let log = Recorder<StoreLogEvent>()

    private var store: PurchaseStore {
        PurchaseStore(
            over: SimulatedBackend(appStore), configuration: StoreConfiguration(log: { [log] in log.record($0) }))
    }

    private var notices: Int { log.elements.filter { $0.message.contains("waits to be delivered") }.count }

    @Test func `a view that shows purchases doesn't silence the notice of a missing delivery`() async throws {
        let store = store
        let observed = StreamListener(store.observedPurchases)
        try appStore.buyProduct(productID: "pro")
        expectEqual(try await observed.next()?.productID, "pro")
        try await store.settled()
        expectEqual(notices, 1)
    }

    @Test func `a loop over the transactions silences the notice of a missing delivery`() async throws {
        let store = store
        let purchases = StreamListener(store.transactions)
        try appStore.buyProduct(productID: "pro")
        expectEqual(try await purchases.next()?.productID, "pro")
        try await store.settled()
        expectEqual(notices, 0)
    }
}
