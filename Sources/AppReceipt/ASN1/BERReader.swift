/// A cursor that reads consecutive BER or DER elements (X.690) without copying.
///
/// Slices keep the indices of their array, so an index is also the byte offset that errors report. The reader reads
/// only the header of an element with a definite length. It searches for the end of an indefinite element once for
/// every level that is entered, so the total time is at most proportional to the size times the depth limit.
package struct BERReader: Sendable {
    private let source: ArraySlice<UInt8>
    private var end: Int
    private var position: Int
    package let rules: ASN1EncodingRules
    package let limits: ASN1Limits
    package let depth: Int

    /// Creates a reader of the elements in `bytes`.
    ///
    /// Throws an error if `bytes` or `depth` exceeds `limits`.
    package init(
        _ bytes: ArraySlice<UInt8>, rules: ASN1EncodingRules = .basic, limits: ASN1Limits = ASN1Limits(), depth: Int = 0
    ) throws(MalformedReceiptError) {
        try limits.check(size: bytes.count, at: bytes.startIndex)
        guard depth <= limits.maximumDepth else {
            throw MalformedReceiptError(
                .limitExceeded, at: bytes.startIndex, expected: "at most \(limits.maximumDepth) levels of nesting")
        }
        source = bytes
        position = bytes.startIndex
        end = bytes.endIndex
        self.rules = rules
        self.limits = limits
        self.depth = depth
    }

    /// Whether all elements have been read.
    package var isAtEnd: Bool {
        position >= end
    }

    /// The offset of the next element.
    package var offset: Int {
        position
    }

    /// Reads the next element, which may have any tag.
    package mutating func next(_ expected: String = "an element") throws(MalformedReceiptError) -> BERElement {
        guard position < end else {
            throw MalformedReceiptError(.truncated, at: position, expected: expected, found: "the end")
        }
        let start = position
        let header = try readHeader(expected)
        guard header.tag != .endOfContents else {
            throw MalformedReceiptError(.unexpectedElement, at: start, expected: expected, found: "end-of-contents")
        }
        let contentStart = position
        let contentEnd: Int
        if let length = header.length {
            contentEnd = contentStart + length
            position = contentEnd
        } else {
            contentEnd = try skimToEndOfContents()
        }
        return BERElement(
            tag: header.tag, isConstructed: header.isConstructed, isIndefinite: header.length == nil,
            source: source[start..<position], contentRange: contentStart..<contentEnd, rules: rules, limits: limits,
            depth: depth)
    }

    /// Reads the next element, which must have `tag`.
    package mutating func next(_ tag: ASN1Tag, _ expected: String) throws(MalformedReceiptError) -> BERElement {
        let start = position
        let element = try next(expected)
        guard element.tag == tag else {
            throw MalformedReceiptError(
                .unexpectedElement, at: start, expected: "\(tag) (\(expected))", found: "\(element.tag)")
        }
        return element
    }

    /// Reads the next element if it has `tag`. Otherwise, the reader doesn't move.
    package mutating func nextIfPresent(_ tag: ASN1Tag, _ expected: String) throws(MalformedReceiptError) -> BERElement?
    {
        guard !isAtEnd else { return nil }
        var ahead = self
        let element = try ahead.next(expected)
        guard element.tag == tag else { return nil }
        self = ahead
        return element
    }

    /// Reads the next element as an INTEGER of at most 64 bits, without creating an element.
    package mutating func nextInteger(_ expected: String) throws(MalformedReceiptError) -> Int64 {
        // Reads tag, length and up to seven octets. Longer and invalid integers are read as elements, with detailed
        // errors.
        let start = position
        if end - start > 2, source[start] == 0x02 {
            let count = Int(source[start + 1])
            if (1..<8).contains(count), count <= end - start - 2 {
                var value: Int64 = source[start + 2] >= 0x80 ? -1 : 0
                for octet in source[(start + 2)..<(start + 2 + count)] {
                    value = value << 8 | Int64(octet)
                }
                // In the shortest form, the value doesn't fit in one octet less.
                if count == 1 || value >> (count * 8 - 9) != value >> 63 {
                    position = start + 2 + count
                    return value
                }
            }
        }
        return try next(.integer, expected).integer(expected)
    }

    // The next three functions aren't inlined, because the readers of certificates and signatures call them in many
    // places.

    /// Reads the next element, which must have `tag`, and returns a reader of its members.
    @inline(never)
    package mutating func nextMembers(_ tag: ASN1Tag, _ expected: String) throws(MalformedReceiptError) -> BERReader {
        try next(tag, expected).members(expected)
    }

    /// Reads the next element as an OBJECT IDENTIFIER.
    @inline(never)
    package mutating func nextObjectIdentifier(
        _ expected: String
    ) throws(MalformedReceiptError) -> ASN1ObjectIdentifier {
        try next(.objectIdentifier, expected).objectIdentifier(expected)
    }

    /// Returns the next element, which must have `tag` and be the last one. The reader doesn't move.
    @inline(never)
    package func only(_ tag: ASN1Tag, _ expected: String) throws(MalformedReceiptError) -> BERElement {
        var reader = self
        let element = try reader.next(tag, expected)
        try reader.finish(expected)
        return element
    }

    /// Checks that no more elements follow.
    package func finish(_ structure: String) throws(MalformedReceiptError) {
        guard isAtEnd else {
            throw MalformedReceiptError(
                .trailingBytes, at: position, expected: "the end of \(structure)", found: "\(end - position) bytes")
        }
    }

    /// Reads the remaining elements as the pieces of an OCTET STRING in one pass. Pieces are OCTET STRINGs and may
    /// consist of pieces themselves (X.690, section 8.7.3).
    func octetPieces(_ expected: String) throws(MalformedReceiptError) -> [Range<Int>] {
        var reader = self
        let expected = "a piece of \(expected)"
        var pieces: [Range<Int>] = []
        // The open pieces: the end of the enclosing piece, and whether the piece has an end marker.
        var open: [(end: Int, isMarked: Bool)] = []
        var count = 0
        while true {
            while let last = open.last, !last.isMarked, reader.isAtEnd {
                reader = reader.ending(at: last.end)
                open.removeLast()
            }
            guard !(open.isEmpty && reader.isAtEnd) else { return pieces }
            let start = reader.position
            count += 1
            guard count <= limits.maximumCount else {
                throw MalformedReceiptError(
                    .limitExceeded, at: start, expected: "at most \(limits.maximumCount) pieces")
            }
            let header = try reader.readHeader(expected)
            if header.tag == .endOfContents, open.last?.isMarked ?? false {
                try BERReader.checkEndOfContents(header, at: start)
                open.removeLast()
                continue
            }
            guard header.tag == .octetString else {
                throw MalformedReceiptError(
                    .unexpectedElement, at: start, expected: "OCTET STRING (\(expected))", found: "\(header.tag)")
            }
            guard header.isConstructed else {
                let contentEnd = reader.position + (header.length ?? 0)
                pieces.append(reader.position..<contentEnd)
                reader.position = contentEnd
                continue
            }
            guard depth + open.count < limits.maximumDepth else {
                throw MalformedReceiptError(
                    .limitExceeded, at: start, expected: "at most \(limits.maximumDepth) levels of nesting")
            }
            open.append((reader.end, header.length == nil))
            if let length = header.length { reader = reader.ending(at: reader.position + length) }
        }
    }

    /// Returns a copy of the reader with another end.
    private func ending(at end: Int) -> BERReader {
        var reader = self
        reader.end = end
        return reader
    }

    private static func checkEndOfContents(_ header: Header, at offset: Int) throws(MalformedReceiptError) {
        guard header.length == 0, !header.isConstructed else {
            throw MalformedReceiptError(.invalidEncoding, at: offset, expected: "end-of-contents of two zero bytes")
        }
    }

    private struct Header {
        var tag: ASN1Tag
        var isConstructed: Bool
        /// `nil` for the indefinite form.
        var length: Int?
    }

    private mutating func readByte(_ expected: String) throws(MalformedReceiptError) -> UInt8 {
        guard position < end else {
            throw MalformedReceiptError(.truncated, at: position, expected: expected, found: "the end")
        }
        defer { position += 1 }
        return source[position]
    }

    /// Reads identifier octets and length octets (X.690, sections 8.1.2 and 8.1.3).
    private mutating func readHeader(_ expected: String) throws(MalformedReceiptError) -> Header {
        let start = position
        let identifier = try readByte(expected)
        let isConstructed = identifier & 0x20 != 0
        var number = UInt32(identifier & 0x1F)
        if number == 0x1F {
            number = try readHighTagNumber()
        }
        let tag = ASN1Tag(tagClass: ASN1Tag.Class(rawValue: identifier >> 6) ?? .universal, number: number)
        let lengthOffset = position
        let first = try readByte("a length")
        if first < 0x80 {
            try checkRoom(for: Int(first), from: start, expected)
            return Header(tag: tag, isConstructed: isConstructed, length: Int(first))
        }
        if first == 0x80 {
            guard rules == .basic, isConstructed else {
                throw MalformedReceiptError(
                    .invalidEncoding, at: lengthOffset, expected: "a definite length", found: "an indefinite one")
            }
            return Header(tag: tag, isConstructed: true, length: nil)
        }
        let length = try readLongLength(octets: Int(first & 0x7F), at: lengthOffset)
        try checkRoom(for: length, from: start, expected)
        return Header(tag: tag, isConstructed: isConstructed, length: length)
    }

    /// Reads a tag number in base 128, without leading zeros, that doesn't fit the first octet (X.690, section
    /// 8.1.2.4).
    private mutating func readHighTagNumber() throws(MalformedReceiptError) -> UInt32 {
        let start = position
        var number: UInt32 = 0
        for index in 0..<4 {
            let byte = try readByte("a tag number")
            guard index > 0 || byte != 0x80 else { break }
            number = number << 7 | UInt32(byte & 0x7F)
            if byte & 0x80 == 0 {
                guard number >= 0x1F else { break }
                return number
            }
        }
        throw MalformedReceiptError(
            .invalidEncoding, at: start, expected: "a tag number between 31 and 2^28 in its shortest form")
    }

    /// Reads a length of several octets (X.690, sections 8.1.3.5 and 10.1). The distinguished rules require the
    /// shortest form.
    private mutating func readLongLength(octets: Int, at offset: Int) throws(MalformedReceiptError) -> Int {
        var length = 0
        for index in 0..<octets {
            let byte = try readByte("a length octet")
            if rules == .distinguished, index == 0, byte == 0 {
                throw MalformedReceiptError(
                    .invalidEncoding, at: offset, expected: "the shortest length", found: "leading zeros")
            }
            guard length <= limits.maximumSize >> 8 else {
                throw MalformedReceiptError(
                    .limitExceeded, at: offset, expected: "a length of at most \(limits.maximumSize) bytes")
            }
            length = length << 8 | Int(byte)
        }
        if octets == 0x7F {
            throw MalformedReceiptError(
                .invalidEncoding, at: offset, expected: "a length", found: "the reserved octet FF")
        }
        if rules == .distinguished, length < 0x80 {
            throw MalformedReceiptError(
                .invalidEncoding, at: offset, expected: "the short form of the length", found: "the long form")
        }
        return length
    }

    private func checkRoom(for length: Int, from start: Int, _ expected: String) throws(MalformedReceiptError) {
        guard length <= end - position else {
            throw MalformedReceiptError(
                .truncated, at: start, expected: "\(expected) with \(length) bytes of content",
                found: "\(end - position) bytes left")
        }
    }

    /// Moves past the end-of-contents octets of the current element, and returns their offset.
    ///
    /// Skips members with a definite length, and enters indefinite members.
    private mutating func skimToEndOfContents() throws(MalformedReceiptError) -> Int {
        var open = 1
        var count = 0
        while true {
            let start = position
            count += 1
            guard count <= limits.maximumCount else {
                throw MalformedReceiptError(
                    .limitExceeded, at: start,
                    expected: "at most \(limits.maximumCount) elements before end-of-contents")
            }
            let header = try readHeader("end-of-contents")
            if header.tag == .endOfContents {
                try BERReader.checkEndOfContents(header, at: start)
                open -= 1
                if open == 0 { return start }
            } else if let length = header.length {
                position += length
            } else {
                open += 1
                guard depth + open <= limits.maximumDepth else {
                    throw MalformedReceiptError(
                        .limitExceeded, at: start, expected: "at most \(limits.maximumDepth) levels of nesting")
                }
            }
        }
    }
}

