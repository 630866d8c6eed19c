import Foundation
import TestHarness
import Testing

@testable import AppReceipt
@testable import AppStoreServer

@Suite(.bounded) struct UnknownFieldAllowanceTests {
    private typealias F = ReceiptFixtures

    /// Fields that need far more memory than their text, in a text of about 200 kB.
    private static let costly: [(name: String, members: String)] = {
        func list(_ count: Int, _ element: (Int) -> String) -> String {
            (0..<count).map(element).joined(separator: ",")
        }
        let lists = String(repeating: "[", count: 28) + String(repeating: "]", count: 28)
        let objects = String(repeating: "{\"\":", count: 28) + "0" + String(repeating: "}", count: 28)
        return [
            ("short names", list(20_000) { "\"\($0)\":0" }), ("numbers", "\"x\":[\(list(90_000) { _ in "0" })]"),
            ("lists in lists", "\"x\":[\(list(3_500) { _ in lists })]"),
            ("objects in objects", "\"x\":[\(list(1_200) { _ in objects })]"),
            ("objects with one short name", "\"x\":[\(list(25_000) { _ in "{\"a\":0}" })]"),
        ]
    }()

    @Test func `unknown fields that need many times the size of their text are rejected`() {
        for (name, members) in Self.costly {
            var error = #expect(throws: MalformedReceiptError.self, "\(name)") {
                try VerifyReceiptResponse(json: F.answer(members))
            }
            expectEqual(error?.code, .limitExceeded, "\(name)")
            error = #expect(throws: MalformedReceiptError.self, "\(name)") {
                try VerifyReceiptResponse(json: F.answer(inApp: F.row("pro", members)))
            }
            expectEqual(error?.code, .limitExceeded, "\(name) in a row")
            let payload = SignedTransactionFixture.transaction.dropLast() + ",\(members)}"
            error = #expect(throws: MalformedReceiptError.self, "\(name)") {
                try SignedPayload.unverified(jws: UnsignedToken.around(String(payload)))
            }
            expectEqual(error?.code, .limitExceeded, "\(name) in a payload")
        }
    }

    @Test func `the rows of a response share the allowance for unknown fields`() {
        // Each one is within the limit.
        let unknown = "\"x\":[" + (0..<40).map { _ in "{\"a\":0}" }.joined(separator: ",") + "]"
        let rows = (0..<400).map { F.row("pro", unknown, transaction: "\($0)") }.joined(separator: ",")
        let error = #expect(throws: MalformedReceiptError.self) {
            try VerifyReceiptResponse(json: F.answer(inApp: rows))
        }
        expectEqual(error?.code, .limitExceeded)
    }

    @Test func `a field that Apple adds to every row is kept`() throws {
        let unknown = "\"a_new_field\":\"a word or two\",\"another\":{\"level\":1,\"list\":[1,2,3]}"
        let rows = (0..<1_000).map { F.row("pro", unknown, transaction: "\($0)") }.joined(separator: ",")
        let receipt = try #require(try VerifyReceiptResponse(json: F.answer(inApp: rows)).receipt)
        expectEqual(receipt.transactions.count, 1_000)
        expectEqual(receipt.transactions.last?.unknownFields["a_new_field"], .string("a word or two"))
        let text = String(repeating: "long ", count: 40_000)
        expectEqual(try VerifyReceiptResponse(json: F.answer("\"x\":\"\(text)\"")).unknownFields["x"], .string(text))
    }
}
