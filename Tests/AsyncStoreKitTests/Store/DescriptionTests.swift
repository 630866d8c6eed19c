import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

/// The texts in a failed expectation.
@Suite(.bounded) struct DescriptionTests {
    private let appStore = SimulatedAppStore(products: [
        .consumable("coins", price: 1), .nonConsumable("pro", price: 10, isFamilyShareable: true),
        .autoRenewable("monthly", price: 5, period: .month(1), group: "club"),
    ])

    @Test func `a purchase prints its product, its identifier, and its cause`() async throws {
        let store = PurchaseStore(simulating: appStore)
        let outcome = try await store.purchase("coins", options: PurchaseOptions(quantity: 2))
        guard case .success(let purchase) = outcome else { throw StoreError(.unknown, "\(outcome)") }
        let id = try #require(purchase.transaction.id)
        expectEqual(
            "\(purchase)", "2 × coins: purchased, transaction \(id), 2026-01-01T00:00:00Z (requested)")
        expectEqual("\(PurchaseOutcome.success(purchase))", "success(\(purchase))")
        expectEqual("\(PurchaseOutcome.userCancelled)", "userCancelled")
        expectEqual("\(RestoreOutcome.restored([purchase]))", "restored(\(purchase.transaction))")
        expectEqual("\(RestoreOutcome.userCancelled)", "userCancelled")
        await purchase.finish()
        expectEqual(String(reflecting: [purchase.transaction]), "[\(purchase.transaction)]", "in collections, too")
    }

    @Test func `a pending purchase prints its product`() async throws {
        let store = PurchaseStore(simulating: appStore)
        appStore.behavior.askToBuyEnabled = true
        expectEqual("\(try await store.purchase("pro"))", "pending(pro: pending)")
    }

    @Test func `diagnostics print what waits, a line for each`() async throws {
        let store = PurchaseStore(simulating: appStore)
        expectEqual("\(try await store.diagnostics())", "nothing waits")
        _ = try await store.purchase("coins", options: [.quantity(2)])
        appStore.behavior.askToBuyEnabled = true
        _ = try await store.purchase("pro")
        try await store.settled()
        let transaction = try #require(try await store.diagnostics().held.first?.transaction)
        expectEqual(
            "\(try await store.diagnostics())",
            "\(transaction), returned to the caller since 2026-01-01T00:00:00Z\npro: pending")
    }

    @Test func `an intent prints its product`() async throws {
        let store = PurchaseStore(simulating: appStore)
        let intents = StreamListener(store.purchaseIntents)
        try appStore.promotePurchase(of: "pro")
        let intent = try #require(try await intents.next())
        expectEqual("\(intent)", intent.isContinuedAutomatically ? "pro, continued automatically" : "pro")
    }

    @Test func `a product prints its price`() async throws {
        let products = try await PurchaseStore(simulating: appStore).products(for: ["monthly", "coins"])
        expectEqual(
            products.map { String(reflecting: $0) },
            ["monthly: autoRenewable, $5.00 for 1 month", "coins: consumable, $1.00"])
    }

    @Test func `the description of entitlements names products, end dates and the basis`() async throws {
        let store = PurchaseStore(simulating: appStore)
        expectEqual("\(store.entitlements.latest)", "unknown: nothing")
        try await store.purchase("monthly") { _ in }
        try appStore.shareInFamily("pro")
        try await store.settled()
        expectEqual(
            "\(await store.entitlements.current)",
            "confirmed: monthly: subscribed until 2026-02-01T00:00:00Z, renews; pro: subscribed, shared by a family member"
        )
        try appStore.disableAutoRenew(of: "monthly")
        try await store.advance(by: .months(2))
        expectEqual(
            await store.entitlements.current["monthly"]?.description, "monthly: expired since 2026-02-01T00:00:00Z")
    }

    @Test(arguments: [StoreEngine.storeKit1, .storeKit2])
    func `a revocation names its products and the reason`(engine: StoreEngine) async throws {
        let store = PurchaseStore(simulating: appStore, engine: engine)
        var revocations = store.revocations.makeAsyncIterator()
        try await store.purchase("pro") { _ in }
        try appStore.refund("pro")
        let text = try #require(await revocations.next()?.description)
        #expect(
            text.hasPrefix(engine == .storeKit1 ? "revoked pro" : "revoked pro: purchased, transaction "), "\(text)")
    }

    @Test func `a failure prints the product and the reason`() async throws {
        let store = PurchaseStore(simulating: appStore, engine: .storeKit1)
        var failures = store.purchaseFailures.makeAsyncIterator()
        appStore.behavior.askToBuyEnabled = true
        _ = try await store.purchase("pro")
        try appStore.declinePurchase(of: "pro")
        let text = try #require(await failures.next()?.description)
        #expect(text.hasPrefix("pro: approvalDeclined: "), "\(text)")
    }
}
