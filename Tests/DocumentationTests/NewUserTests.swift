import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// The tests that a StoreKit 2 developer writes first, from the article Test your app's purchases.
@Suite(.bounded) struct NewUserTests {
    private let appStore = SimulatedAppStore(products: [
        .consumable("coins", price: 1),
        .nonConsumable("pro", price: 10, isFamilyShareable: true),
        .autoRenewable(
            "club.monthly", price: 5, period: .month(1), group: "club", level: 2,
            introductoryOffer: .freeTrial(.week(1)),
            winBackOffers: [.payUpFront(5, for: .months(3), id: "back")]),
        .autoRenewable("club.yearly", price: 50, period: .year(1), group: "club", level: 1),
    ])
    private let store: PurchaseStore

    init() {
        store = PurchaseStore(simulating: appStore)
    }

    /// Buys, and finishes the purchase.
    private func buy(_ productID: String) async throws {
        try await store.purchase(productID) { _ in }
    }

    private func owned() async -> Set<String> { await store.entitlements.current.productIDs }

    @Test func `a product is available after a purchase and a relaunch`() async throws {
        try await buy("pro")
        let next = appStore.relaunch()
        let entitlements = await next.entitlements.current
        #expect(entitlements.contains("pro") && entitlements.basis == .confirmed)
    }

    @Test func `a refund ends access`() async throws {
        try await buy("pro")
        var revocations = store.revocations.makeAsyncIterator()
        try appStore.refund("pro")
        #expect(await revocations.next()?.transactions.map(\.productID) == ["pro"])
        #expect(await owned().isEmpty)
        #expect(await store.entitlements.current["pro"]?.state == .revoked)
    }

    @Test func `an upgrade replaces the lower subscription`() async throws {
        try await buy("club.monthly")
        try await buy("club.yearly")
        #expect(await owned() == ["club.yearly"])
        #expect(await store.entitlements.current.subscription(inGroup: "club")?.productID == "club.yearly")
    }

    @Test func `a subscription that isn't renewed has expired two months later`() async throws {
        try await buy("club.monthly")
        try appStore.disableAutoRenew(of: "club.monthly")
        appStore.advance(by: .months(2))
        await appStore.waitUntilIdle()
        #expect(await store.entitlements.current["club.monthly"]?.state == .expired)
    }

    @Test func `access has ended when the end of family sharing is reported`() async throws {
        try appStore.shareInFamily("pro")
        #expect(await owned() == ["pro"])
        var revocations = store.revocations.makeAsyncIterator()
        try appStore.revokeFamilySharing(of: "pro")
        _ = await revocations.next()
        #expect(await owned().isEmpty)
    }

    @Test func `a parent approves`() async throws {
        appStore.behavior.askToBuyEnabled = true
        guard case .pending = try await store.purchase("pro") else {
            Issue.record("Ask to Buy is on.")
            return
        }
        try appStore.approvePurchase(of: "pro")
        try await store.settled()
        #expect(await owned() == ["pro"])
    }

    @Test func `a parent declines, and nothing is reported`() async throws {
        appStore.behavior.askToBuyEnabled = true
        guard case .pending = try await store.purchase("pro") else {
            Issue.record("Ask to Buy is on.")
            return
        }
        try appStore.declinePurchase(of: "pro")
        try await store.settled()
        #expect(await owned().isEmpty)
    }

    @Test func `a purchase is delivered when the server runs again`() async throws {
        let server = FakeServer()
        await server.stop()
        store.setDelivery { request in
            do {
                for purchase in request.purchases { try await server.grant(purchase) }
                return .accepted
            } catch {
                return .retryLater(after: 30)
            }
        }
        await #expect(throws: StoreError.self) { try await store.purchase("coins") }
        await server.start()
        try await store.advance(by: 60)
        #expect(await server.coins == 100)
    }

    @Test func `a crash before the delivery loses nothing`() async throws {
        _ = try await store.purchase("coins")
        let next = appStore.relaunch()
        var purchases = next.transactions.makeAsyncIterator()
        #expect(await purchases.next()?.productID == "coins")
    }

