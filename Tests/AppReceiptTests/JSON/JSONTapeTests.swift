import Foundation
import TestHarness
import Testing

@testable import AppReceipt

@Suite(.bounded) struct JSONTapeTests {
    private func value(_ text: String) throws(MalformedReceiptError) -> ReceiptValue {
        try JSONTape(Array(text.utf8)).value(0)
    }

    @Test func `values of every kind are read`() throws {
        expectEqual(
            try value(#" {"a":[1,-2.5e+3,0],"b":{"c":null},"d":"x","e":true,"f":false,"g":[],"h":{}} "#),
            .object([
                "a": .array([.number("1"), .number("-2.5e+3"), .number("0")]), "b": .object(["c": .null]),
                "d": .string("x"),
                "e": .bool(true), "f": .bool(false), "g": .array([]), "h": .object([:]),
            ]))
    }

    @Test func `escapes are resolved`() throws {
        expectEqual(
            try value(#""\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00""#), .string("\"\\/\u{8}\u{c}\n\r\tAé€😀"))
    }

    @Test(arguments: [
        ("[1,]", 3), ("{\"a\":1,}", 7), ("{,}", 1), ("[01]", 2), ("[1.]", 3), ("[.5]", 1), ("[-]", 2), ("[1e]", 3),
        ("[+1]", 1),
        ("[NaN]", 1),
        ("{\"a\" 1}", 5), ("{a:1}", 1), ("[1 2]", 3), ("[1}", 2), ("{\"a\":1]", 6), ("nul", 0), ("truE", 0),
        ("\"\\x\"", 1),
        ("\"\\u12G4\"", 1),
        ("\"\\ud800\"", 1), ("\"\\udc00\"", 1), ("\"\\ud800\\u0041\"", 1), ("\"a\u{1}\"", 2), ("\"open", 5), ("[", 1),
        ("1 1", 2),
        ("{}}", 2),
        ("\u{FEFF}{}", 0), ("", 0), ("\"\\", 1), ("\"\\u00", 1),
    ])
    func `text that isn't JSON is rejected at the right offset`(text: String, offset: Int) {
        expectError(\MalformedReceiptError.offset, offset) { try JSONTape(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x28, 0xA1],
        ] as [[UInt8]])
    func `malformed UTF-8 is refused`(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        let error = #expect(throws: MalformedReceiptError.self) { try JSONTape([quote] + bytes + [quote]) }
        expectEqual(error?.offset, 1)
        expectEqual(error?.code, .invalidEncoding)
    }

    @Test func `the longest and the shortest of each length of UTF-8 are accepted`() throws {
        let text = "\u{80}\u{7FF}\u{800}\u{FFFF}\u{D7FF}\u{E000}\u{10000}\u{10FFFF}"
        expectEqual(try value("\"\(text)\""), .string(text))
    }

    @Test func `depth, size and number of values are limited`() throws {
        let limits = JSONTape.Limits(maximumSize: 100, maximumDepth: 3, maximumCount: 5)
        #expect(throws: Never.self) { try JSONTape(Array("[[[1]]]".utf8), limits: limits) }
        for text in ["[[[[1]]]]", "[1,1,1,1,1]", String(repeating: " ", count: 100) + "1"] {
            expectError(\MalformedReceiptError.code, .limitExceeded) { try JSONTape(Array(text.utf8), limits: limits) }
        }
        let deep = Array(repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(throws: MalformedReceiptError.self) { try JSONTape(deep) }
    }
}
