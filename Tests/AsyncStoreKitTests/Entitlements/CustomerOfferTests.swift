import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The offers and actions of a customer, and a trial without a subscription.
@Suite(.bounded) struct CustomerOfferTests {
    private let appStore = SimulatedAppStore(
        catalog: SimulatedCatalog(products: [
            .nonConsumable("trial", price: 0, isFamilyShareable: true),
            .nonConsumable("pro", price: 10, isFamilyShareable: true),
            .autoRenewable(
                "basic", price: 3, period: .month(1), group: "club", introductoryOffer: .freeTrial(.week(1)),
                promotionalOffers: [
                    .payUpFront(2, for: .month(1), id: "half"), .payUpFront(1, for: .month(1), id: "third"),
                ],
                winBackOffers: [.payUpFront(5, for: .months(3), id: "back"), .freeTrial(.week(1), id: "again")],
                isFamilyShareable: true),
        ]))

    private func store(_ engine: StoreEngine = .storeKit2, _ configuration: StoreConfiguration = .init())
        -> PurchaseStore
    {
        PurchaseStore(over: SimulatedBackend(appStore, engine: engine), configuration: configuration)
    }

    private func offers(_ store: PurchaseStore, _ productID: String = "basic") async throws -> EligibleOffers {
        let product = try #require(try await store.products(for: [productID]).first)
        return await store.offers(for: product)
    }

    /// Reads until the empty device is treated as confirmed.
    private func confirmed(_ store: PurchaseStore) async {
        while await store.entitlements.refresh().basis != .confirmed { appStore.advance(by: 10) }
    }

    @Test func `a new customer may use the introductory offer only`() async throws {
        let store = store()
        await confirmed(store)
        let offers = try await offers(store)
        expectEqual(offers.map(\.kind), [.introductory])
        #expect(offers.isComplete && offers.best?.paymentMode == .freeTrial)
    }

    @Test func `a subscriber may use promotional offers, the cheapest first`() async throws {
        let store = store()
        _ = try await store.purchase("basic") { _ in }
        let offers = try await offers(store)
        expectEqual(offers.map(\.id), ["third", "half"])
        #expect(offers.isComplete)
    }

    @Test func `a former subscriber may use win-back offers, which come first and in Apple's order`() async throws {
        let store = store()
        _ = try await store.purchase("basic") { _ in }
        try appStore.expireSubscription(productID: "basic")
        appStore.advance(by: 86_400)
        let offers = try await offers(store)
        expectEqual(offers.map(\.id), ["back", "again", "third", "half"])
        expectEqual(offers.best?.kind, .winBack)
    }

    @Test func `unknown eligibility over StoreKit 1 is unknown, not none`() async throws {
        let store = store(.storeKit1)
        let offers = try await offers(store)
        #expect(offers.isEmpty && !offers.isComplete)
        expectEqual(Set(offers.unknown.map(\.kind)), [.introductory, .promotional])
    }

    @Test func `a product without offers has none, and that is known`() async throws {
        let offers = try await offers(store(), "pro")
        #expect(offers.isEmpty && offers.isComplete && offers.best == nil)
    }

    @Test func `a subscription in another member's name has no promotional offers`() async throws {
        try appStore.shareInFamily("basic")
        let offers = try await offers(store())
        #expect(!offers.contains { $0.kind == .promotional })
    }

    @Test func `the actions follow the state of the purchase`() async throws {
        let store = store()
        _ = try await store.purchase("basic") { _ in }
        _ = try await store.purchase("pro") { _ in }
        var entitlements = await store.entitlements.refresh()
        expectEqual(entitlements["pro"]?.actions, [.requestRefund])
        expectEqual(entitlements["basic"]?.actions, [.manage, .changePlan], "the trial is free")
        appStore.advance(by: 8 * 86_400)
        entitlements = await store.entitlements.refresh()
        expectEqual(entitlements["basic"]?.actions, [.requestRefund, .manage, .changePlan])
        try appStore.expireSubscription(productID: "basic")
        appStore.advance(by: 86_400)
        try appStore.refund("pro")
        entitlements = await store.entitlements.refresh()
        expectEqual(entitlements["basic"]?.actions, [.requestRefund])
        expectEqual(entitlements["pro"]?.actions, [])
    }

    @Test func `a family member's copy allows no action`() async throws {
        try appStore.shareInFamily("basic")
        let store = store()
        let entitlement = await store.entitlements.refresh()["basic"]
        #expect(entitlement?.isEntitled == true && entitlement?.actions == [])
    }

    @Test func `a product that is bought once ends after its duration`() async throws {
        let store = store(.storeKit2, StoreConfiguration(nonRenewingDurations: ["trial": 7 * 86_400]))
        _ = try await store.purchase("trial") { _ in }
        let trial = try #require(await store.entitlements.refresh()["trial"])
        #expect(trial.productKind == .nonConsumable && trial.isEntitled)
        expectEqual(trial.expirationDate.map { $0.timeIntervalSince(trial.purchaseDate) }, 7 * 86_400)
        appStore.advance(by: 6 * 86_400)
        #expect(await store.entitlements.refresh().contains("trial"))
        appStore.advance(by: 2 * 86_400)
        expectEqual(await store.entitlements.refresh()["trial"]?.state, .expired)
    }

    @Test func `a family member's copy of such a product gives no access`() async throws {
        try appStore.shareInFamily("trial")
        try appStore.shareInFamily("pro")
        let store = store(.storeKit2, StoreConfiguration(nonRenewingDurations: ["trial": 7 * 86_400]))
        let entitlements = await store.entitlements.refresh()
        #expect(!entitlements.contains("trial") && entitlements.contains("pro"))
        _ = try await store.purchase("trial") { _ in }
        let own = try #require(await store.entitlements.refresh()["trial"])
        #expect(own.isEntitled && !own.isFamilyShared)
        expectEqual(own.expirationDate.map { $0.timeIntervalSince(own.purchaseDate) }, 7 * 86_400)
    }

    @Test func `a revocation says when and why`() async throws {
        let store = store()
        let revocations = StreamListener(store.revocations)
        _ = try await store.purchase("pro") { _ in }
        try appStore.refund("pro", reason: .developerIssue, percentage: 40)
        let revocation = try #require(try await revocations.next())
        expectEqual(revocation.productIDs, ["pro"])
        #expect(revocation.date != nil && revocation.reason == .developerIssue && revocation.type == .proratedRefund)
        expectEqual(revocation.percentage, 40)
        let plain = PurchaseRevocation(productIDs: ["pro"])
        #expect(plain.date == nil && plain.reason == nil && plain.percentage == nil)
    }
}
