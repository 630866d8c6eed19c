import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

/// Results that apps rely on.
@Suite(.bounded) struct ReceiptQuestionTests {
    private typealias X = ReceiptExamples
    private typealias Q = ReceiptQueries

    @Test func `a non-renewing subscription lasts from its original purchase, and the latest purchase is used`() {
        let month = SubscriptionType.nonRenewing(validDuration: 30 * 86_400)
        let receipt = X.purchases(
            X.row("pass", "2", day: 10), X.row("pass", "3", day: 20, ["original_purchase_date_ms": X.milliseconds(0)]),
            X.row("pass", "4", day: 25, ["cancellation_date_ms": X.milliseconds(26), "original_transaction_id": "4"]))
        let result = Q.subscription(["pass"], receipt, type: month, until: 35)
        expectEqual(result.purchasedUntil, X.day(40))
        expectEqual(result.transactionIDs, ["2", "3"])
        expectEqual(Q.subscription(["pass"], receipt, type: month, until: 41).expiredAt, X.day(40))
        expectEqual(
            Q.subscription(["pass"], receipt, type: .nonRenewing(validDuration: .nan), until: 0).purchasedUntil, nil)
        expectEqual(
            Q.subscription(["pass"], receipt, type: .nonRenewing(validDuration: .infinity), until: 1_000).expiredAt, nil
        )
    }

    @Test func `an expired receipt of the iOS 6 format is expired`() {
        let flat = X.row("weekly", "1", ["expires_date": X.milliseconds(30), "bid": "com.example.app", "bvrs": "1"])
        let receipt = X.info(["status": 21_006, "receipt": flat, "latest_expired_receipt_info": flat])
        let result = Q.subscription(["weekly"], receipt, until: 31)
        expectEqual(result.expiredAt, X.day(30))
        expectEqual(result.transactionIDs, ["1"])
        let renewed = X.info([
            "status": 0, "receipt": flat,
            "latest_receipt_info": X.row("weekly", "2", day: 30, ["expires_date": X.milliseconds(60)]),
        ])
        expectEqual(Q.subscription(["weekly"], renewed, until: 31).transactionIDs, ["2", "1"])
        expectEqual(Q.purchase("weekly", renewed), "1")
    }

    @Test func `an unreadable row doesn't hide the others`() {
        var broken = X.period("weekly", "2", from: 30)
        broken["purchase_date_ms"] = "yesterday"
        let odd = X.period(
            "weekly", "3", from: 60,
            ["is_trial_period": "maybe", "quantity": [1], "web_order_line_item_id": ["a": "b"]])
        let receipt = X.info([
            "latest_receipt_info": [
                "no row", broken, odd, NSNull(), 7, [String: Any](), X.period("weekly", "1", from: 0),
            ] as [Any],
            "pending_renewal_info": "nothing",
        ])
        expectEqual(Q.subscription(["weekly"], receipt, until: 61).transactionIDs, ["3", "1"])
    }
}
