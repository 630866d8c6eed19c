/// An element in BER or DER: a tag and a slice of the input with the content.
package struct BERElement: Sendable {
    package let tag: ASN1Tag
    package let isConstructed: Bool
    /// Whether the element has an end marker instead of a length.
    package let isIndefinite: Bool
    /// The whole element with header and end marker.
    package let encoding: ArraySlice<UInt8>
    private let contentRange: Range<Int>
    package let rules: ASN1EncodingRules
    package let limits: ASN1Limits
    /// The number of enclosing elements.
    package let depth: Int

    init(
        tag: ASN1Tag, isConstructed: Bool, isIndefinite: Bool, source: ArraySlice<UInt8>, contentRange: Range<Int>,
        rules: ASN1EncodingRules, limits: ASN1Limits, depth: Int
    ) {
        self.tag = tag
        self.isConstructed = isConstructed
        self.isIndefinite = isIndefinite
        self.encoding = source
        self.contentRange = contentRange
        self.rules = rules
        self.limits = limits
        self.depth = depth
    }

    /// The offset of the element in the input.
    package var offset: Int {
        encoding.startIndex
    }

    /// The content without header and end marker. For a constructed element, these are the encodings of its members.
    package var content: ArraySlice<UInt8> {
        encoding[contentRange]
    }

    /// Returns a reader of the members of a constructed element.
    package func members(_ expected: String) throws(MalformedReceiptError) -> BERReader {
        guard isConstructed else {
            throw MalformedReceiptError(
                .unexpectedElement, at: offset, expected: "\(expected), constructed", found: "a primitive \(tag)")
        }
        return try BERReader(content, rules: rules, limits: limits, depth: depth + 1)
    }

    /// Reads the only member of a constructed element, which must have `tag`.
    @inline(never)
    package func onlyMember(_ tag: ASN1Tag, _ expected: String) throws(MalformedReceiptError) -> BERElement {
        try members(expected).only(tag, expected)
    }

    /// Returns a reader of the elements inside an OCTET STRING, such as the value of a receipt attribute or a
    /// certificate extension.
    package func wrapped(_ expected: String) throws(MalformedReceiptError) -> BERReader {
        try BERReader(octets(expected), rules: rules, limits: limits, depth: depth + 1)
    }

    /// Calls `body` with every member of a SEQUENCE OF or SET OF with at most `limit` members.
    package func forEachMember(
        _ expected: String, limit: Int? = nil, _ body: (BERElement) throws(MalformedReceiptError) -> Void
    ) throws(MalformedReceiptError) {
        var members = try members(expected)
        let limit = min(limit ?? limits.maximumCount, limits.maximumCount)
        var count = 0
        while !members.isAtEnd {
            count += 1
            guard count <= limit else {
                throw MalformedReceiptError(
                    .limitExceeded, at: members.offset, expected: "at most \(limit) members of \(expected)")
            }
            try body(members.next(expected))
        }
    }
}

extension BERElement {
    /// Returns the bytes of an OCTET STRING: a slice of the input if it is in one piece, otherwise the joined pieces.
    package func octets(_ expected: String) throws(MalformedReceiptError) -> ArraySlice<UInt8> {
        isConstructed ? joined(try octetPieces(expected)) : content
    }

    /// Returns the ranges of an OCTET STRING's pieces in the input.
    package func octetPieces(_ expected: String) throws(MalformedReceiptError) -> [Range<Int>] {
        guard isConstructed else { return [content.startIndex..<content.endIndex] }
        guard rules == .basic else {
            throw MalformedReceiptError(
                .invalidEncoding, at: offset, expected: "\(expected) in one piece", found: "a constructed one")
        }
        return try members(expected).octetPieces(expected)
    }

    /// Returns the joined bytes of pieces: a slice of the input if there is only one.
    package func joined(_ pieces: [Range<Int>]) -> ArraySlice<UInt8> {
        if pieces.count == 1 { return encoding[pieces[0]] }
        var joined: [UInt8] = []
        joined.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { joined += encoding[piece] }
        return joined[...]
    }
}
