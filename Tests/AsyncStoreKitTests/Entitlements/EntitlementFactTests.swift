import AppReceipt
import AppStoreSimulator
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

@testable import AsyncStoreKit

/// The properties of an entitlement that an app shows: the offer, the price, the reason of its end, and the group's
/// status.
@Suite(.bounded) struct EntitlementFactTests {
    private let world = StoreWorld()

    private func entitlement(_ productID: String) async throws -> StoreEntitlement {
        try #require(await world.refreshed()[productID])
    }

    private func status() async -> SubscriptionGroupStatus { await world.refreshed().status(inGroup: "club") }

    @Test func `a free trial has its offer, its end, and its renewal`() async throws {
        try await world.buy("basic")
        let trial = try await entitlement("basic")
        expectEqual(trial.offer, TransactionOffer(kind: .introductory, paymentMode: .freeTrial, period: "P1W"))
        #expect(trial.isTrial && trial.price == 0 && trial.currency == "USD")
        expectEqual(trial.expirationDate, trial.accessEndDate)
        let days = trial.expirationDate.map { $0.timeIntervalSince(trial.purchaseDate) / 86_400 }
        expectEqual(days, 7)
        expectEqual(trial.renewal?.willRenew, true)
        let status = await status()
        #expect(status.state == .subscribed && status.isTrial)
        #expect(status.isEntitled && status.expirationDate == trial.expirationDate && status.offer?.isTrial == true)
        expectEqual(status.jws?.split(separator: ".").count, 3)
        expectEqual(status.renewalJWS?.split(separator: ".").count, 3)
        #expect(status.jws != status.renewalJWS)

        world.appStore.advance(by: 8 * 86_400)
        let paid = try await entitlement("basic")
        expectEqual(paid.offer, nil)
        #expect(!paid.isTrial && paid.price == 3)
        #expect(await self.status().state == .subscribed)
        #expect(await !self.status().isTrial)
    }

    @Test func `a canceled trial is no longer a trial after its end, and has an expiration reason`() async throws {
        try await world.buy("basic")
        try world.appStore.disableAutoRenew(of: "basic")
        expectEqual(try await entitlement("basic").expirationReason, nil, "the customer still has access")
        world.appStore.advance(by: 30 * 86_400)
        let ended = try await entitlement("basic")
        expectEqual(ended.state, .expired)
        expectEqual(ended.expirationReason, .autoRenewDisabled)
        #expect(!ended.isTrial && ended.offer?.isTrial == true)
        let status = await status()
        expectEqual(status.state, .expired)
        expectEqual(status.expirationReason, .autoRenewDisabled)
        #expect(!status.isEntitled && status.renewal?.willRenew == false)
    }

    @Test func `a win-back offer is named in the entitlement, with the price that was paid`() async throws {
        try await world.buy("basic")
        try world.appStore.expireSubscription(productID: "basic")
        world.appStore.advance(by: 86_400)
        let product = try #require(try await world.store.products(for: ["basic"]).first)
        let offer = try #require(product.winBackOffers.first)
        try await world.store.purchase("basic", options: [.offer(.winBack(offer))]) { _ in }
        let basic = try await entitlement("basic")
        expectEqual(
            basic.offer, TransactionOffer(kind: .winBack, id: "back", paymentMode: .payUpFront, period: "P3M"))
        #expect(basic.price == 5 && !basic.isTrial)
        expectEqual(await status().state, .subscribed)
    }

    @Test func `a refund has a date and a reason`() async throws {
        try await world.buy("pro")
        expectEqual(try await entitlement("pro").ownershipType, .purchased)
        try world.appStore.refund("pro", reason: .developerIssue)
        let refunded = try await entitlement("pro")
        expectEqual(refunded.state, .revoked)
        expectEqual(refunded.revocationReason, .developerIssue)
        #expect(refunded.revocationDate != nil && refunded.price == Decimal(string: "9.99"))
    }

    @Test func `a family-shared entitlement is marked as such`() async throws {
        try world.appStore.shareInFamily("pro")
        expectEqual(try await entitlement("pro").ownershipType, .familyShared)
    }

