import Foundation
import TestHarness
import Testing

@testable import AsyncStoreKit
@testable import AsyncStoreKitHTTP

@Suite(.bounded) struct HTTPDeliveryPayloadTests {
    private func payload(
        of transactions: [StoreTransaction], _ cause: StorePurchase.Cause, attempt: Int = 0, lastStatus: Int? = nil,
        receipt: Data? = nil, includesReceipt: Bool = false
    ) -> HTTPDeliveryPayload {
        let purchases = transactions.map {
            StorePurchase(PurchaseRecord(transaction: $0, cause: cause), owner: nil)
        }
        let request = DeliveryRequest(
            purchases: purchases, cause: cause, attempt: attempt, lastStatus: lastStatus,
            deviceReceipt: .missing)
        return HTTPDeliveryPayload(request: request, receipt: receipt, includesReceipt: includesReceipt)
    }

    private func fields(_ payload: HTTPDeliveryPayload) throws -> (body: [String: Any], transactions: [[String: Any]]) {
        let body = try #require(try JSONSerialization.jsonObject(with: payload.json()) as? [String: Any])
        return (body, try #require(body["transactions"] as? [[String: Any]]))
    }

    @Test func `the receipt is read once if a transaction isn't signed by itself, and otherwise not at all`() {
        let reads = Locked(0)
        @Sendable func receipt() -> Data? {
            reads.withLock { $0 += 1 }
            return Data("receipt".utf8)
        }
        var signed = StoreTransaction.entry(1, .purchased)
        signed.report.signedText = SignedText(id: "1", jws: { "jws" }, payload: { Data() })
        for (transaction, includesReceipt, expected) in [
            (signed, false, 0), (signed, true, 1), (StoreTransaction.entry(1, .purchased), false, 1),
        ] {
            reads.withLock { $0 = 0 }
            let request = DeliveryRequest(
                purchases: [StorePurchase(PurchaseRecord(transaction: transaction, cause: .unsolicited), owner: nil)],
                cause: .unsolicited, attempt: 0,
                deviceReceipt: DeviceReceipt(read: receipt, request: { () throws(StoreError) in }))
            let payload = HTTPDeliveryPayload(
                request: request, receipt: request.receipt, includesReceipt: includesReceipt)
            expectEqual(reads.withLock { $0 }, expected)
            expectEqual(payload.receipt != nil, expected > 0)
        }
    }

    @Test func `every known field is in the body, with the documented name and form`() throws {
        var transaction = StoreTransaction.entry(1, .restored, of: "com.example.pro")
        transaction.report.quantity = 3
        transaction.report.id = "2000"
        transaction.report.original = .init(id: "a/b", purchaseDate: Date(timeIntervalSince1970: 0))
        transaction.report.applicationUsername = "ann"
        transaction.report.offerID = "winback"
        transaction.report.purchaseDate = Date(timeIntervalSince1970: 784_111_777)
        let (body, transactions) = try fields(
            payload(of: [transaction], .restored, receipt: Data("receipt".utf8)))
        expectEqual(Set(body.keys), ["receipt", "deliveryKey", "transactions"])
        #expect(body["receipt"] as? String == "cmVjZWlwdA==")
        expectEqual(body["deliveryKey"] as? String, "a%2Fb")
        let sent = try #require(transactions.first)
        expectEqual(
            Set(sent.keys),
            [
                "deliveryKey", "productID", "quantity", "state", "isInReceipt", "transactionID",
                "originalTransactionID", "account", "offerID", "date", "originalDate",
            ])
        expectEqual(sent["deliveryKey"] as? String, "a/b")
        expectEqual(sent["productID"] as? String, "com.example.pro")
        expectEqual(sent["quantity"] as? Int, 3)
        expectEqual(sent["state"] as? String, "restored")
        expectEqual(sent["isInReceipt"] as? Bool, false)
        expectEqual(sent["transactionID"] as? String, "2000")
        expectEqual(sent["originalTransactionID"] as? String, "a/b")
        expectEqual(sent["account"] as? String, "ann")
        expectEqual(sent["offerID"] as? String, "winback")
        expectEqual(sent["date"] as? String, "1994-11-06T08:49:37Z")
        expectEqual(sent["originalDate"] as? String, "1970-01-01T00:00:00Z")
    }

    @Test func `an integer of the context keeps every digit`() throws {
        var transaction = StoreTransaction.entry(1, .purchased)
        transaction.report.context = .known(
            PurchaseContext(
                id: UUID(), productID: "coins", requestDate: Date(), json: try PurchaseContext.encode(UInt64.max),
                applicationUsername: nil))
        let body = String(decoding: try payload(of: [transaction], .requested).json(), as: UTF8.self)
        #expect(body.contains("\(UInt64.max)"))
    }

    @Test func `a signed transaction is part of the body, and needs no receipt`() throws {
        var signed = StoreTransaction.entry(1, .purchased)
        signed.report.signedText = SignedText(id: "1", jws: { "a.b.c" }, payload: { Data() })
        let payload = payload(of: [signed, .entry(2, .purchased)], .unsolicited)
        let (body, transactions) = try fields(payload)
        #expect(body["receipt"] == nil)
        expectEqual(transactions.map { $0["signedTransaction"] as? String }, ["a.b.c", nil])
        expectEqual(transactions.map { $0["isInReceipt"] as? Bool }, [nil, nil])
        expectEqual(payload.missing, [try #require(payload.request.purchases.last).deliveryKey])
    }

    @Test func `a receipt is sent with signed transactions only if the app asks for it`() throws {
        var signed = StoreTransaction.entry(1, .purchased)
        signed.report.signedText = SignedText(id: "1", jws: { "a.b.c" }, payload: { Data() })
        let receipt = Data("receipt".utf8)
        #expect(payload(of: [signed], .requested, receipt: receipt).receipt == nil)
        let (body, transactions) = try fields(
            payload(of: [signed], .requested, receipt: receipt, includesReceipt: true))
        expectEqual(body["receipt"] as? String, receipt.base64EncodedString())
        expectEqual(transactions.map { $0["isInReceipt"] as? Bool }, [false])
        expectEqual(payload(of: [signed, .entry(2, .purchased)], .requested, receipt: receipt).receipt, receipt)
    }

    @Test func `the body doesn't change between attempts, and after 422 the key says which body it is for`() throws {
        let first = payload(of: [.entry(1, .purchased)], .requested)
        let again = payload(of: [.entry(1, .purchased)], .unsolicited, attempt: 3, lastStatus: 409)
        let body = try first.json()
        expectEqual(try again.json(), body)
        let key = first.headers(requestID: "1", body: body)["Idempotency-Key"]
        expectEqual(key, "\"paid-1\"")
        expectEqual(again.headers(requestID: "2", body: body)["Idempotency-Key"], key)
        let refused = payload(of: [.entry(1, .purchased)], .unsolicited, attempt: 4, lastStatus: 422)
        let keys = [body, Data("other".utf8)].map { refused.headers(requestID: "3", body: $0)["Idempotency-Key"] }
        expectEqual(Set(keys + [key]).count, 3)
        #expect(keys.allSatisfy { $0?.hasPrefix("\"paid-1-") == true && $0?.hasSuffix("\"") == true })
    }

    @Test func `an unknown field is missing`() throws {
        var transaction = StoreTransaction.entry(1, .purchased)
        (transaction.report.id, transaction.report.original, transaction.report.purchaseDate) = (nil, nil, nil)
        let (body, transactions) = try fields(
            payload(of: [transaction], .unsolicited))
        expectEqual(Set(body.keys), ["deliveryKey", "transactions"])
        let sent = try #require(transactions.first)
        expectEqual(Set(sent.keys), ["deliveryKey", "productID", "quantity", "state"])
        expectEqual(sent["state"] as? String, "purchased")
    }

    @Test func `a key is valid in a header field, and doesn't depend on the order`() {
        func key(_ ids: String...) -> String {
            let transactions = ids.map { id in
                var transaction = StoreTransaction.entry(1, .purchased)
                transaction.report.id = id
                return transaction
            }
            return payload(of: transactions, .requested).deliveryKey
        }
        expectEqual(key("2000000123"), "2000000123")
        expectEqual(key("a\r\nX-Evil: é@1"), "a%0D%0AX-Evil%3A%20%C3%A9%401")
        expectEqual(key("a", "b"), key("b", "a"))
        expectEqual(
            Set([key("a"), key("b"), key("a", "b"), key("a", "c"), key("ab", ""), key("a", "b", "c")]).count, 6)
        #expect(key("").isEmpty)
    }
}
