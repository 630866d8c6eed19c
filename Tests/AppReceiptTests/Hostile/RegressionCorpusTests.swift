import AppStoreSimulator
import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppReceipt
@testable import AppStoreServer

/// Inputs that are known to expose defects in readers of these formats, for every reader.
@Suite(.bounded) struct RegressionCorpusTests {
    private static func nested(_ opening: [UInt8], _ count: Int, _ closing: [UInt8] = []) -> [UInt8] {
        Array(Array(repeating: opening, count: count).joined())
            + Array(Array(repeating: closing, count: count).joined())
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static let structures: [(String, [UInt8])] = [
        ("nothing", []), ("one zero", [0]), ("one SEQUENCE tag", [0x30]),
        ("indefinite and nothing more", [0x30, 0x80]),
        ("indefinite primitive", [0x04, 0x80, 0, 0]), ("end of contents alone", [0, 0]),
        ("end of contents with a length", [0x30, 0x80, 0, 1, 0]),
        ("constructed end of contents", [0x30, 0x80, 0x20, 0]),
        ("length of 2^63 - 1", [0x30, 0x88, 0x7F] + Array(repeating: 0xFF, count: 7)),
        ("length of 2^64 - 1", [0x30, 0x88] + Array(repeating: 0xFF, count: 8)),
        ("length of 127 octets", [0x30, 0xFF] + Array(repeating: 1, count: 127)),
        ("length in nine octets of zero", [0x30, 0x89] + Array(repeating: 0, count: 9)),
        ("tag number beyond 32 bits", [0x3F, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 0]),
        ("high tag for a low number", [0x1F, 0x01, 0]), ("high tag with a leading zero", [0x1F, 0x80, 0x01, 0]),
        ("nested definite", nested([0x30, 0x80], 40, [0, 0])),
        ("nested indefinite, never closed", nested([0x30, 0x80], 20_000)),
        ("nested octet strings", nested([0x24, 0x80], 40, [0, 0])), ("empty INTEGER", [0x30, 2, 2, 0]),
        ("padded INTEGER", [2, 3, 0, 0, 1]),
        ("endless identifier", [6, 70] + Array(repeating: 0x81, count: 70)),
        ("BIT STRING of eight unused bits", [3, 2, 8, 0]),
        ("empty BIT STRING with unused bits", [3, 1, 7]), ("SET of nothing", [0x31, 0]),
        ("trailing byte", [0x30, 0, 0]),
    ]

    private static let jsonTexts: [(String, [UInt8])] = [
        ("arrays, never closed", nested(text("["), 20_000)), ("objects, never closed", nested(text("{\"a\":"), 10_000)),
        ("deep and closed", nested(text("["), 33, text("]"))),
        ("lone surrogates", text(#"["\ud800","\udc00","\ud800\ud800"]"#)),
        ("escape at the end", text(#"["\"#)), ("half an escape", text(#"["\u00"]"#)),
        ("NUL in a text", [0x5B, 0x22, 0, 0x22, 0x5D]),
        ("overlong UTF-8", [0x5B, 0x22, 0xC0, 0xAF, 0x22, 0x5D]),
        ("surrogate in UTF-8", [0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D]),
        ("beyond Unicode", [0x5B, 0x22, 0xF4, 0x90, 0x80, 0x80, 0x22, 0x5D]),
        ("UTF-8 cut off", [0x5B, 0x22, 0xE2, 0x82]),
        ("byte order mark", [0xEF, 0xBB, 0xBF] + text("{}")),
        ("numbers that are none", text("[01,1.,.5,+1,1e,0x1,NaN,Infinity]")),
        ("huge exponent", text(#"{"status":1e999999999,"receipt":{}}"#)),
        ("huge number", text("{\"status\":\(String(repeating: "9", count: 5_000))}")),
        (
            "dates at the ends of time",
            text(#"{"status":0,"receipt":{"request_date_ms":9223372036854775807,"in_app":[]}}"#)
        ),
        (
            "dates beyond the calendar",
            text(#"{"status":0,"receipt":{"request_date":"9999-13-32 25:61:61 Etc/GMT","in_app":[]}}"#)
        ),
        (
            "the smallest quantity",
            text(
                #"{"status":0,"receipt":{"in_app":[{"product_id":"p","transaction_id":"1","purchase_date_ms":1,"quantity":-9223372036854775808}]}}"#
            )
        ),
        (
            "objects for lists",
            text(#"{"status":0,"receipt":{"in_app":{"product_id":"p","transaction_id":"1","purchase_date_ms":1}}}"#)
        ),
        ("lists for objects", text(#"{"status":0,"receipt":[]}"#)),
        ("a name twice, once escaped", text(#"{"status":0,"st\u0061tus":1}"#)),
        ("many empty members", text("{" + (0..<500).map { "\"n\($0)\":{}" }.joined(separator: ",") + "}")),
    ]

    private static let tokens: [(String, [UInt8])] = [
        ("dots", text("...")), ("many dots", nested(text("."), 20_000)), ("empty parts", text("..")),
        ("no parts", text("token")),
        ("part of one character", text("A.A.A")), ("payload that is a text", text(UnsignedToken.around("\"payload\""))),
        ("payload that is deep", text(UnsignedToken.around(String(repeating: "[", count: 10_000)))),
        ("header of another kind", text(UnsignedToken.around("{}", header: "{\"alg\":\"none\"}"))),
        (
            "certificates of nothing",
            text(
                UnsignedToken.around(
                    SignedTransactionFixture.transaction, header: "{\"alg\":\"ES256\",\"x5c\":[\"\",\"\"]}"))
        ),
        (
            "certificates without end",
            text(
                UnsignedToken.around(
                    "{}", header: "{\"alg\":\"ES256\",\"x5c\":[\(String(repeating: "\"AA\",", count: 2_000))\"AA\"]}"))
        ),
        (
            "a notification inside a notification",
            text(
                UnsignedToken.around(
                    SignedPayloadSamples.notification(
                        transaction: UnsignedToken.around(
                            SignedPayloadSamples.notification(transaction: nil, renewal: nil)), renewal: nil))
            )
        ),
        ("combining marks", text(CombiningMarks.run(2_000))),
        ("a body of combining marks", text("{\"signedPayload\":\"\(CombiningMarks.run(500))\"}")),
    ]

    @Test func `no reader traps, and every error has an offset`() {
        for (name, bytes) in Self.structures + Self.jsonTexts + Self.tokens {
            let findings = Readers.read(bytes)
            #expect(findings.complaints.isEmpty, "\(name): \(findings.complaints)")
        }
    }

    @Test func `unsigned input is accepted by its reader and rejected by all verifiers`() throws {
        var accepted: Set<String> = []
        for (name, bytes) in try ReaderSeeds.all() {
            let findings = Readers.read(bytes)
            #expect(findings.complaints.isEmpty, "\(name): \(findings.complaints)")
            accepted.formUnion(findings.accepted)
        }
        expectEqual(
            accepted,
            ["container", "receipt", "certificate", "anchor", "response", "lenient response", "value", "payload"])
    }

    @Test func `a notification inside a notification is not decoded`() throws {
        let inner = UnsignedToken.around(SignedPayloadSamples.notification(transaction: "a.b.c", renewal: nil))
        let token = UnsignedToken.around(SignedPayloadSamples.notification(transaction: inner, renewal: inner))
        let notification = try #require(try SignedPayload.unverified(jws: token).notification)
        expectEqual(notification.signedTransactionInfo, inner)
        expectEqual(notification.transaction, nil)
        expectEqual(notification.renewalInfo, nil)
    }
}
