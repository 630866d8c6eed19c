import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

private let both = [StoreEngine.storeKit2, .storeKit1]

/// The tests of a tide-table app, by a developer who expects that a test can cause an event and then look at the app.
@Suite(.bounded) struct TideTests {
    private let appStore = SimulatedAppStore(products: [
        .consumable("charts", price: 2), .nonConsumable("lifetime", price: 40, isFamilyShareable: true),
        .nonRenewingSubscription("summer", price: 9),
        .autoRenewable("weekly", price: 1, period: .week(1), group: "tides", level: 3),
        .autoRenewable(
            "monthly", price: 3, period: .month(1), group: "tides", level: 2, introductoryOffer: .freeTrial(.week(1)),
            promotionalOffers: [.payUpFront(5, for: .months(3), id: "spring")],
            winBackOffers: [.payUpFront(1, for: .month(1), id: "back")],
            codeOffers: [.freeTrial(.month(1), id: "gift")], isFamilyShareable: true),
        .autoRenewable("gold", price: 6, period: .month(1), group: "tides", level: 1),
        .autoRenewable("yearly", price: 30, period: .year(1), group: "harbor", monthlyPlan: .monthly(3)),
    ])

    private func launch(_ engine: StoreEngine = .storeKit2) async throws -> PurchaseStore {
        let store = PurchaseStore(
            simulating: appStore, engine: engine,
            configuration: StoreConfiguration(nonRenewingDurations: ["summer": 90 * 86_400]))
        _ = try await store.products(for: appStore.catalog.products.map(\.productID))
        return store
    }

    private func subscriber(_ productID: String, _ engine: StoreEngine = .storeKit2) async throws -> PurchaseStore {
        let store = try await launch(engine)
        try await store.purchase(productID) { _ in }
        try await store.settled()
        #expect(store.entitlements.latest.contains(productID))
        return store
    }
}

// The ends of periods: access ends then, not some seconds later.
extension TideTests {
    struct Length: Sendable, CustomTestStringConvertible {
        let productID: String, period: SimulatedPeriod
        var testDescription: String { productID }
        static let all = [
            Length(productID: "weekly", period: .week(1)), Length(productID: "gold", period: .month(1)),
            Length(productID: "yearly", period: .year(1)), Length(productID: "monthly", period: .week(1)),
        ]
    }

    @Test(arguments: Length.all, both)
    func `a canceled subscription is over at the end of its period or trial`(_ paid: Length, engine: StoreEngine)
        async throws
    {
        let store = try await subscriber(paid.productID, engine)
        try appStore.disableAutoRenew(of: paid.productID)
        try await store.advance(by: paid.period)
        #expect(!store.entitlements.latest.contains(paid.productID))
        #expect(store.entitlements.latest[paid.productID]?.state == .expired)
    }

    @Test(arguments: Length.all, both)
    func `a subscription continues at the end of its period or trial`(_ paid: Length, engine: StoreEngine) async throws
    {
        let store = try await subscriber(paid.productID, engine)
        try await store.advance(by: paid.period)
        #expect(store.entitlements.latest.contains(paid.productID))
        #expect(appStore.allTransactions().count == 2)
    }

    @Test(arguments: [("gold", 16), ("weekly", 6)])
    func `a grace period ends access on its last day`(productID: String, days: Int) async throws {
        let store = try await subscriber(productID)
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        appStore.behavior.billingGracePeriodIsEnabled = true
        try await store.advance(by: productID == "gold" ? .month(1) : .week(1))
        #expect(store.entitlements.latest[productID]?.state == .inGracePeriod)
        try await store.advance(by: .days(days))
        #expect(store.entitlements.latest[productID]?.state == .inBillingRetryPeriod)
    }

    @Test func `the App Store stops to charge a card after 60 days`() async throws {
        let store = try await subscriber("gold")
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        try await store.advance(by: .month(1))
        try await store.advance(by: .days(60))
        #expect(store.entitlements.latest["gold"]?.state == .expired)
        #expect(store.entitlements.latest["gold"]?.expirationReason == .billingError)
    }

    @Test func `a commitment that was canceled lasts for its twelve months`() async throws {
        appStore.storefront = try #require(SimulatedStorefront(countryCode: "DEU"))
        let store = try await launch()
        try await store.purchase("yearly", options: [.billingPlan(.monthly)]) { _ in }
        try appStore.disableAutoRenew(of: "yearly")
        for _ in 1...11 { try await store.advance(by: .month(1)) }
        #expect(store.entitlements.latest.contains("yearly"))
        try await store.advance(by: .month(1))
        #expect(!store.entitlements.latest.contains("yearly"))
        #expect(appStore.allTransactions().count == 12)
    }

    @Test(arguments: both) func `a season pass is over after its last day`(engine: StoreEngine) async throws {
        let store = try await subscriber("summer", engine)
        try await store.advance(by: .days(90))
        #expect(!store.entitlements.latest.contains("summer"))
    }

    @Test func `a downgrade begins with the next period`() async throws {
        let store = try await subscriber("gold")
        try await store.purchase("weekly") { _ in }
        try await store.settled()
        #expect(store.entitlements.latest["gold"]?.renewal?.productID == "weekly")
        try await store.advance(by: .month(1))
        #expect(store.entitlements.latest.productIDs == ["weekly"])
    }
}

// What customers do outside the app.
extension TideTests {
    @Test(arguments: both) func `a refund ends access, and a reversed refund returns it`(engine: StoreEngine)
        async throws
    {
        let store = try await subscriber("lifetime", engine)
        try appStore.refund("lifetime")
        try await store.settled()
        #expect(!store.entitlements.latest.contains("lifetime"))
        try await store.advance(by: .days(20))
        try appStore.reverseRefund(of: "lifetime")
        try await store.settled()
        // StoreKit 1 reports nothing: the next read has it.
        if engine == .storeKit1 { await store.entitlements.refresh() }
        #expect(store.entitlements.latest.contains("lifetime"))
    }
}

// Offers, money and deliveries.
extension TideTests {
    @Test(arguments: both) func `charts are credited once, whatever the server does`(engine: StoreEngine) async throws {
        let (store, server) = (try await launch(engine), Server())
        await server.become(.down)
        store.setDelivery { request in
            do {
                for purchase in request.purchases { try await server.deliver(purchase) }
                return .accepted
            } catch {
                return .retryLater(after: 600)
            }
        }
        await #expect(throws: StoreError.self) { try await store.purchase("charts") }
        try await store.advance(by: .day(1))
        await server.become(.up)
        try await store.advance(by: 600)
        #expect(await server.coins == 1)
        #expect(appStore.allTransactions().filter { !$0.isFinished }.isEmpty)
    }

    @Test(arguments: both) func `a new phone restores`(engine: StoreEngine) async throws {
        _ = try await subscriber("lifetime", engine)
        appStore.moveToNewDevice()
        let next = appStore.relaunch(engine: engine)
        #expect(try await next.restore().productIDs == ["lifetime"])
        try await next.settled()
        #expect(next.entitlements.latest.contains("lifetime"))
    }
}
