import AppReceipt
import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@Suite(.bounded) struct StoreReceiptTests {
    private let world = StoreWorld(selling: .shop, signs: true, engine: .storeKit1)

    private func local(bundleID: ExpectedBundleID = "com.example.app") -> LocalReceiptVerifier {
        .simulated(bundleID: bundleID)
    }

    @Test func `a missing receipt is requested once, and verified on the device`() async throws {
        let store = world.launch()
        let empty = try await store.receipt.verify(using: local())
        expectEqual(empty.bundleID, "com.example.app")
        let purchase = try world.success(try await store.purchase(StoreWorld.weekly))
        let receipt = try await store.receipt.verify(using: local())
        let id = try #require(purchase.transaction.id)
        #expect(receipt.transaction(id: id) != nil)
        #expect(receipt.owns(StoreWorld.weekly, at: .now))
        #expect(receipt.subscriptionStatus(of: StoreWorld.weekly, at: .now).isEntitled)
        world.appStore.behavior.shouldEnterBillingRetryOnRenewal = true
        world.appStore.advance(by: .months(2))
        #expect(
            !receipt.subscriptionStatus(of: StoreWorld.weekly, at: .now).isEntitled,
            "the receipt uses the App Store's clock")
    }

    @Test func `the error for an invalid receipt has the failed check underneath`() async throws {
        let store = world.launch()
        try await store.receipt.refresh()
        for verifier in [local(bundleID: "com.example.other"), .local(bundleID: "com.example.app", environment: nil)] {
            let error = await #expect(throws: StoreError.self) { try await store.receipt.verify(using: verifier) }
            #expect(error?.code == .receiptInvalid && error?.underlying is ReceiptVerificationError)
        }
    }

    @Test func `the receipt of a restored transaction contains the original`() async throws {
        try await world.launch().purchase(StoreWorld.pro) { _ in }
        let store = world.launch()
        var receipts = 0
        try await store.restore { purchase in
            let data = try await store.receipt.data(refreshing: .untilContains(purchase.transaction))
            receipts += data.isEmpty ? 0 : 1
        }
        expectEqual(receipts, 1)
    }

    @Test func `a customer who has used an introductory offer of the group isn't eligible for another`() async throws {
        let trial = SimulatedSubscription.Offer(paymentMode: .freeTrial, price: 0, period: .week(1))
        let appStore = SimulatedAppStore(products: [
            .autoRenewable("monthly", price: 5, period: .month(1), group: "club", introductoryOffer: trial),
            .autoRenewable("yearly", price: 50, period: .year(1), group: "club", introductoryOffer: trial),
            .autoRenewable("news", price: 2, period: .month(1), group: "press"), .nonConsumable("pro", price: 9),
        ])
        let store = PurchaseStore(backend: SimulatedBackend(appStore, engine: .storeKit1))
        let products = try await store.products(for: ["monthly", "yearly", "news", "pro"])
        let eligible = { (receipt: Receipt) in
            products.filter { receipt.isEligibleForIntroductoryOffer($0, in: products) }.map(\.id)
        }
        expectEqual(eligible(try await store.receipt.verify(using: .simulated())), ["monthly", "yearly"])
        try await store.purchase("monthly") { _ in }
        expectEqual(eligible(try await store.receipt.verify(using: .simulated(), refreshing: .always)), [])
    }

    @Test func `an app's own verifier is called, and its error is underneath`() async throws {
        struct Refusal: Error {}
        struct Own: ReceiptVerifier {
            func verify(_ receiptData: Data) async throws -> Receipt { throw Refusal() }
        }
        let error = await #expect(throws: StoreError.self) { try await world.launch().receipt.verify(using: Own()) }
        #expect(error?.underlying is Refusal)
    }

    @Test func `a receipt that lags is refreshed until it contains the transaction`() async throws {
        world.appStore.behavior.receiptLag = .refreshes(3)
        let store = world.launch()
        let purchase = try world.success(try await store.purchase(StoreWorld.pro))
        let id = try #require(purchase.transaction.id)
        let fetching = Task { try await store.receipt.data(refreshing: .untilContains(purchase.transaction)) }
        for pause in [1.0, 2.0] {
            try await world.clock.waitForSleepers(1, duration: pause)
            world.clock.advance(by: pause)
        }
        let receipt = try Receipt.unverified(pkcs7: try await fetching.value)
        #expect(receipt.transaction(id: id) != nil)
    }

    @Test func `a receipt that always lags ends in a typed error, after five refreshes`() async throws {
        world.appStore.behavior.receiptLag = .refreshes(100)
        let store = world.launch()
        let purchase = try world.success(try await store.purchase(StoreWorld.pro))
        let fetching = Task { try await store.receipt.data(refreshing: .untilContains(purchase.transaction)) }
        for pause in [1.0, 2, 4, 8] {
            try await world.clock.waitForSleepers(1, duration: pause)
            world.clock.advance(by: pause)
        }
        try await world.expectError(.receiptIncomplete) { _ = try await fetching.value }
    }

    @Test func `an unanswered refresh times out`() async throws {
        world.appStore.behavior.receiptRefreshesAreNeverAnswered = true
        let store = world.launch()
        let waiting = Task { try await store.receipt.refresh() }
        try await world.clock.waitForSleepers(1)
        world.clock.advance(by: 60)
        try await world.expectError(.timedOut) { try await waiting.value }
    }
}
