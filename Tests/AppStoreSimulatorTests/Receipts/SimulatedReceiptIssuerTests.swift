import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct SimulatedReceiptIssuerTests {
    private let date = Date(timeIntervalSince1970: 1_600_000_000)

    @Test func `equal receipts have equal bytes, different receipts don't`() {
        let receipt = SimulatedReceipt(bundleID: "com.example.app", creationDate: date)
        let bytes = SimulatedReceiptIssuer().issue(receipt)
        #expect(bytes.count > 3_000)
        expectEqual(SimulatedReceiptIssuer().issue(receipt), bytes)
        var other = receipt
        other.appVersion = "2"
        #expect(SimulatedReceiptIssuer().issue(other) != bytes)
    }

    @Test func `the roots are different certificates`() {
        expectEqual(SimulatedReceiptIssuer.rootCertificate.first, 0x30)
        expectEqual(SimulatedJWSIssuer.rootCertificate.first, 0x30)
        #expect(SimulatedReceiptIssuer.rootCertificate != SimulatedJWSIssuer.rootCertificate)
    }

    @Test func `a token has three parts and no padding`() {
        let token = SimulatedJWSIssuer().issue(payload: Data("{\"a\":1}".utf8))
        expectEqual(token.split(separator: ".").count, 3)
        #expect(
            token.allSatisfy { $0 == "." || $0 == "-" || $0 == "_" || ($0.isASCII && ($0.isLetter || $0.isNumber)) })
        expectEqual(SimulatedJWSIssuer().issue(payload: Data("{\"a\":1}".utf8)), token)
    }

    @Test func `purchases are listed in order, without missing fields`() {
        var receipt = SimulatedReceipt(bundleID: "com.example.app", creationDate: date)
        receipt.transactions = ["b", "a"].map {
            SimulatedReceiptTransaction(productID: $0, transactionID: "t\($0)", purchaseDate: date)
        }
        let encoded = receipt.encoded()
        func place(_ text: String) -> Int? {
            let value = DEREncoding.utf8String(text)
            return encoded.indices.first { encoded[$0...].starts(with: value) }
        }
        #expect((place("b") ?? .max) < (place("a") ?? .min))
        func holds(_ number: Int64) -> Bool {
            let type = DEREncoding.integer(number)
            return encoded.indices.contains { encoded[$0...].starts(with: type) }
        }
        #expect(holds(1_702) && holds(1_705) && !holds(1_708) && !holds(1_712))
    }
}
