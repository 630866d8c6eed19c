import AppReceipt
import AppStoreServer
import AppStoreSimulator
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

    private var file: SimulatedReceipt {
        var receipt = SimulatedReceipt(bundleID: "com.example.app", creationDate: F.day(40), environment: .sandbox)
        var row = SimulatedReceiptTransaction(productID: "weekly", transactionID: "1001", purchaseDate: F.day(7))
        row.expirationDate = F.day(14)
        row.revocationDate = F.day(9)
        row.isTrialPeriod = true
        row.webOrderLineItemID = 55
        receipt.transactions = [row]
        receipt.expirationDate = F.day(90)
        return receipt
    }

    /// A container without certificates and signatures, which is fast to create.
    private func unsigned(_ content: [UInt8]) -> [UInt8] {
        let data = DEREncoding.sequence([
            DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 1]),
            DEREncoding.explicit(0, DEREncoding.octetString(content)),
        ])
        let signedData = DEREncoding.sequence([DEREncoding.integer(1), DEREncoding.set([]), data, DEREncoding.set([])])
        return DEREncoding.sequence([
            DEREncoding.objectIdentifier([1, 2, 840, 113549, 1, 7, 2]), DEREncoding.explicit(0, signedData),
        ])
    }

    @Test func `truncated attributes are malformed, with an offset in the file`() {
        let content = file.encoded()
        #expect(throws: Never.self) { try Receipt.unverified(pkcs7: Data(unsigned(content))) }
        for length in content.indices {
            let data = Data(unsigned(Array(content[..<length])))
            let error = #expect(throws: MalformedReceiptError.self) { try Receipt.unverified(pkcs7: data) }
            #expect((0...data.count).contains(error?.offset ?? -1))
        }
    }

    @Test func `a truncated file is malformed`() {
        let data = SimulatedReceiptIssuer().issue(file)
        for length in data.indices {
            #expect(throws: MalformedReceiptError.self) { try Receipt.unverified(pkcs7: data.prefix(length)) }
        }
    }

    @Test func `randomly mutated attributes are read or malformed`() throws {
        print("RECEIPT_TEST_SEED=\(MutationGenerator.seed)")
        var generator = MutationGenerator(seed: MutationGenerator.seed)
        let content = file.encoded()
        let whole = Array(SimulatedReceiptIssuer().issue(file))
        let start = try #require(Data(whole).range(of: Data(content))).lowerBound
        var read = 0
        for _ in 0..<MutationGenerator.count(1_000) {
            // Most bytes of a file are certificates, so half of the mutations change the attributes and keep all
            // enclosing lengths.
            var bytes = whole
            if Bool.random(using: &generator) {
                let spoiled = generator.mutate(content)
                guard spoiled.count == content.count else { continue }
                bytes.replaceSubrange(start..<start + content.count, with: spoiled)
            } else {
                bytes = generator.mutate(whole)
            }
            do throws(MalformedReceiptError) {
                ask(try Receipt.unverified(pkcs7: Data(bytes)))
                read += 1
            } catch {
                #expect((0...bytes.count).contains(error.offset) && !error.expected.isEmpty)
            }
        }
        #expect(read > 0, "a mutation that hits a text leaves the receipt readable")
    }
}
