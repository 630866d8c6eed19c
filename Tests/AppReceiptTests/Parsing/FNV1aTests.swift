import AppReceipt
import TestHarness
import Testing

@Suite(.bounded) struct FNV1aTests {
    /// The published test vectors. Keys that a server stores depend on the hash.
    @Test(arguments: [
        ("", 0xcbf2_9ce4_8422_2325 as UInt64), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ])
    func `the hash is the published one`(text: String, hash: UInt64) {
        expectEqual(FNV1a.hash(text.utf8), hash)
    }
}
