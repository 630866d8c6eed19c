import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

private let both = [StoreEngine.storeKit2, .storeKit1]

/// The tests of a tide-table app: access ends at the end of a period, not some seconds later.
@Suite(.bounded) struct TideTests {
    private let appStore = SimulatedAppStore(products: [
        .nonRenewingSubscription("summer", price: 9),
        .autoRenewable("weekly", price: 1, period: .week(1), group: "tides", level: 3),
        .autoRenewable(
            "monthly", price: 3, period: .month(1), group: "tides", level: 2, introductoryOffer: .freeTrial(.week(1))),
        .autoRenewable("gold", price: 6, period: .month(1), group: "tides", level: 1),
        .autoRenewable("yearly", price: 30, period: .year(1), group: "harbor"),
    ])

    /// The periods or trials of subscriptions.
    static let paid: [(productID: String, period: SimulatedPeriod)] = [
        ("weekly", .week(1)), ("gold", .month(1)), ("yearly", .year(1)), ("monthly", .week(1)),
    ]

    private func subscriber(_ productID: String, _ engine: StoreEngine) async throws -> PurchaseStore {
        let store = PurchaseStore(
            simulating: appStore, engine: engine,
            configuration: StoreConfiguration(nonRenewingDurations: ["summer": 90 * 86_400]))
        _ = try await store.products(for: appStore.catalog.products.map(\.productID))
        try await store.purchase(productID) { _ in }
        try await store.settled()
        #expect(store.entitlements.latest.contains(productID))
        return store
    }

    @Test(arguments: paid, both)
    func `a canceled subscription is over at the end of its period or trial`(
        paid: (productID: String, period: SimulatedPeriod), engine: StoreEngine
    ) async throws {
        let store = try await subscriber(paid.productID, engine)
        try appStore.disableAutoRenew(of: paid.productID)
        try await store.advance(by: paid.period)
        #expect(!store.entitlements.latest.contains(paid.productID))
        #expect(store.entitlements.latest[paid.productID]?.state == .expired)
    }

    @Test(arguments: paid, both)
    func `a subscription continues at the end of its period or trial`(
        paid: (productID: String, period: SimulatedPeriod), engine: StoreEngine
    ) async throws {
        let store = try await subscriber(paid.productID, engine)
        try await store.advance(by: paid.period)
        #expect(store.entitlements.latest.contains(paid.productID))
        #expect(appStore.allTransactions().count == 2)
    }

    @Test(arguments: both) func `a season pass is over after its last day`(engine: StoreEngine) async throws {
        let store = try await subscriber("summer", engine)
        try await store.advance(by: .days(90))
        #expect(!store.entitlements.latest.contains("summer"))
    }

    @Test func `an app transaction and a renewal are printed as sentences`() async throws {
        let store = try await subscriber("gold", .storeKit2)
        let app = "\(try await store.appTransaction())"
        let renewal = "\(try #require(store.entitlements.latest["gold"]?.renewal))"
        for text in [app, renewal] { #expect(!text.contains("Optional(") && !text.contains("rawValue"), "\(text)") }
        #expect(renewal == "renews as gold on 2026-02-01T00:00:00Z for 6 USD")
    }
}
