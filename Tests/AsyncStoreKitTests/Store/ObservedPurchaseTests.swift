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

    private func warnings(_ text: String) -> Int {
        log.elements.filter { $0.level == .warning && $0.message.contains(text) }.count
    }

    @Test func `a missing delivery is a warning after a minute, once, even if a view shows the purchase`() async throws
    {
        let store = store
        let observed = StreamListener(store.deliveryEnds)
        try appStore.buyProduct(productID: "pro")
        try await store.advance(by: 59)
        expectEqual(warnings(""), 0)
        for _ in 1...3 { try await store.advance(by: 60) }
        withExtendedLifetime(observed) {}
        expectEqual(
            log.elements.map(\.message).filter { $0.contains("purchase") },
            [
                "The purchase of \"pro\" (transaction 200079200822473) waits to be delivered. Observe `transactions`, or set a delivery."
            ])
    }

    @Test func `a loop that doesn't finish a purchase is a warning after a minute, once`() async throws {
        let store = store
        let purchases = StreamListener(store.transactions)
        try appStore.buyProduct(productID: "pro")
        expectEqual(try await purchases.next()?.productID, "pro")
        for _ in 1...3 { try await store.advance(by: 60) }
        expectEqual(
            log.elements.map(\.message).filter { $0.contains("purchase") },
            [
                "The purchase of \"pro\" (transaction 200079200822473) isn't finished 60 seconds after the app has received it. Call `finish()` when the content is delivered."
            ])
    }

    @Test func `a caller that doesn't finish a purchase is a warning after a minute`() async throws {
        let store = store
        let outcome = try await store.purchase("pro")
        try await store.advance(by: 61)
        expectEqual(warnings("isn't finished"), 1)
        if case .success(let purchase) = outcome { await purchase.finish() }
    }

    @Test func `each purchase that isn't finished is a warning after a minute of its own`() async throws {
        let appStore = SimulatedAppStore(products: [.consumable("coins", price: 1), .consumable("gems", price: 2)])
        let store = PurchaseStore(
            over: SimulatedBackend(appStore), configuration: StoreConfiguration(log: { [log] in log.record($0) }))
        _ = try await store.purchase("coins")
        try await store.advance(by: 30)
        _ = try await store.purchase("gems")
        try await store.advance(by: 31)
        expectEqual(warnings("isn't finished"), 1)
        try await store.advance(by: 30)
        expectEqual(warnings("isn't finished"), 2)
    }

    @Test func `a purchase that is finished within a minute, or delivered by a closure, is no warning`() async throws {
        let store = store
        let purchases = StreamListener(store.transactions)
        try appStore.buyProduct(productID: "pro")
        await (try await purchases.next())?.finish()
        try await store.purchase("pro") { _ in }
        try await store.advance(by: 300)
        expectEqual(warnings(""), 0)
    }

    @Test func `a store that observes warns about nothing, because other code finishes`() async throws {
        let store = PurchaseStore(
            over: SimulatedBackend(appStore),
            configuration: StoreConfiguration(mode: .observing, log: { [log] in log.record($0) }))
        let purchases = StreamListener(store.transactions)
        try appStore.buyProduct(productID: "pro")
        expectEqual(try await purchases.next()?.productID, "pro")
        try await store.advance(by: 300)
        expectEqual(warnings(""), 0)
    }
}
