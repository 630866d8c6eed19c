import Foundation
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct ReceiptItemTests {
    private typealias X = ReceiptExamples

    private let full: [String: Any] = [
        "quantity": "2", "product_id": "weekly", "transaction_id": "11", "original_transaction_id": "10",
        "purchase_date": "2026-01-02 00:00:00 Etc/GMT", "purchase_date_ms": X.milliseconds(1),
        "original_purchase_date_ms": X.milliseconds(0),
        "web_order_line_item_id": "99", "expires_date_ms": X.milliseconds(31),
        "cancellation_date_ms": X.milliseconds(2),
        "is_trial_period": "true", "is_in_intro_offer_period": "false", "is_upgraded": "true",
    ]

    @Test func `a receipt item is read from a row`() {
        let item = ReceiptItem(
            productId: "weekly", quantity: 2, transactionId: "11", originalTransactionId: "10", purchaseDate: X.day(1),
            originalPurchaseDate: X.day(0), webOrderLineItemId: "99", subscriptionExpirationDate: X.day(31),
            cancellationDate: X.day(2),
            isTrialPeriod: true, isInIntroOfferPeriod: false, isUpgraded: true)
        expectEqual(ReceiptItem(receiptInfo: X.info(full)), item)
    }

    @Test func `a receipt item has default values for missing fields`() throws {
        let row = ["product_id": "pro", "transaction_id": "1", "purchase_date_ms": X.milliseconds(0)]
        let item = try #require(ReceiptItem(receiptInfo: X.info(row)))
        expectEqual(
            item,
            ReceiptItem(
                productId: "pro", quantity: 1, transactionId: "1", originalTransactionId: "1", purchaseDate: X.day(0),
                originalPurchaseDate: X.day(0), webOrderLineItemId: nil, subscriptionExpirationDate: nil,
                cancellationDate: nil,
                isTrialPeriod: false, isInIntroOfferPeriod: false, isUpgraded: false))
        expectEqual(ReceiptItem(receiptInfo: [:]), nil)
    }

    @Test func `a receipt item is encoded and decoded with the names of its properties`() throws {
        let item = try #require(ReceiptItem(receiptInfo: X.info(full)))
        let data = try JSONEncoder().encode(item)
        expectEqual(try JSONDecoder().decode(ReceiptItem.self, from: data), item)
        let names = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any]).keys
        expectEqual(
            Set(names),
            [
                "productId", "quantity", "transactionId", "originalTransactionId", "purchaseDate",
                "originalPurchaseDate",
                "webOrderLineItemId", "subscriptionExpirationDate", "cancellationDate", "isTrialPeriod",
                "isInIntroOfferPeriod",
                "isUpgraded",
            ])
    }

    @Test(arguments: [
        "quantity", "product_id", "transaction_id", "original_transaction_id", "purchase_date_ms",
        "original_purchase_date_ms",
        "web_order_line_item_id", "expires_date_ms", "cancellation_date_ms", "is_trial_period", "is_upgraded",
    ])
    func `a row in any format is read the same by itself and in a receipt`(name: String) {
        let values: [Any?] = [
            nil, NSNull(), "", "0", "1", "-1", "true", "no", "null", "a\"b\\c\n", "99999999999999999999",
            X.milliseconds(3), 7, 2.5, true,
            ["x"], "2026-01-02 00:00:00 Etc/GMT", String(repeating: "x", count: 300),
        ]
        for value in values {
            var row = full
            row["cancellation_date_ms"] = nil
            row[name] = value
            let receipt = X.info(["receipt": ["in_app": [row]]])
            let listed = ReceiptQueries.verifySubscriptions(
                ofType: .nonRenewing(validDuration: 1), productIds: [row["product_id"] as? String ?? "7"],
                inReceipt: receipt,
                validUntil: .distantPast)
            guard let item = ReceiptItem(receiptInfo: X.info(row)), item.cancellationDate == nil, !item.isUpgraded
            else { continue }
            expectEqual(listed.items, [item], "\(name): \(value ?? "missing")")
        }
    }

    @Test func `a receipt item is a Purchased`() throws {
        let item: any Purchased = try #require(ReceiptItem(receiptInfo: X.info(full)))
        expectEqual(item.productId, "weekly")
        expectEqual(item.quantity, 2)
        expectEqual(item.originalPurchaseDate, X.day(0))
    }
}
