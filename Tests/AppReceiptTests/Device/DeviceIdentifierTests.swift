import Foundation
import TestHarness
import Testing

@testable import AppReceipt

@Suite(.bounded) struct DeviceIdentifierTests {
    @Test func `vendor identifiers, network addresses and Base64 are distinguished`() throws {
        let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        expectEqual(
            DeviceIdentifier(uuid).bytes,
            [0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF])
        expectEqual(DeviceIdentifier("00112233-4455-6677-8899-aabbccddeeff"), DeviceIdentifier(uuid))
        expectEqual(DeviceIdentifier("00:1A:2b:3c:4D:5e")?.bytes, [0x00, 0x1A, 0x2B, 0x3C, 0x4D, 0x5E])
        expectEqual(DeviceIdentifier("00-1a-2b-3c-4d-5e")?.bytes, [0x00, 0x1A, 0x2B, 0x3C, 0x4D, 0x5E])
        expectEqual(DeviceIdentifier("ABEiMw==")?.bytes, [0x00, 0x11, 0x22, 0x33])
    }

    @Test(arguments: [
        "", "hello world", "00:1a:2b:3c:4d", "00:1a:2b:3c:4d:5e:6f", "00:1a:2b:3c:4d:+5", "0:01:02:03:04:005", "A",
    ])
    func `other texts aren't device identifiers`(text: String) {
        expectEqual(DeviceIdentifier(text), nil)
    }

    @Test(arguments: [
        ("", ""), ("en0 built-in primary", "en0"), ("en0 built-in, en1 built-in primary", "en1 en0"),
        ("en0, en5 primary", "en5 en0"), ("en0", "en0"), ("en5 primary", "en5"), ("en5", ""),
        ("en0 built-in, en5 primary", "en0 en5"), ("en0, en1 built-in, en5 primary", "en1 en5 en0"),
    ])
    func `a receipt of a Mac is bound to a built-in interface, to the primary one, or to en0`(
        interfaces: String, expected: String
    ) {
        func address(_ name: some StringProtocol) -> [UInt8] { Array(name.utf8) }
        let list = interfaces.components(separatedBy: ", ").filter { !$0.isEmpty }.map { text in
            let name = text.prefix { $0 != " " }
            return DeviceIdentifier.NetworkInterface(
                name: String(name), address: address(name), isPrimary: text.contains("primary"),
                isBuiltIn: text.contains("built-in"))
        }
        expectEqual(
            DeviceIdentifier.candidates(among: list).map(\.bytes), expected.split(separator: " ").map(address))
    }
}