/// The limits of a reader. Larger input is malformed.
///
/// Real receipts have about twelve levels, about 300 bytes for each purchase, and a few megabytes at most. The limits
/// are well above that, and keep the cost of hostile input proportional to its size.
package struct ASN1Limits: Sendable {
    /// The maximum number of enclosing elements.
    package var maximumDepth: Int
    /// The maximum number of bytes of the input.
    package var maximumSize: Int
    /// The maximum number of members of a SEQUENCE OF or SET OF, of pieces of a string, and of elements before an end
    /// marker.
    package var maximumCount: Int

    package init(maximumDepth: Int = 32, maximumSize: Int = 16 << 20, maximumCount: Int = 65_536) {
        self.maximumDepth = maximumDepth
        self.maximumSize = maximumSize
        self.maximumCount = maximumCount
    }

    /// The limits of certificates and signatures. Apple's certificates have fewer than 2,000 bytes.
    package static let certificate = ASN1Limits(maximumDepth: 24, maximumSize: 64 << 10, maximumCount: 1_000)

    /// Throws an error if an input is too large; `offset` is its start.
    package func check(size: Int, at offset: Int = 0) throws(MalformedReceiptError) {
        guard size <= maximumSize else {
            throw MalformedReceiptError(
                .limitExceeded, at: offset, expected: "at most \(maximumSize) bytes", found: "\(size)")
        }
    }
}

/// The encoding rules of X.690 that a reader requires.
package enum ASN1EncodingRules: Sendable {
    /// Basic encoding rules: lengths may be indefinite or longer than necessary, and strings may consist of pieces.
    case basic
    /// Distinguished encoding rules: one encoding for every value.
    case distinguished
}
