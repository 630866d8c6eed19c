import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// The tests of an app with coins, an unlock, a club, a widget and a server, written from the article *Test your app's
/// purchases* alone.
@Suite(.bounded) struct FirstRunTests {
    private let appStore = SimulatedAppStore(products: [
        .consumable("coins", price: 1), .nonConsumable("pro", price: 10, isFamilyShareable: true),
        .autoRenewable(
            "club.monthly", price: 5, period: .month(1), group: "club", level: 2,
            introductoryOffer: .freeTrial(.week(1)),
            promotionalOffers: [.payUpFront(8, for: .months(3), id: "loyal")],
            winBackOffers: [.payUpFront(1, for: .month(1), id: "back")],
            codeOffers: [.freeTrial(.month(1), id: "gift")], isFamilyShareable: true),
        .autoRenewable("club.gold", price: 9, period: .month(1), group: "club", level: 1),
        .autoRenewable("archive", price: 50, period: .year(1), group: "archive", monthlyPlan: .monthly(5)),
    ])
    private let server = FakeServer()
    private let store: PurchaseStore

    init() {
        store = PurchaseStore(simulating: appStore)
    }

    private func deliverToServer(_ store: PurchaseStore) {
        store.setDelivery { [server] request in
            do {
                for purchase in request.purchases { try await server.grant(purchase) }
                return .accepted
            } catch {
                return .retryLater(after: 60)
            }
        }
    }

    private func buy(_ productID: String, _ options: PurchaseOptions = []) async throws {
        try await store.purchase(productID, options: options) { _ in }
    }

    private func state(_ productID: String) async throws -> SubscriptionState? {
        try await store.settled()
        return await store.entitlements.current[productID]?.state
    }

    private func day(_ text: String) throws -> Date { try Date("\(text)T00:00:00Z", strategy: .iso8601) }

    @Test func `Pro is unlocked, and still is after a relaunch`() async throws {
        try await buy("pro")
        #expect(try await state("pro") == .subscribed)
        let next = appStore.relaunch()
        try await next.settled()
        #expect(await next.entitlements.current.contains("pro"))
    }

    @Test func `closing the sheet is no error`() async throws {
        appStore.setNextPurchaseOutcome(.userCancelled)
        #expect(try await store.purchase("coins") == .userCancelled)
        #expect(await server.coins == 0)
    }

    @Test func `a declined card throws, and grants nothing`() async throws {
        deliverToServer(store)
        appStore.setNextPurchaseOutcome(.failed(.paymentNotAllowed))
        await #expect(throws: StoreError.self) { try await store.purchase("coins") }
        try await store.settled()
        #expect(await server.coins == 0)
    }

    @Test func `coins of a child arrive when the parent approves`() async throws {
        deliverToServer(store)
        appStore.behavior.askToBuyEnabled = true
        _ = try await store.purchase("coins")
        try await store.settled()
        #expect(await server.coins == 0)
        try appStore.approvePurchase(of: "coins")
        try await store.settled()
        #expect(await server.coins == 100)
    }

    @Test func `over StoreKit 1, a decline is a failure`() async throws {
        let store = PurchaseStore(simulating: appStore, engine: .storeKit1)
        let failures = StreamListener(store.purchaseFailures)
        appStore.behavior.askToBuyEnabled = true
        _ = try await store.purchase("coins")
        try appStore.declinePurchase(of: "coins")
        #expect(try await failures.next()?.productID == "coins")
    }

    @Test func `over StoreKit 2, a decline is silence, which ends with a sentence`() async throws {
        let failures = StreamListener(store.purchaseFailures)
        appStore.behavior.askToBuyEnabled = true
        _ = try await store.purchase("coins")
        try appStore.declinePurchase(of: "coins")
        try await store.settled()
        #expect(failures.waiting.isEmpty)
        await #expect(throws: WaitExpired.self) { try await failures.next(within: 0.5) }
    }

    @Test func `an interrupted purchase arrives when it's resolved`() async throws {
        deliverToServer(store)
        appStore.setNextPurchaseOutcome(.interrupted)
        await #expect(throws: StoreError.self) { try await store.purchase("coins") }
        try appStore.resolvePurchase(of: "coins")
        try await store.settled()
        #expect(await server.coins == 100)
    }

    @Test func `coins paid before a crash are granted once`() async throws {
        _ = try await store.purchase("coins")
        for _ in 0..<2 {
            let next = appStore.relaunch()
            deliverToServer(next)
            try await next.settled()
        }
        #expect(await server.coins == 100)
    }

    @Test func `coins are granted when the server is back`() async throws {
        deliverToServer(store)
        await server.stop()
        await #expect(throws: StoreError.self) { try await store.purchase("coins") }
        await server.start()
        try await store.advance(by: 120)
        #expect(await server.coins == 100)
    }

    @Test func `Pro bought on the phone is on the tablet`() async throws {
        let tablet = PurchaseStore(simulating: appStore.newDevice())
        try await buy("pro")
        try await tablet.settled()
        #expect(await tablet.entitlements.current.contains("pro"))
    }