    @Test func `an app without a network starts with the cached entitlements`() async throws {
        let file = EntitlementFile(
            url: FileManager.default.temporaryDirectory.appendingPathComponent("NewUser-\(UUID())"))
        defer { try? FileManager.default.removeItem(at: file.url) }
        let first = PurchaseStore(simulating: appStore, configuration: StoreConfiguration(entitlementCache: file))
        try await first.purchase("pro") { _ in }
        #expect(await first.entitlements.current.productIDs == ["pro"])
        try await first.settled()
        #expect(FileManager.default.fileExists(atPath: file.url.path))
        appStore.behavior.isOffline = true
        let next = appStore.relaunch(StoreConfiguration(entitlementCache: file))
        #expect(await next.entitlements.current.productIDs == ["pro"])
    }

    @Test func `a working payment method ends billing retry`() async throws {
        try await buy("club.monthly")
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        try await store.advance(by: .months(1))
        #expect(await store.entitlements.current["club.monthly"]?.state == .inBillingRetryPeriod)
        appStore.behavior.shouldEnterBillingRetryOnRenewal = false
        try await store.advance(by: .days(30))
        #expect(await owned() == ["club.monthly"])
    }

    @Test func `a grace period keeps access for a time`() async throws {
        try await buy("club.monthly")
        appStore.behavior.billingGracePeriodIsEnabled = true
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        try await store.advance(by: .days(8))
        #expect(await store.entitlements.current["club.monthly"]?.state == .inGracePeriod)
    }

    @Test func `a new device has the customer's purchases`() async throws {
        try await buy("pro")
        appStore.moveToNewDevice()
        let next = appStore.relaunch()
        #expect(await next.entitlements.current.productIDs == ["pro"])
    }

    @Test func `another device's purchase arrives here`() async throws {
        var purchases = store.transactions.makeAsyncIterator()
        try appStore.buyProduct(productID: "pro")
        #expect(await purchases.next()?.productID == "pro")
        #expect(await owned() == ["pro"])
    }

    @Test func `an interrupted purchase arrives later`() async throws {
        appStore.setNextPurchaseOutcome(.interrupted)
        await #expect(throws: StoreError.self) { try await store.purchase("pro") }
        try appStore.resolvePurchase(of: "pro")
        try await store.settled()
        #expect(await owned() == ["pro"])
    }

    @Test func `a price has the currency of the storefront`() async throws {
        appStore.storefront = try #require(SimulatedStorefront(countryCode: "DEU"))
        let product = try #require(try await store.products(for: ["pro"]).first)
        #expect(product.displayPrice.contains("€"))
    }

    @Test func `a customer who doesn't accept a higher price keeps the paid period`() async throws {
        try await buy("club.monthly")
        try appStore.raisePrice(of: "club.monthly", to: 9)
        try appStore.declinePriceIncrease(of: "club.monthly")
        #expect(await owned() == ["club.monthly"])
        try await store.advance(by: .months(2))
        #expect(await owned().isEmpty)
    }

    @Test func `setting the clock back doesn't restore access`() async throws {
        try await buy("club.monthly")
        try appStore.disableAutoRenew(of: "club.monthly")
        try await store.advance(by: .months(2))
        appStore.deviceClockOffset = -50 * 86_400
        #expect(await store.entitlements.refresh().productIDs.isEmpty)
    }

    @Test func `every renewal names the same original transaction, and all are signed`() async throws {
        store.setDelivery { _ in .accepted }
        _ = try await store.purchase("club.monthly")
        var purchases = store.transactions.makeAsyncIterator()
        var transactions: [StoreTransaction] = []
        for _ in 0..<3 {
            try await store.advance(by: .months(1))
            if let purchase = await purchases.next() { transactions.append(purchase.transaction) }
        }
        #expect(transactions.count == 3 && Set(transactions.map(\.originalID)).count == 1)
        #expect(transactions.allSatisfy { $0.jws != nil })
    }
}
