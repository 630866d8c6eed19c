import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// What a store says of entitlements, over the simulated App Store.
@Suite(.bounded) struct EntitlementTests {
    private let world = EntitlementWorld(.plain)

    @Test func `a customer who has bought nothing owns nothing, and that is known`() async {
        #expect(world.store.entitlements.latest.basis == .unknown)
        let entitlements = await world.store.entitlements.current
        #expect(entitlements.basis == .confirmed)
        #expect(entitlements.all.isEmpty && entitlements.doubts.isEmpty && entitlements.nextChange == nil)
        #expect(!entitlements.contains(anyOf: ["pro"]))
        #expect(world.store.entitlements.latest == entitlements)
    }

    @Test func `what is bought is owned as soon as the call has returned`() async throws {
        _ = await world.store.entitlements.current
        try await world.buy("pro")
        #expect(world.store.entitlements.latest.contains(anyOf: ["other", "pro"]))
        let pro = try #require(await world.store.entitlements.refresh()["pro"])
        #expect(pro.kind == .nonConsumable && pro.state == .active && pro.isEntitled)
        #expect(pro.accessEndDate == nil && pro.renewal == nil && !pro.isFamilyShared)
        #expect(pro.signedTransaction?.split(separator: ".").count == 3)
    }

    @Test func `a subscription says until when it lasts and how it goes on`() async throws {
        try await world.buy("basic")
        let entitlements = await world.store.entitlements.refresh()
        let basic = try #require(entitlements["basic"])
        #expect(basic.kind == .autoRenewableSubscription && basic.state == .active)
        #expect(basic.subscriptionGroupID == "club" && entitlements.subscription(inGroup: "club") == basic)
        #expect(basic.renewal?.willRenew == true && basic.renewal?.productID == "basic" && basic.renewal?.price == 3)
        #expect(basic.renewal?.currencyCode == "USD" && basic.renewal?.date == basic.accessEndDate)
        #expect(entitlements.nextChange == basic.accessEndDate && basic.accessEndDate != nil)
    }

    @Test func `a consumable is no entitlement`() async throws {
        try await world.buy("coins")
        #expect(await world.store.entitlements.refresh().all.isEmpty)
    }

    @Test func `a loop gets what is known, then each change, and nothing twice`() async throws {
        var iterator = world.store.entitlements.makeAsyncIterator()
        #expect(await iterator.next()?.productIDs == [])
        try await world.buy("pro")
        #expect(await iterator.next()?.productIDs == ["pro"])
        let before = await world.store.entitlements.refresh()
        #expect(await world.store.entitlements.refresh() == before)
        try world.appStore.refund("pro")
        var states: [StoreEntitlement.State?] = []
        while states.last != .revoked { states.append(try #require(await iterator.next())["pro"]?.state) }
        #expect(states == [.revoked] || states == [.active, .revoked], "at most the signed text in the place of the report in between")
    }

    @Test func `a loop ends when the store is dropped, and what is left says what was known`() async throws {
        var store: PurchaseStore? = PurchaseStore(backend: SimulatedBackend(world.appStore))
        let entitlements = try #require(store).entitlements
        var iterator = entitlements.makeAsyncIterator()
        #expect(await iterator.next()?.basis == .confirmed)
        store = nil
        #expect(await iterator.next() == nil)
        #expect(await entitlements.current.basis == .confirmed)
        #expect(await entitlements.refresh().basis == .confirmed)
        var late = entitlements.makeAsyncIterator()
        #expect(await late.next() == nil)
    }
}
