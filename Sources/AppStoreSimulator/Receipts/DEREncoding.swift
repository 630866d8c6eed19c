package import Foundation

/// Writes DER (X.690, sections 10 and 11). Every function returns the encoding of one element.
///
/// Members are joined array by array (`flatMap`), because `joined` iterates over octets, which is slow in debug builds.
package enum DEREncoding {
    package static func element(_ identifier: UInt8, _ content: [UInt8]) -> [UInt8] {
        var encoding = [identifier]
        encoding.reserveCapacity(content.count + 6)
        encoding += length(content.count)
        encoding += content
        return encoding
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(count)] }
        let octets = withUnsafeBytes(of: UInt64(count).bigEndian, Array.init).drop { $0 == 0 }
        return [0x80 | UInt8(octets.count)] + octets
    }

    package static func sequence(_ members: [[UInt8]]) -> [UInt8] {
        element(0x30, members.flatMap { $0 })
    }

    /// Returns a SET OF. DER sorts the members by their encodings.
    package static func set(_ members: [[UInt8]]) -> [UInt8] {
        element(0x31, members.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
    }

    package static func explicit(_ number: UInt8, _ content: [UInt8]) -> [UInt8] {
        element(0xA0 | number, content)
    }

    package static func boolean(_ value: Bool) -> [UInt8] {
        element(0x01, [value ? 0xFF : 0x00])
    }

    package static func integer(_ value: Int64) -> [UInt8] {
        var octets = withUnsafeBytes(of: value.bigEndian, Array.init)
        while octets.count > 1, (octets[0] == 0 && octets[1] < 0x80) || (octets[0] == 0xFF && octets[1] >= 0x80) {
            octets.removeFirst()
        }
        return element(0x02, octets)
    }

    /// Returns a nonnegative INTEGER from its big-endian magnitude.
    package static func integer(magnitude: [UInt8]) -> [UInt8] {
        let octets = Array(magnitude.drop { $0 == 0 })
        return element(0x02, octets.first.map { $0 < 0x80 } ?? false ? octets : [0] + octets)
    }

    package static func bitString(_ octets: [UInt8], unusedBits: UInt8 = 0) -> [UInt8] {
        element(0x03, [unusedBits] + octets)
    }

    package static func octetString(_ octets: [UInt8]) -> [UInt8] {
        element(0x04, octets)
    }

    package static let null: [UInt8] = [0x05, 0x00]

    /// Returns an OBJECT IDENTIFIER from its arcs. The first two arcs share an octet.
    package static func objectIdentifier(_ arcs: [UInt64]) -> [UInt8] {
        guard arcs.count >= 2 else { return element(0x06, []) }
        let content = ([arcs[0] * 40 + arcs[1]] + arcs.dropFirst(2)).flatMap { arc in
            var groups = [UInt8(arc & 0x7F)]
            var rest = arc >> 7
            while rest > 0 {
                groups.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
                rest >>= 7
            }
            return groups
        }
        return element(0x06, content)
    }

    package static func utf8String(_ text: String) -> [UInt8] {
        element(0x0C, Array(text.utf8))
    }

    package static func ia5String(_ text: String) -> [UInt8] {
        element(0x16, Array(text.utf8))
    }
}

extension DEREncoding {
    /// Returns a date for certificates and signatures: UTCTime until 2049, GeneralizedTime from 2050 (RFC 5280, section
    /// 4.1.2.5).
    package static func time(_ date: Date) -> [UInt8] {
        let text = rfc3339(date).filter(\.isNumber) + "Z"
        return ("1950"..<"2050").contains(text.prefix(4))
            ? element(0x17, Array(text.utf8.dropFirst(2))) : element(0x18, Array(text.utf8))
    }

    /// Returns a date for receipts: RFC 3339 in an IA5String.
    package static func receiptTime(_ date: Date) -> [UInt8] {
        ia5String(rfc3339(date))
    }

    /// Returns a date in UTC, to the second, such as `2013-08-01T07:00:00Z`. Dates outside the years 1583 to 9999 are
    /// clamped: Foundation writes earlier dates in the Julian calendar.
    package static func rfc3339(_ date: Date) -> String {
        let seconds = min(max(date.timeIntervalSince1970, -12_212_553_600), 253_402_300_799).rounded(.down)
        return Date(timeIntervalSince1970: seconds).ISO8601Format()
    }
}
