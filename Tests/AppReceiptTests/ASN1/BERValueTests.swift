import AppReceipt
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct BERValueTests {
    private func element(_ bytes: [UInt8], rules: ASN1EncodingRules = .distinguished) throws -> BERElement {
        var reader = try BERReader(bytes[...], rules: rules)
        return try reader.next()
    }

    @Test(
        arguments: [([0x2A, 0x81, 0x80, 0x00], "1.2.16384"), ([0x2A, 0x81, 0x80, 0x80, 0x00], "1.2.2097152")]
            as [([UInt8], String)])
    func `an arc may have octets without bits of their own behind its first`(content: [UInt8], dotted: String) {
        expectEqual(ASN1ObjectIdentifier(content: content)?.description, dotted)
    }

    @Test(
        arguments: [
            ([0x02, 1, 0x00], 0), ([0x02, 1, 0x7F], 127), ([0x02, 2, 0x00, 0x80], 128), ([0x02, 1, 0x80], -128),
            ([0x02, 2, 0xFF, 0x7F], -129),
            ([0x02, 8, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], Int64.max),
            ([0x02, 8, 0x80, 0, 0, 0, 0, 0, 0, 0], Int64.min),
        ] as [([UInt8], Int64)])
    func `integers of up to eight octets`(bytes: [UInt8], value: Int64) throws {
        expectEqual(try element(bytes).integer("a number"), value)
    }

    @Test(
        arguments: [
            [0x02, 0], [0x02, 2, 0x00, 0x7F], [0x02, 2, 0xFF, 0x80], [0x02, 9, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            [0x22, 3, 0x02, 1, 1],
            [0x04, 1, 1],
        ] as [[UInt8]])
    func `integers that are empty, padded, too long, constructed or something else`(bytes: [UInt8]) {
        #expect(throws: MalformedReceiptError.self) { try element(bytes).integer("a number") }
    }

    @Test func `the magnitude of an integer has no leading zero and no sign`() throws {
        expectEqual(try element([0x02, 2, 0x00, 0xFF]).magnitude("a number"), [0xFF])
        #expect(try element([0x02, 1, 0x00]).magnitude("a number").isEmpty)
        #expect(throws: MalformedReceiptError.self) { try element([0x02, 1, 0xFF]).magnitude("a number") }
    }

    @Test func `object identifiers are compared by octets and shown dotted`() throws {
        let marker = try element([0x06, 0x0A, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x63, 0x64, 0x06, 0x0B, 0x01])
            .objectIdentifier("a marker")
        expectEqual(marker, ASN1ObjectIdentifier(1, 2, 840, 113635, 100, 6, 11, 1))
        expectEqual(marker.description, "1.2.840.113635.100.6.11.1")
        expectEqual(ASN1ObjectIdentifier(2, 5, 29, 19).description, "2.5.29.19")
        expectEqual(ASN1ObjectIdentifier(content: [0x88, 0x37])?.description, "2.999")
        let huge = ASN1ObjectIdentifier(content: [0x2A] + Array(repeating: 0xFF, count: 12) + [0x7F])
        expectEqual(huge?.description, "1.2.…")
        for content in [[], [0x80, 0x01], [0x2A, 0x86], [0x2A, 0x80, 0x01]] as [[UInt8]] {
            expectEqual(ASN1ObjectIdentifier(content: content), nil)
        }
    }

    @Test func `booleans and bit strings are strict where DER is`() throws {
        #expect(try element([0x01, 1, 0xFF]).boolean("a flag"))
        #expect(try element([0x01, 1, 0x01], rules: .basic).boolean("a flag"))
        #expect(throws: MalformedReceiptError.self) { try element([0x01, 1, 0x01]).boolean("a flag") }
        #expect(throws: MalformedReceiptError.self) { try element([0x01, 0]).boolean("a flag") }
        expectEqual(try element([0x03, 2, 0x07, 0x80]).bitString("bits").unusedBits, 7)
        expectEqual(try element([0x03, 3, 0x00, 1, 2]).wholeOctetBitString("bits"), [1, 2])
        for bytes in [[0x03, 0], [0x03, 2, 0x08, 0], [0x03, 1, 0x01], [0x03, 2, 0x07, 0x81]] as [[UInt8]] {
            #expect(throws: MalformedReceiptError.self) { try element(bytes).bitString("bits") }
        }
        #expect(throws: MalformedReceiptError.self) { try element([0x03, 2, 0x07, 0x80]).wholeOctetBitString("bits") }
    }

    @Test func `strings are checked against their repertoire`() throws {
        expectEqual(try element([0x0C, 2, 0xC3, 0xA9]).string("text"), "é")
        expectEqual(try element([0x16, 2, 0x68, 0x69]).string("text"), "hi")
        for bytes in [[0x0C, 1, 0xC3], [0x16, 1, 0xE9], [0x0C, 3, 0xED, 0xA0, 0x80], [0x04, 1, 0x41]] as [[UInt8]] {
            #expect(throws: MalformedReceiptError.self) { try element(bytes).string("text") }
        }
    }

    @Test func `certificate times turn at 1950 and take one form only`() throws {
        func time(_ tag: UInt8, _ text: String) throws -> Date {
            try element([tag, UInt8(text.utf8.count)] + Array(text.utf8)).time("a time")
        }
        expectEqual(try time(0x17, "491231235959Z"), Date(timeIntervalSince1970: 2_524_607_999))
        expectEqual(try time(0x17, "500101000000Z"), Date(timeIntervalSince1970: -631_152_000))
        expectEqual(try time(0x18, "20351009213601Z"), Date(timeIntervalSince1970: 2075578561))
        let impossible = [
            "1701010000Z", "170101000000", "170101000000+0000", "170230000000Z", "171301000000Z", "170101240000Z",
            "17010100000aZ",
        ]
        for text in impossible {
            #expect(throws: MalformedReceiptError.self) { try time(0x17, text) }
        }
        #expect(throws: MalformedReceiptError.self) { try time(0x18, "20351009213601.5Z") }
        #expect(throws: MalformedReceiptError.self) { try time(0x0C, "20351009213601Z") }
    }

    @Test(
        arguments: [
            ("2013-08-01T07:00:00Z", 1_375_340_400), ("2023-10-14T15:05:12+0200", 1_697_288_712),
            ("2023-10-14T15:05:12+02:00", 1_697_288_712),
            ("1969-12-31T19:00:00-05", 0), ("2024-02-29T00:00:00.25Z", 1_709_164_800.25),
            ("2000-03-01T00:00:00Z", 951_868_800),
            ("1900-03-01T00:00:00Z", -2_203_891_200),
        ] as [(String, Double)])
    func `receipt dates with and without a zone offset`(text: String, seconds: Double) {
        expectEqual(ReceiptTimestamp.date(Array(text.utf8)[...]), Date(timeIntervalSince1970: seconds))
    }

    @Test(arguments: [
        "", "2013-08-01", "2013-08-01T07:00:00", "2013-02-29T00:00:00Z", "2013-08-01T07:00:00Zx",
        "2013-08-01T25:00:00Z",
        "0000-01-01T00:00:00Z",
        "2013-08-01T07:00:00.Z", "2013-08-01T07:00:00+2400", "2013-08-01T07:00:00+02:0",
    ])
    func `texts that aren't dates are rejected`(text: String) {
        expectEqual(ReceiptTimestamp.date(Array(text.utf8)[...]), nil)
    }
}
