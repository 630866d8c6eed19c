/// Writes DER (X.690, 10 and 11): every function returns the encoding of one element.
package enum DEREncoding {
    /// An element of any tag, given by its identifier octet.
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
        element(0x30, Array(members.joined()))
    }

    /// A SET OF, whose members DER sorts by their encodings.
    package static func set(_ members: [[UInt8]]) -> [UInt8] {
        element(0x31, Array(members.sorted { $0.lexicographicallyPrecedes($1) }.joined()))
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

    /// An INTEGER that is not negative, from its big-endian magnitude.
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

    /// An OBJECT IDENTIFIER from its arcs; the first two share an octet.
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
