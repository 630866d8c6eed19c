import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import TestHarness
import Testing

extension CommitmentTests {
    @Test func `an offer is resolved among the offers of the plan`() async throws {
        try await subscribe("lite", PurchaseOptions())
        try appStore.expireSubscription(productID: "lite")
        for (plan, offer) in [(BillingPlan.monthly, "half"), (.upFront, "half.monthly")] {
            let options = PurchaseOptions(offer: .promotional(id: offer, jws: "a.e30.c"), billingPlan: plan)
            await expectError(\StoreError.code, .invalidOfferIdentifier) { try await subscribe("pro", options) }
        }
        let options = PurchaseOptions(offer: .promotional(id: "half.monthly", jws: "a.e30.c"), billingPlan: .monthly)
        let info = try await subscribe("pro", options)
        expectEqual(info.offer?.id, "half.monthly")
        expectEqual(info.price, 3)
        expectEqual(info.commitment?.billingPeriodNumber, 1)
        _ = await pass(.months(2))
        expectEqual(appStore.allTransactions().suffix(3).map(\.price), [3, 3, 6])
        expectEqual(appStore.allTransactions().suffix(3).map { $0.commitment?.billingPeriodNumber }, [1, 2, 3])
    }

    @Test func `a win-back offer belongs to its plan`() async throws {
        try await subscribe("pro", [.billingPlan(.upFront)])
        try appStore.disableAutoRenew(of: "pro")
        expectEqual(await pass(.year(1))["pro"]?.renewal?.eligibleWinBackOfferIDs, ["back", "back.monthly"])
        let refused = PurchaseOptions(offer: .winBack(id: "back"), billingPlan: .monthly)
        await expectError(\StoreError.code, .invalidOfferIdentifier) { try await subscribe("pro", refused) }
        let product = try #require(try await store.products(for: ["pro"]).first)
        expectError(\StoreError.code, .invalidOfferIdentifier) {
            let other = PurchaseOptions(offer: .winBack(id: "half.monthly"), billingPlan: .monthly)
            _ = try StoreKit2PurchaseOptions(PaymentRequest(productID: "pro", options: other), for: product)
        }
        let info = try await subscribe(
            "pro", PurchaseOptions(offer: .winBack(id: "back.monthly"), billingPlan: .monthly))
        expectEqual(info.offer?.id, "back.monthly")
        expectEqual(info.price, 4)
        let entitlement = try #require(await store.entitlements.refresh()["pro"])
        expectEqual(entitlement.commitment?.billingPeriodNumber, 1)
    }

    @Test func `the introductory offer of a plan comes with the plan only`() async throws {
        let info = try await subscribe("trial")
        expectEqual(info.offer?.kind, .introductory)
        expectEqual(terms(info), "monthly 0 to 2026-01-08 month 1/12 of 72 to 2026-12-08")
        expectEqual(
            words(await pass(.months(1)), "trial"),
            "subscribed to 2026-02-08 month 2 to 2026-12-08, then trial monthly 6, after 2026-12-08 trial monthly 72")
        let other = CommitmentTests()
        expectEqual(try await other.subscribe("trial", PurchaseOptions()).offer, nil)
    }

    @Test func `an offer code belongs to its plan`() async throws {
        let listener = StreamListener(store.transactions)
        #expect(throws: SimulatorError.self) { try appStore.redeemOfferCode("gift.monthly", for: "pro") }
        try appStore.redeemOfferCode("gift.monthly", for: "pro", plan: .monthly)
        let info = try #require(try await listener.next()?.transaction.signedInfo)
        expectEqual(info.offer?.kind, .offerCode)
        expectEqual(info.commitment?.billingPeriodNumber, 1)
    }
}
