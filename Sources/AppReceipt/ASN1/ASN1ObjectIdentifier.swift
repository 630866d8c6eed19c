/// An OBJECT IDENTIFIER as its content octets (X.690, section 8.19). Equal identifiers have equal octets, so
/// comparisons don't need decoding.
package struct ASN1ObjectIdentifier: Hashable, Sendable {
    package let content: [UInt8]

    /// Creates an identifier from its content octets; `nil` if they are empty, end within an arc, or have an arc with a
    /// leading zero octet.
    package init?(content: some Sequence<UInt8>) {
        let octets = Array(content)
        guard let last = octets.last, last < 0x80, octets.count <= 64 else { return nil }
        var startsArc = true
        for octet in octets {
            guard !(startsArc && octet == 0x80) else { return nil }
            startsArc = octet < 0x80
        }
        self.content = octets
    }

    /// Creates an identifier from its arcs. The first two arcs share an octet.
    // Not inlined, because it creates each of the many known identifiers only once.
    @inline(never)
    package init(_ first: UInt8, _ second: UInt8, _ rest: UInt32...) {
        var octets = [first &* 40 &+ second]
        for arc in rest {
            var groups = [UInt8(truncatingIfNeeded: arc & 0x7F)]
            var remaining = arc >> 7
            while remaining > 0 {
                groups.append(UInt8(truncatingIfNeeded: remaining & 0x7F) | 0x80)
                remaining >>= 7
            }
            octets += groups.reversed()
        }
        content = octets
    }
}

extension ASN1ObjectIdentifier: CustomStringConvertible {
    /// The dotted form, with `…` for arcs of more than 64 bits.
    package var description: String {
        var arcs: [String] = []
        var arc: UInt64 = 0
        var overflows = false
        for octet in content {
            overflows = overflows || arc > UInt64.max >> 7
            arc = arc << 7 | UInt64(octet & 0x7F)
            guard octet < 0x80 else { continue }
            if arcs.isEmpty, !overflows {
                let first = min(arc / 40, 2)
                arcs = ["\(first)", "\(arc - first * 40)"]
            } else {
                arcs.append(overflows ? "…" : "\(arc)")
            }
            arc = 0
            overflows = false
        }
        return arcs.joined(separator: ".")
    }
}