    @Test func `the next period's offer is part of the renewal`() {
        var renewal = ReceiptRenewal(
            RenewalFacts(productID: "basic", originalTransactionID: "1", expirationReason: .billingError))
        renewal.promotionalOfferID = "half"
        let row = PurchaseFacts(productID: "basic", transactionID: "1", purchaseDate: .distantPast)
        let receipt = StoreEntitlement.Renewal(VerifiedRenewal(renewal), after: row)
        expectEqual(receipt.offer, TransactionOffer(kind: .promotional, id: "half"))
        expectEqual(receipt.expirationReason, .billingError)
        renewal.offer = TransactionOffer(kind: .winBack, id: "back", paymentMode: .freeTrial)
        let signed = StoreEntitlement.Renewal(VerifiedRenewal(renewal), after: row)
        expectEqual(signed.offer, TransactionOffer(kind: .winBack, id: "back", paymentMode: .freeTrial))
    }

    @Test func `every signed field of a renewal is a property of the entitlement's renewal`() throws {
        let payload = """
            {"originalTransactionId":"1","signedDate":2000,"productId":"basic","autoRenewProductId":"premium",
            "autoRenewStatus":1,"recentSubscriptionStartDate":1000,"renewalQuantity":4,"multiSeatInfo":{"a":1},
            "bundleProductId":"everything","priceIncreaseStatus":1,"appTransactionId":"7","novelty":true}
            """
        let info = try SignedRenewalInfo(payload: Data(payload.utf8))
        let row = PurchaseFacts(productID: "basic", transactionID: "1", purchaseDate: .distantPast)
        let renewal = StoreEntitlement.Renewal(VerifiedRenewal(info, text: { "text" }), after: row)
        expectEqual(renewal.productID, "premium")
        expectEqual(renewal.willRenew, true)
        expectEqual(renewal.recentSubscriptionStartDate, Date(timeIntervalSince1970: 1))
        expectEqual(renewal.renewalQuantity, 4)
        expectEqual(renewal.multiSeatInfo, .object(["a": .number("1")]))
        expectEqual(renewal.bundle?.productID, "everything")
        expectEqual(renewal.priceIncreaseStatus, .agreed)
        expectEqual(renewal.appTransactionID, "7")
        expectEqual(renewal.unknownFields["novelty"], .bool(true))
        expectEqual(renewal.jws, "text")
    }

    @Test func `entitlements are a collection that includes expired purchases`() async throws {
        try await world.buy("pro")
        try await world.buy("premium")
        try await world.buy("filters")
        _ = await world.refreshed()
        try world.appStore.refund("filters")
        let entitlements = await world.refreshed()
        expectEqual(entitlements.map(\.productID), ["filters", "premium", "pro"])
        expectEqual(entitlements.filter(\.isEntitled).map(\.productID), ["premium", "pro"])
        expectEqual(entitlements.first { $0.productKind == .autoRenewable }?.productID, "premium")
        #expect(entitlements.contains { $0.state == .revoked })
        #expect(entitlements.contains("pro") && !entitlements.contains("filters") && !entitlements.contains("coins"))
        #expect(
            entitlements.contains(AccessLevel(groups: ["club"]))
                && !entitlements.contains(AccessLevel(groups: ["press"])))
        expectEqual(entitlements.last, entitlements["pro"])
    }

    @Test func `no status is known before a read, and afterwards the customer has never subscribed`() async {
        expectEqual(StoreEntitlements.unknown.status(inGroup: "club").state, .unknown)
        let entitlements = await world.confirmed()
        expectEqual(entitlements.status(inGroup: "club"), SubscriptionGroupStatus(nil, or: .neverSubscribed, "club"))
    }

    @Test func `a receipt has the trial, and doesn't name the group`() async throws {
        let world = StoreWorld(signs: true, engine: .storeKit1)
        try await world.buy("basic")
        let store = PurchaseStore(over: SimulatedBackend(world.appStore, engine: .storeKit1))
        let entitlements = await store.entitlements.refresh()
        let basic = try #require(entitlements["basic"])
        #expect(basic.isTrial && basic.offer?.kind == .introductory && basic.price == nil && basic.jws == nil)
        expectEqual(entitlements.status(inGroup: "club").state, .unknown)
        #expect(!entitlements.contains(AccessLevel(groups: ["club"])) && entitlements.contains("basic"))
    }

    @Test func `two signatures of one transaction are equal, and a difference in a signed field is one`() {
        var row = PurchaseFacts(productID: "pro", transactionID: "1", purchaseDate: .distantPast)
        let first = VerifiedTransaction(row, text: { "a" })
        row.signedDate = .distantFuture
        expectEqual(VerifiedTransaction(row, text: { "b" }), first)
        row.offer = TransactionOffer(kind: .winBack)
        #expect(VerifiedTransaction(row, text: { "a" }) != first)
        expectEqual(first.jws, "a")
    }
}
