import TestHarness
import Testing

@testable import AppReceipt

@Suite(.bounded) struct ByteKeyTests {
    @Test func `keys compare and order the bytes of their strings`() {
        #expect(ByteKey("caf\u{E9}") != ByteKey("cafe\u{301}"))
        expectEqual(ByteKey("caf\u{E9}"), ByteKey(String(decoding: [0x63, 0x61, 0x66, 0xC3, 0xA9], as: UTF8.self)))
        #expect(ByteKey("cafe\u{301}") < ByteKey("caf\u{E9}"))
    }

    @Test func `pairs that differ in the end of the first string have different hashes`() {
        let text = "2000000123456789"
        let pairs = text.indices.map { ByteKeyPair(ByteKey(String(text[..<$0])), ByteKey(String(text[$0...]))) }
        expectEqual(Set(pairs.map(\.hashValue)).count, text.count)
    }
}
