import Foundation
import ReceiptTestFixtures
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
        let lists = String(repeating: "[", count: 24) + String(repeating: "]", count: 24)
        let objects = String(repeating: "{\"\":", count: 24) + "0" + String(repeating: "}", count: 24)
        return [
            ("short names", list(20_000) { "\"\($0)\":0" }), ("numbers", "\"x\":[\(list(90_000) { _ in "0" })]"),
            ("lists in lists", "\"x\":[\(list(3_500) { _ in lists })]"),
            ("objects in objects", "\"x\":[\(list(1_200) { _ in objects })]"),
            ("objects with one short name", "\"x\":[\(list(25_000) { _ in "{\"a\":0}" })]"),
        ]
    }()

    @Test func `unknown fields that need many times the size of their text are left out, never the purchase`() throws {
        for (name, members) in Self.costly {
            let outer = try VerifyReceiptResponse.unverified(
                json: F.answer("\"kept\":1,\(members)", inApp: F.row("pro")))
            #expect(outer.omitsUnknownFields && outer.unknownFields["kept"] == .number("1"), "\(name)")
            #expect(outer.receipt?.owns("pro", at: .now) == true, "\(name)")
            let row = F.row("pro", "\"kept\":1,\(members)")
            let inner = try VerifyReceiptResponse.unverified(json: F.answer(inApp: row))
            #expect(inner.omitsUnknownFields, "\(name) in a row")
            expectEqual(inner.receipt?.transactions.first?.unknownFields["kept"], .number("1"), "\(name) in a row")
            var fixture = SignedTransactionFixture()
            fixture.payload = "{\"kept\":1," + fixture.payload.dropFirst().dropLast() + ",\(members),\"last\":2}"
            let transaction = try fixture.verifier.transaction(jws: fixture.token())
            expectEqual(transaction.productID, "weekly", "\(name) in a payload")
            expectEqual(transaction.unknownFields["kept"], .number("1"), "\(name) in a payload")
            let outcome = fixture.verifier.report(on: fixture.token()).outcome(of: .structure)
            expectEqual(
                outcome,
                .passed("JSON Web Signature (transaction), without unknown fields that need too much memory"))
        }
    }

    @Test func `the text alone determines the fields that are left out`() throws {
        for (name, members) in Self.costly {
            let payload = SignedTransactionFixture.transaction.dropLast() + ",\(members),\"last\":2}"
            let token = UnsignedToken.around(String(payload))
            let names = try (0..<3).map { _ in
                try SignedPayload.unverified(jws: token).transaction?.unknownFields.keys.sorted() ?? []
            }
            #expect(names[0] == names[1] && names[1] == names[2], "\(name)")
            if name == "short names" {
                let kept = names[0].compactMap { Int($0) }.sorted()
                expectEqual(kept, Array(0..<kept.count), "the first ones of the text are kept")
            } else {
                #expect(names[0].contains("last") && !names[0].contains("x"), "\(name)")
            }
        }
    }

    @Test func `a usual payload omits nothing`() {
        let fixture = SignedTransactionFixture()
        expectEqual(
            fixture.verifier.report(on: fixture.token()).outcome(of: .structure),
            .passed("JSON Web Signature (transaction)"))
    }

    @Test func `the rows of a response share the allowance for unknown fields`() throws {
        // Each one is within the limit.
        let unknown = "\"x\":[" + (0..<40).map { _ in "{\"a\":0}" }.joined(separator: ",") + "]"
        let rows = (0..<400).map { F.row("pro", unknown, transaction: "\($0)") }.joined(separator: ",")
        let response = try VerifyReceiptResponse.unverified(json: F.answer(inApp: rows))
        let transactions = response.receipt?.transactions ?? []
        expectEqual(transactions.count, 400)
        let kept = transactions.filter { !$0.unknownFields.isEmpty }.count
        #expect(response.omitsUnknownFields && kept > 0 && kept < 400)
    }

    @Test func `a small response with a new list in each row is read`() throws {
        let list = (0..<35).map { "[\($0)]" }.joined(separator: ",")
        let rows = (0..<100).map { F.row("pro", "\"news\":[\(list)]", transaction: "\($0)") }.joined(separator: ",")
        let receipt = try VerifyReceiptResponse.unverified(json: F.answer(inApp: rows)).receipt
        expectEqual(receipt?.transactions.count, 100)
    }

    @Test func `a field that Apple adds to every row is kept`() throws {
        let unknown = "\"a_new_field\":\"a word or two\",\"another\":{\"level\":1,\"list\":[1,2,3]}"
        let rows = (0..<1_000).map { F.row("pro", unknown, transaction: "\($0)") }.joined(separator: ",")
        let receipt = try #require(try VerifyReceiptResponse.unverified(json: F.answer(inApp: rows)).receipt)
        expectEqual(receipt.transactions.count, 1_000)
        expectEqual(receipt.transactions.last?.unknownFields["a_new_field"], .string("a word or two"))
        let text = String(repeating: "long ", count: 40_000)
        expectEqual(
            try VerifyReceiptResponse.unverified(json: F.answer("\"x\":\"\(text)\"")).unknownFields["x"], .string(text))
    }
}
