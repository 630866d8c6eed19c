import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// What the developer of the tide-table app reads when a test fails.
@Suite(.bounded) struct TidePrintTests {
    private let appStore = SimulatedAppStore(products: [
        .autoRenewable("gold", price: 6, period: .month(1), group: "tides", level: 1)
    ])

    @Test(arguments: [StoreEngine.storeKit2, .storeKit1])
    func `products of an impossible catalog say why`(engine: StoreEngine) async throws {
        let appStore = SimulatedAppStore(products: [.nonConsumable("lifetime", price: -3)])
        let store = PurchaseStore(simulating: appStore, engine: engine)
        let error = try await #require(throws: StoreError.self) { try await store.products(for: ["lifetime"]) }
        #expect(error.message.contains("below zero"))
    }

    @Test func `an expired wait names its time`() async throws {
        let store = PurchaseStore(simulating: appStore)
        let error = try await #require(throws: WaitExpired.self) {
            try await StreamListener(store.purchaseFailures).next(within: 0.3)
        }
        #expect("\(error)".hasPrefix("waited 0.3 s for the next PurchaseFailure of a stream"))
    }

    @Test func `values are sentences`() async throws {
        let store = PurchaseStore(simulating: appStore)
        try await store.purchase("gold") { _ in }
        try await store.settled()
        let app = "\(try await store.appTransaction())"
        let renewal = "\(try #require(store.entitlements.latest["gold"]?.renewal))"
        for text in [app, renewal] { #expect(!text.contains("Optional(") && !text.contains("rawValue"), "\(text)") }
        #expect(renewal == "renews as gold on 2026-02-01T00:00:00Z for 6 USD")
    }
}
