import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

@Suite(.bounded) @MainActor struct SubscriptionPickerStateTests {
    private typealias ID = SubscriptionPickerState.Option.ID

    @Test func `a new customer sees every plan with its terms, and what the purchase agrees to`() async throws {
        let fixture = PaywallFixture()
        expectEqual(fixture.picker().phase, .loading)
        try await fixture.load()
        let picker = fixture.picker()
        expectEqual(picker.phase, .ready)
        expectEqual(
            picker.options.map(\.id), [ID("club.monthly"), ID("club.yearly"), ID("club.yearly", .monthly)])
        expectEqual(
            picker.options.map(\.terms.summary),
            [
                "1 week free, then £4.99 per month", "1 week free, then £39.99 per year",
                "1 week free, then £3.99 per month for 12 months (£47.88 in total)",
            ])
        expectEqual(picker.options.map(\.note), [nil, "Save 33%", nil], "a commitment isn't compared")
        expectEqual(picker.selected?.id, ID("club.monthly"))
        expectEqual(picker.callToAction, "Start Free Trial")
        expectEqual(picker.disclosure, "1 week free, then £4.99 per month. Renews automatically until you cancel.")
        let yearly = fixture.picker("club", ID("club.yearly", .monthly))
        expectEqual(yearly.selected?.purchaseOptions.billingPlan, .monthly)
        expectEqual(
            yearly.selected?.accessibilityLabel.hasPrefix("Club, Yearly, 1 week free, then £3.99 per month"), true)
        expectEqual(picker.selected?.purchaseOptions.billingPlan, nil)
    }

    @Test func `a subscriber sees the current plan, and the next one is selected`() async throws {
        let fixture = try PaywallFixture(.active)
        try await fixture.load()
        let picker = fixture.picker()
        expectEqual(picker.options.map(\.isCurrent), [true, false, false])
        expectEqual(picker.options.first?.note, "Current plan")
        expectEqual(picker.selected?.id, ID("club.yearly"))
        expectEqual(picker.selected?.terms.offer, nil)
        expectEqual(picker.callToAction, "Change Plan")
        let committed = try PaywallFixture(.commitment(month: 3), of: "club.yearly")
        try await committed.load()
        expectEqual(committed.picker().options.map(\.isCurrent), [false, false, true])
        let former = try PaywallFixture(.expired)
        try await former.load()
        expectEqual(former.picker().callToAction, "Subscribe")
        expectEqual(former.picker().options.contains(where: \.isCurrent), false)
    }

    @Test func `products that can't be loaded, and a group without products, don't spin forever`() async throws {
        let fixture = PaywallFixture()
        fixture.appStore.behavior.isOffline = true
        await fixture.core.loadProducts(["club.monthly"])
        guard case .failed(let error) = fixture.picker().phase else {
            throw StoreError(.unknown, "\(fixture.picker())")
        }
        expectEqual(error.code, .networkError)
        fixture.appStore.behavior.isOffline = false
        await fixture.core.loadAgain(evenIfLoaded: true)
        expectEqual(fixture.picker().phase, .ready)
        expectEqual(fixture.picker("other").phase, .empty)
        expectEqual(fixture.picker("other").disclosure, nil)
    }
}
