import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// The code of the article about commitments.
private struct CommitmentExamples {
    let store: PurchaseStore
    let server: Server

    func describePlans(of product: StoreProduct) -> [String] {
        product.billingPlans.map { terms in
            let price = terms.billingDisplayPrice
            guard terms.plan == .monthly else { return "\(price) a year" }
            return "\(price) a month, \(terms.commitment.displayPrice) in 12 months"
        }
    }

    func buyMonthly() async throws {
        try await store.purchase("com.example.yearly", options: [.billingPlan(.monthly)]) { purchase in
            try await server.deliver(purchase)
        }
    }

    func describeRenewal(of entitlement: StoreEntitlement) -> String? {
        guard let renewal = entitlement.renewal, let changeDate = renewal.changeDate else { return nil }
        let date = changeDate.formatted()
        guard renewal.commitment?.willAutoRenew == false else { return "Changes on \(date)" }
        return renewal.willRenew == true ? "Canceled. Payments continue until \(date)" : "Ends on \(date)"
    }
}

@Suite(.bounded) struct SellingACommitmentTests {
    @Test func `a canceled commitment keeps its access`() async throws {
        let product = SimulatedProduct.autoRenewable(
            "com.example.yearly", price: 60, period: .year(1), group: "club", monthlyPlan: .monthly(6))
        let appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(
                products: [product], storefront: SimulatedStorefront(countryCode: "DEU", id: "143443")))
        let store = PurchaseStore(simulating: appStore)
        try await store.purchase("com.example.yearly", options: [.billingPlan(.monthly)]) { _ in }
        try appStore.disableAutoRenew(of: "com.example.yearly")
        appStore.advance(by: .days(100))
        let entitlement = try #require(await store.entitlements.refresh()["com.example.yearly"])
        #expect(entitlement.isEntitled)
        #expect(entitlement.commitment?.billingPeriodNumber == 4)
        #expect(entitlement.renewal?.commitment?.willAutoRenew == false)
    }

    @Test func `plans and renewals are described in the article's words`() async throws {
        let product = SimulatedProduct.autoRenewable(
            "com.example.yearly", price: 60, period: .year(1), group: "club", monthlyPlan: .monthly(6))
        let appStore = SimulatedAppStore(
            catalog: SimulatedCatalog(
                products: [product], storefront: SimulatedStorefront(countryCode: "IRL", id: "143449"),
                localeIdentifier: "en_IE"))
        let examples = CommitmentExamples(store: PurchaseStore(simulating: appStore), server: Server())
        let loaded = try #require(try await examples.store.products(for: ["com.example.yearly"]).first)
        expectEqual(examples.describePlans(of: loaded), ["€60.00 a year", "€6.00 a month, €72.00 in 12 months"])
        try await examples.buyMonthly()
        appStore.advance(by: .days(40))
        func description() async throws -> String? {
            examples.describeRenewal(
                of: try #require(await examples.store.entitlements.refresh()["com.example.yearly"]))
        }
        expectEqual(try await description(), nil)
        try appStore.disableAutoRenew(of: "com.example.yearly")
        #expect(try await description()?.hasPrefix("Canceled. Payments continue until") == true)
        appStore.advance(by: .days(310))
        #expect(try await description()?.hasPrefix("Ends on") == true)
        try appStore.enableAutoRenew(of: "com.example.yearly")
        try appStore.changeBillingPlan(of: "com.example.yearly", to: .upFront)
        #expect(try await description()?.hasPrefix("Changes on") == true)
    }
}
