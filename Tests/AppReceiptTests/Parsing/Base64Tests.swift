import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppReceipt
@testable import AppStoreServer

/// The same rules for Base64 in all readers.
@Suite(.bounded) struct Base64Tests {
    /// Texts with their results in the standard and the URL-safe alphabet; `nil` if rejected.
    static let table: [(text: String, standard: [UInt8]?, urlSafe: [UInt8]?)] = [
        ("", [], []), ("AA", [0], [0]), ("AA==", [0], nil), ("AAA", [0, 0], [0, 0]), ("AAA=", [0, 0], nil),
        ("AAAA", [0, 0, 0], [0, 0, 0]),
        ("+/+/", [0xFB, 0xFF, 0xBF], nil), ("-_-_", nil, [0xFB, 0xFF, 0xBF]), ("+_+/", nil, nil),
        ("A", nil, nil), ("AAAAA", nil, nil), ("AB", nil, nil), ("AAB", nil, nil), ("AA=", nil, nil),
        ("A===", nil, nil),
        ("AAAA=", nil, nil),
        ("AAAA====", nil, nil), ("=", nil, nil), ("AA==AA==", nil, nil), ("AA=A", nil, nil), ("====", nil, nil),
        ("AA AA", [0, 0, 0], nil), (" AAAA\r\n", [0, 0, 0], nil), ("AA\tA=\n", [0, 0], nil), ("AA\u{B}AA", nil, nil),
        ("AA.AA", nil, nil), ("...", nil, nil), ("redacted…", nil, nil), ("ÄAAA", nil, nil), ("AAA\u{0}", nil, nil),
    ]

    @Test(arguments: table) func `texts in either alphabet`(text: String, standard: [UInt8]?, urlSafe: [UInt8]?) {
        expectEqual((try? Base64.decode(Array(text.utf8)[...], .standard).get()), standard)
        expectEqual((try? Base64.decode(Array(text.utf8)[...], .urlSafe).get()), urlSafe)
    }

    @Test func `texts encoded by Foundation are decoded completely`() throws {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            expectEqual(Base64.decode(Data(bytes).base64EncodedString()), bytes)
            expectEqual(Base64.decode(Data(bytes).base64EncodedString(options: [.lineLength64Characters])), bytes)
            let address = SimulatedJWSIssuer.base64URL(Data(bytes))
            expectEqual(try Base64.decode(Array(address.utf8)[...], .urlSafe).get(), bytes)
        }
    }

    @Test(arguments: table) func `the readers follow the rule`(text: String, standard: [UInt8]?, urlSafe: [UInt8]?)
        throws
    {
        let encoded = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        let receipt = try Receipt.unverified(verifyReceiptJSON: ReceiptFixtures.answer("\"latest_receipt\":\(encoded)"))
        let latest = receipt.contents.latestReceipt
        expectEqual(latest, (text.isEmpty ? nil : standard.map { Data($0) }), "an undecodable latest_receipt is nil")
        expectEqual(DeviceIdentifier(text)?.bytes, standard == [] ? nil : standard)

        var fixture = SignedTransactionFixture()
        fixture.verifier.trustAnchors = []
        let header = "{\"alg\":\"ES256\",\"x5c\":[\(encoded)]}"
        let error = #expect(throws: ReceiptVerificationError.self) {
            try fixture.verifier.transaction(jws: try fixture.token(header: header))
        }
        expectEqual(
            error?.malformation?.expected.contains("Base64"), (standard == nil),
            "a certificate that is no Base64 is refused as such")
        if urlSafe == nil || text.contains(".") {
            #expect(throws: MalformedReceiptError.self) { try SignedPayload.unverified(jws: "\(text).e30.AA") }
        }
    }
}