    @Test func `a new phone has everything`() async throws {
        try await buy("pro")
        appStore.moveToNewDevice()
        let next = appStore.relaunch()
        #expect(try await next.restore().purchases.map(\.productID) == ["pro"])
    }

    @Test func `a trial becomes a paid subscription, and ends when it's canceled`() async throws {
        try await buy("club.monthly")
        #expect(try await state("club.monthly") == .subscribed)
        try await store.advance(by: .weeks(2))
        #expect(appStore.allTransactions().map(\.price) == [0, 5])
        try appStore.disableAutoRenew(of: "club.monthly")
        try await store.advance(by: .months(1))
        #expect(try await state("club.monthly") == .expired)
    }

    @Test func `a payment in the grace period keeps access and the billing date`() async throws {
        try await buy("club.gold")
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        appStore.behavior.billingGracePeriodIsEnabled = true
        try await store.advance(by: .days(34))
        #expect(try await state("club.gold") == .inGracePeriod)
        try appStore.resolveBillingIssue(of: "club.gold")
        #expect(try await state("club.gold") == .subscribed)
        #expect(try await store.entitlements.current["club.gold"]?.expirationDate == day("2026-03-01"))
    }

    @Test func `a payment after billing retry begins a new billing date`() async throws {
        try await buy("club.gold")
        appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        try await store.advance(by: .days(34))
        #expect(try await state("club.gold") == .inBillingRetryPeriod)
        try appStore.resolveBillingIssue(of: "club.gold")
        #expect(try await state("club.gold") == .subscribed)
        #expect(try await store.entitlements.current["club.gold"]?.expirationDate == day("2026-03-04"))
    }

    @Test func `an upgrade begins now, a downgrade with the next period`() async throws {
        try await buy("club.monthly")
        try await buy("club.gold")
        #expect(try await state("club.gold") == .subscribed)
        try await buy("club.monthly")
        #expect(await store.entitlements.current.subscription(inGroup: "club")?.productID == "club.gold")
        try await store.advance(by: .months(1))
        #expect(await store.entitlements.current.subscription(inGroup: "club")?.productID == "club.monthly")
    }

    @Test func `a refund takes Pro away, and a reversed refund returns it`() async throws {
        try await buy("pro")
        try appStore.refund("pro")
        #expect(try await state("pro") == .revoked)
        try appStore.reverseRefund(of: "pro")
        try await store.settled()
        #expect(await store.entitlements.refresh().contains("pro"))
    }

    @Test func `the family shares Pro, and stops sharing it`() async throws {
        try appStore.shareInFamily("pro")
        #expect(try await state("pro") == .subscribed)
        try appStore.revokeFamilySharing(of: "pro")
        #expect(try await state("pro") == .revoked)
        #expect(throws: SimulatorError.self) { try appStore.shareInFamily("coins") }
    }

    @Test func `former members come back with an offer`() async throws {
        try await buy("club.monthly")
        try appStore.expireSubscription(productID: "club.monthly")
        try await buy("club.monthly", [.offer(.winBack(id: "back"))])
        try appStore.expireSubscription(productID: "club.monthly")
        try await buy("club.monthly", [.offer(.simulatedPromotional("loyal"))])
        try appStore.expireSubscription(productID: "club.monthly")
        try appStore.redeemOfferCode("gift", for: "club.monthly")
        try await store.settled()
        #expect(appStore.allTransactions().map(\.price) == [0, 1, 8, 0])
    }

    @Test func `the server determines eligibility for the trial`() async throws {
        try await buy("club.monthly", [.simulatedIntroductoryOfferEligibility(false)])
        #expect(appStore.allTransactions().map(\.price) == [5])
    }

    @Test func `a commitment is sold in Germany, and not in the United States`() async throws {
        try await store.settled()
        let error = await #expect(throws: StoreError.self) {
            try await store.purchase("archive", options: [.billingPlan(.monthly)])
        }
        #expect(error?.code == .billingPlanUnavailable && error?.message.contains("USA") == true)
        appStore.storefront = try #require(SimulatedStorefront(countryCode: "DEU"))
        try await store.settled()
        try await buy("archive", [.billingPlan(.monthly)])
        #expect(try await state("archive") == .subscribed)
        #expect(appStore.allTransactions().last?.commitment?.billingPeriodNumber == 1)
    }

    @Test func `a widget reads what the app owns, without a network`() async throws {
        let file = EntitlementFile(
            url: FileManager.default.temporaryDirectory.appendingPathComponent("FirstRun-\(UUID())"))
        defer { try? FileManager.default.removeItem(at: file.url) }
        let configuration = StoreConfiguration(entitlementCache: file)
        let app = PurchaseStore(simulating: appStore, configuration: configuration)
        try await app.purchase("pro") { _ in }
        _ = await app.entitlements.current
        try await app.settled()
        appStore.behavior.isOffline = true
        let widget = EntitlementReader(file, simulating: appStore)
        #expect(widget.entitlements().contains("pro"))
        let next = appStore.relaunch(configuration)
        #expect(await next.entitlements.current.contains("pro"))
    }
}
