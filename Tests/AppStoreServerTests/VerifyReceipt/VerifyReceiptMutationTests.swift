import AppReceipt
import AppStoreServer
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

/// Mutated input is read, or fails with an offset in the input, and never traps.
@Suite(.bounded) struct VerifyReceiptMutationTests {
    private typealias F = ReceiptFixtures

    /// A response with values of all kinds and all important fields.
    private var json: [UInt8] {
        let row = F.row(
            "weekly",
            """
            "expires_date":"2026-01-08 00:00:00 Etc/GMT","expires_date_ms":"\(F.milliseconds(7))","cancellation_date":null,
            "expires_date_pst":"2026-01-07 16:00:00 America/Los_Angeles","is_trial_period":"true","is_upgraded":false,
            "web_order_line_item_id":55,"subscription_group_identifier":"200","novelty":[1,-2.5e+3,"\\u20ac\\n",{"a":null}],"é😀":"ü"
            """)
        let renewal =
            "{\"product_id\":\"weekly\",\"original_transaction_id\":\"1000\",\"auto_renew_status\":\"1\",\"grace_period_expires_date_ms\":1}"
        let members =
            "\"latest_receipt_info\":[\(row)],\"pending_renewal_info\":[\(renewal)],\"latest_receipt\":\"MIIB\""
        return Array(
            F.answer(
                members, receipt: "\"request_date_ms\":\"\(F.milliseconds(3))\"", inApp: F.row("pro", transaction: "7"))
        )
    }

    private func ask(_ receipt: Receipt) {
        let products = receipt.distinctProductIDs
        let statuses =
            receipt.subscriptionStatuses(at: .now)
            + products.map { receipt.subscriptionStatus(of: $0, at: .requestDate) }
        #expect(statuses.allSatisfy { $0.state != .neverSubscribed })
        #expect(products.allSatisfy { receipt.quantity(of: $0) >= 0 && !receipt.transactions(of: $0).isEmpty })
    }

    @Test func `a truncated response is malformed, with an offset up to its end`() throws {
        let bytes = json
        _ = try VerifyReceiptResponse.unverified(json: Data(bytes))
        for length in bytes.indices {
            let error = #expect(throws: MalformedReceiptError.self) {
                try VerifyReceiptResponse.unverified(json: Data(bytes[..<length]))
            }
            #expect((error?.offset ?? Int.max) <= length)
        }
    }

    @Test func `a randomly mutated response is read or malformed`() {
        print("RECEIPT_TEST_SEED=\(MutationGenerator.seed)")
        var generator = MutationGenerator(seed: MutationGenerator.seed)
        let original = json
        let tokens = [
            "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "-", "0", "1e9", "\\ud83d",
            "99999999999999999999", "\"\"", "\u{0}",
        ]
        var read = 0
        for _ in 0..<MutationGenerator.count(1_000) {
            var bytes = Bool.random(using: &generator) ? generator.mutate(original) : original
            if Bool.random(using: &generator), let token = tokens.randomElement(using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                bytes.replaceSubrange(
                    place..<min(bytes.count, place + Int.random(in: 0...8, using: &generator)), with: token.utf8)
            }
            do throws(MalformedReceiptError) {
                if let receipt = try VerifyReceiptResponse.unverified(json: Data(bytes)).receipt { ask(receipt) }
                read += 1
            } catch {
                #expect((0...bytes.count).contains(error.offset) && !error.expected.isEmpty)
            }
        }
        #expect(read > 0, "a mutation that hits a text leaves the answer readable")
    }
}
