import AppReceipt
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@Suite(.bounded) struct AdvancedCommerceInfoTests {
    private func transaction(_ commerce: String, _ more: String = "") throws -> SignedTransactionInfo {
        let payload = SignedTransactionFixture.transaction.replacing(
            "\"advancedCommerceInfo\":{\"items\":[{\"SKU\":\"a\"}]}",
            with: "\"advancedCommerceInfo\":\(commerce)\(more)")
        return try #require(SignedPayload.unverified(jws: UnsignedToken.around(payload)).transaction)
    }

    @Test func `every field of a transaction's items is read`() throws {
        let info = try transaction(
            """
            {"descriptors":{"displayName":"Premium","description":"Everything"},"estimatedTax":1500,"period":"P1M",
            "requestReferenceId":"ref","taxCode":"C1","taxExclusivePrice":8490,"taxRate":"0.19","later":1,
            "items":[{"SKU":"a","displayName":"A","description":"Item A","price":9990,"revocationDate":1700000000000,
            "offer":{"period":"P1W","periodCount":2,"price":990,"reason":"WIN_BACK"},"more":true,
            "refunds":[{"refundAmount":5000,"refundDate":1700000000000,"refundReason":"LEGAL","refundType":"PRORATED"}]},{"SKU":"b"}]}
            """)
        let commerce = try #require(info.advancedCommerceInfo)
        #expect(commerce.displayName == "Premium" && commerce.description == "Everything" && commerce.period == "P1M")
        #expect(commerce.requestReferenceID == "ref" && commerce.taxCode == "C1" && commerce.taxRate == "0.19")
        expectEqual(commerce.estimatedTax, Decimal(string: "1.5"))
        expectEqual(commerce.taxExclusivePrice, Decimal(string: "8.49"))
        expectEqual(commerce.consistencyToken, nil)
        expectEqual(commerce.unknownFields, ["later": .number("1")])
        expectEqual(commerce.items.map(\.sku), ["a", "b"])
        let item = try #require(commerce.items.first)
        #expect(item.displayName == "A" && item.description == "Item A" && item.price == Decimal(string: "9.99"))
        expectEqual(item.revocationDate, Date(timeIntervalSince1970: 1_700_000_000))
        #expect(item.offer?.period == "P1W" && item.offer?.periodCount == 2 && item.offer?.reason == "WIN_BACK")
        expectEqual(item.offer?.price, Decimal(string: "0.99"))
        let refund = try #require(item.refunds.first)
        #expect(refund.amount == 5 && refund.reason == "LEGAL" && refund.type == "PRORATED")
        expectEqual(refund.date, Date(timeIntervalSince1970: 1_700_000_000))
        expectEqual(item.unknownFields, ["more": .bool(true)])
    }

    @Test func `every field of a renewal's items is read`() throws {
        let payload =
            SignedTransactionFixture.renewal.trimmingCharacters(in: .whitespacesAndNewlines).dropLast() + """
                ,"advancedCommerceInfo":{"consistencyToken":"token","items":[{"SKU":"a","price":9990,
                "priceIncreaseInfo":{"price":12990,"status":"PENDING","dependentSKUs":["b","c"]}}]}}
                """
        let info = try #require(SignedPayload.unverified(jws: UnsignedToken.around(String(payload))).renewalInfo)
        let commerce = try #require(info.advancedCommerceInfo)
        expectEqual(commerce.consistencyToken, "token")
        let increase = try #require(commerce.items.first?.priceIncrease)
        #expect(increase.price == Decimal(string: "12.99") && increase.status == "PENDING")
        expectEqual(increase.dependentSKUs, ["b", "c"])
    }

    @Test func `a transaction of sixty items with every field is read`() throws {
        let items = (0..<60).map { index in
            """
            {"SKU":"com.example.item.\(index)","displayName":"An item with a name","description":"A description of the item",
            "price":\(1_990 + index),"offer":{"period":"P1M","periodCount":3,"price":990,"reason":"ACQUISITION"},"revocationDate":null,
            "refunds":[{"refundAmount":10,"refundDate":1700000000000,"refundReason":"OTHER","refundType":"CUSTOM"}]}
            """
        }
        let info = try transaction("{\"items\":[\(items.joined(separator: ","))]}")
        expectEqual(info.advancedCommerceInfo?.items.count, 60)
        expectEqual(info.advancedCommerceInfo?.items.last?.refunds.first?.type, "CUSTOM")
    }

    @Test(arguments: ["7", "[]", "\"text\""]) func `an unreadable object costs no purchase`(value: String) throws {
        let info = try transaction(value)
        expectEqual(info.productID, "weekly")
        expectEqual(info.advancedCommerceInfo, nil)
        #expect(info.unknownFields["advancedCommerceInfo"] != nil)
    }

    @Test(arguments: [
        "7", "[7]", "[{}]", "[{\"SKU\":\"a\"},{\"SKU\":7}]",
    ])
    func `a list of items with an unreadable one is kept as unknown`(items: String) throws {
        let info = try transaction("{\"items\":\(items),\"period\":\"P1M\"}")
        expectEqual(info.advancedCommerceInfo?.items, [])
        expectEqual(info.advancedCommerceInfo?.period, "P1M")
        #expect(info.advancedCommerceInfo?.unknownFields["items"] != nil)
    }

    @Test func `a list of too many items is left out`() throws {
        for (count, expected) in [(500, 500), (501, 0)] {
            let items = Array(repeating: "{\"SKU\":\"a\"}", count: count).joined(separator: ",")
            let info = try transaction("{\"items\":[\(items)],\"period\":\"P1M\"}")
            expectEqual(info.advancedCommerceInfo?.items.count, expected)
            expectEqual(info.advancedCommerceInfo?.period, "P1M")
        }
    }

    @Test func `unknown fields of many items together have one limit`() throws {
        let lists = String(repeating: "[", count: 24) + String(repeating: "]", count: 24)
        let item = "{\"SKU\":\"a\",\"x\":[\(Array(repeating: lists, count: 20).joined(separator: ","))]}"
        let items = Array(repeating: item, count: 400).joined(separator: ",")
        let info = try transaction("{\"items\":[\(items)]}")
        let read = info.advancedCommerceInfo?.items ?? []
        expectEqual(read.count, 400)
        #expect(read.allSatisfy { $0.unknownFields.isEmpty })
    }
}
