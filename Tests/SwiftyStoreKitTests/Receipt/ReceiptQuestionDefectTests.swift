import Foundation
import SwiftyStoreKit
import TestHarness
import Testing

/// Answers that SwiftyStoreKit 0.16.4 got wrong, through its own API.
@Suite(.bounded) struct ReceiptQuestionDefectTests {
    private typealias X = ReceiptExamples
    private typealias Q = ReceiptQueries

    @Test(arguments: ["true", "1", true, 1] as [any Sendable])
    func `I1: is_upgraded, spelled as a string or a number, is true`(spelling: any Sendable) throws {
        let row = X.info(
            X.row(
                "pro", "1",
                ["is_upgraded": spelling, "is_trial_period": spelling, "is_in_intro_offer_period": spelling]))
        let item = try #require(ReceiptItem(receiptInfo: row))
        #expect(item.isUpgraded && item.isTrialPeriod && item.isInIntroOfferPeriod)
    }

    @Test func `I3: a null cancellation date is no cancellation date`() {
        expectEqual(Q.purchase("pro", X.purchases(X.row("pro", ["cancellation_date": NSNull()]))), "1000")
        expectEqual(
            Q.purchase("pro", X.purchases(X.row("pro", ["cancellation_date": "", "cancellation_date_ms": NSNull()]))),
            "1000")
        let subscription = X.subscriptions(X.period("weekly", "1", from: 0, ["cancellation_date": NSNull()]))
        expectEqual(Q.subscription(["weekly"], subscription, until: 1).purchasedUntil, X.day(30))
    }

    @Test(arguments: [
        ["cancellation_date_ms": "1767225600000"], ["cancellation_date": "2026-01-01 00:00:00 Etc/GMT"],
        ["cancellation_date_pst": "2025-12-31 16:00:00 America/Los_Angeles"], ["cancellation_date": "somewhen"],
    ])
    func `I3: every form of a cancellation date ends access`(members: [String: String]) {
        expectEqual(Q.purchase("pro", X.purchases(X.row("pro", members))), nil)
        expectEqual(
            Q.subscription(["weekly"], X.subscriptions(X.period("weekly", "1", from: 0, members)), until: 1),
            .notPurchased)
    }

    @Test func `I4: validUntil is the evaluation date, not the receipt's request date`() {
        let receipt = X.info([
            "status": 0, "receipt": ["request_date_ms": X.milliseconds(1), "in_app": [Any]()],
            "latest_receipt_info": [X.period("weekly", "1", from: 0)],
        ])
        expectEqual(Q.subscription(["weekly"], receipt, until: 31).expiredAt, X.day(30))
        expectEqual(Q.subscription(["weekly"], receipt, until: 29).purchasedUntil, X.day(30))
    }

    @Test func `I4: a device whose clock is years behind keeps paid access`() {
        let receipt = X.subscriptions(X.period("weekly", "1", from: 0), X.period("weekly", "2", from: 60))
        expectEqual(Q.subscription(["weekly"], receipt, until: -2_000).purchasedUntil, X.day(90))
        expectEqual(Q.subscription(["weekly"], receipt, until: 45).purchasedUntil, X.day(90))
    }

    @Test func `I5: a billing grace period gives access until its end, billing retry doesn't`() {
        func receipt(_ renewal: [String: Any]) -> ReceiptInfo {
            let row: [String: Any] = [
                "product_id": "weekly", "original_transaction_id": "1000", "is_in_billing_retry_period": "1",
            ]
            return X.subscriptions(
                X.period("weekly", "1", from: 0), members: ["pending_renewal_info": [row.merging(renewal) { $1 }]])
        }
        let grace = receipt(["grace_period_expires_date_ms": X.milliseconds(36)])
        expectEqual(Q.subscription(["weekly"], grace, until: 35).purchasedUntil, X.day(36))
        expectEqual(Q.subscription(["weekly"], grace, until: 35).transactionIDs, ["1"])
        expectEqual(Q.subscription(["weekly"], grace, until: 37).expiredAt, X.day(30))
        expectEqual(Q.subscription(["weekly"], receipt([:]), until: 31).expiredAt, X.day(30))
    }

    @Test func `I7: an upgraded subscription without a cancellation date is ignored`() {
        let receipt = X.subscriptions(
            X.period("basic", "1", from: 0, ["is_upgraded": "true"]), X.period("premium", "2", from: 1))
        expectEqual(Q.subscription(["basic"], receipt, until: 2), .notPurchased)
        let group = Q.subscription(["basic", "premium"], receipt, until: 2)
        expectEqual(group.purchasedUntil, X.day(31))
        expectEqual(group.transactionIDs, ["2"])
    }

    @Test func `I8: the purchase of a product is the latest valid one, not the oldest`() {
        let receipt = X.purchases(
            X.row("pro", "1"), X.row("pro", "3", day: 3), X.row("pro", "2", day: 2),
            X.row("pro", "4", day: 4, ["cancellation_date_ms": X.milliseconds(5), "original_transaction_id": "4"]))
        expectEqual(Q.purchase("pro", receipt), "3")
    }

    @Test func `a refund reaches the restored copy of the purchase`() {
        let refunded = X.row("pro", "1", ["cancellation_date_ms": X.milliseconds(5)])
        expectEqual(Q.purchase("pro", X.purchases(refunded, X.row("pro", "2", day: 2))), nil)
    }
}
