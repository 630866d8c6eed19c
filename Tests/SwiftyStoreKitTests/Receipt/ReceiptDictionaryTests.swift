import AppReceipt
import AppStoreServer
import Foundation
import LoopbackHTTP
import Support
import SwiftyStoreKit
import TestHarness
import Testing

@Suite(.bounded) struct ReceiptDictionaryTests {
    private typealias X = ReceiptExamples
    private typealias Q = ReceiptQueries

    /// Returns the receipt dictionary of a server's response.
    private func answered(_ json: String) async throws -> Held<ReceiptInfo> {
        let server = try LoopbackServer([.body(json)])
        let validator = AppleReceiptValidator(
            endpoints: VerifyReceiptEndpoints(production: server.url, sandbox: server.url))
        let receipts = Recorder<Held<ReceiptInfo>>()
        validator.validate(receiptData: Data([1])) { result in
            if case .success(let receipt) = result {
                receipts.record(Held(receipt))
            } else {
                receipts.record(Held([:]))
            }
        }
        return try await receipts.first(1)[0]
    }

    @Test func `a server's response consists of Foundation objects at all levels`() async throws {
        let receipt = try await answered(
            #"{"status":0,"receipt":{"in_app":[{"product_id":"é\n"}]},"big":12345678901234567890,"exact":9007199254740993,"#
                + #""part":0.5,"flag":true,"nothing":null}"#
        ).value
        #expect(receipt["status"] is NSNumber && receipt["nothing"] is NSNull)
        expectEqual((receipt["big"] as? NSNumber)?.uint64Value, 12_345_678_901_234_567_890)
        expectEqual((receipt["exact"] as? NSNumber)?.int64Value, 9_007_199_254_740_993)
        expectEqual((receipt["part"] as? NSNumber)?.doubleValue, 0.5)
        #expect(receipt["flag"] as? Bool == true)
        let application = try #require(receipt["receipt"] as? NSDictionary)
        let rows = try #require(application["in_app"] as? NSArray)
        #expect((rows[0] as? NSDictionary)?["product_id"] as? String == "é\n")
        // Code of apps.
        #expect((receipt["receipt"] as? ReceiptInfo)?["in_app"] as? [ReceiptInfo] != nil)
        #expect(receipt["status"] as? Int == 0)
    }

    @Test func `the same questions have the same answers for all forms of a dictionary`() async throws {
        let rows = [X.period("weekly", "1", from: 0), X.period("weekly", "2", from: 30)]
        let members: [String: Any] = [
            "status": 0, "receipt": ["in_app": [X.row("pro", "7")]], "latest_receipt_info": rows,
        ]
        let swift = X.info(members)
        let json = try X.json(swift)
        let decoded = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let mutable = NSMutableArray()
        for row in rows { mutable.add(NSMutableDictionary(dictionary: row)) }
        var halfMutable = swift
        halfMutable["latest_receipt_info"] = mutable
        for receipt in [swift, X.info(decoded), halfMutable, try await answered(json).value] {
            let result = Q.subscription(["weekly"], receipt, until: 31)
            expectEqual(result.purchasedUntil, X.day(60))
            expectEqual(result.transactionIDs, ["2", "1"])
            expectEqual(Q.purchase("pro", receipt), "7")
        }
    }

    @Test func `numbers and dates are read, and values without a JSON form are omitted`() throws {
        let row: [String: Any] = [
            "product_id": "pro", "transaction_id": 9_007_199_254_740_993 as Int64, "quantity": 3,
            "purchase_date_ms": X.day(1),
            "original_purchase_date_ms": X.day(0).timeIntervalSince1970 * 1_000,
            "web_order_line_item_id": NSNumber(value: 5),
            "is_trial_period": true, "expires_date_ms": Double.nan, "extra": Data([1]), "set": NSSet(),
            "text": "\u{1}\"\\é\u{1F3B5}",
        ]
        let item = try #require(ReceiptItem(receiptInfo: X.info(row)))
        expectEqual(item.transactionId, "9007199254740993")
        expectEqual(item.quantity, 3)
        expectEqual(item.webOrderLineItemId, "5")
        expectEqual(item.purchaseDate, X.day(1))
        expectEqual(item.originalPurchaseDate, X.day(0))
        #expect(item.isTrialPeriod && item.subscriptionExpirationDate == nil)
    }
}
