import AppStoreSimulator
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct DEREncodingTests {
    @Test(
        arguments: [
            (0, [0]), (127, [0x7F]), (128, [0, 0x80]), (-1, [0xFF]), (-128, [0x80]), (-129, [0xFF, 0x7F]),
            (256, [1, 0]),
            (Int64.max, [0x7F] + Array(repeating: 0xFF, count: 7)), (Int64.min, [0x80] + Array(repeating: 0, count: 7)),
        ] as [(Int64, [UInt8])])
    func `integers take the fewest octets`(number: Int64, content: [UInt8]) {
        expectEqual(DEREncoding.integer(number), [2, UInt8(content.count)] + content)
    }

    @Test func `lengths take the fewest octets`() {
        for (count, header) in [(0, [4, 0]), (127, [4, 0x7F]), (128, [4, 0x81, 0x80]), (256, [4, 0x82, 1, 0])]
            as [(Int, [UInt8])]
        {
            expectEqual(Array(DEREncoding.octetString(Array(repeating: 1, count: count)).prefix(header.count)), header)
        }
    }

    @Test func `magnitudes stay positive and lose leading zeros`() {
        expectEqual(DEREncoding.integer(magnitude: [0, 0, 0x7F]), [2, 1, 0x7F])
        expectEqual(DEREncoding.integer(magnitude: [0x80]), [2, 2, 0, 0x80])
        expectEqual(DEREncoding.integer(magnitude: [0]), [2, 1, 0])
    }

    @Test func `sets are sorted, identifiers in base 128`() {
        expectEqual(DEREncoding.set([[5, 0], [2, 1, 1]]), [0x31, 5, 2, 1, 1, 5, 0])
        expectEqual(DEREncoding.objectIdentifier([1, 2, 840, 113549]), [6, 6, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D])
    }

    @Test func `dates in UTC agree with Foundation's calendar over four thousand years`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for seconds in stride(from: -12_000_000_000.0, to: 120_000_000_000, by: 86_399 * 397) {
            let date = Date(timeIntervalSince1970: seconds)
            let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
            let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].map { $0 ?? -1 }
            expectEqual(
                DEREncoding.rfc3339(date),
                String(format: "%04ld-%02ld-%02ldT%02ld:%02ld:%02ldZ", arguments: numbers))
        }
        expectEqual(DEREncoding.rfc3339(.distantFuture.addingTimeInterval(1e15)), "9999-12-31T23:59:59Z")
        expectEqual(DEREncoding.rfc3339(.distantPast.addingTimeInterval(-1e15)), "1583-01-01T00:00:00Z")
        expectEqual(DEREncoding.rfc3339(Date(timeIntervalSince1970: 951_782_400.9)), "2000-02-29T00:00:00Z")
    }

    @Test func `certificate dates change form in 2050`() {
        expectEqual(
            DEREncoding.time(Date(timeIntervalSince1970: 2_524_607_999)), [0x17, 13] + Array("491231235959Z".utf8))
        expectEqual(
            DEREncoding.time(Date(timeIntervalSince1970: 2_524_608_000)), [0x18, 15] + Array("20500101000000Z".utf8))
    }
}
