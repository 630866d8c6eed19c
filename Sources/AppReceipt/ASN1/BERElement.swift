/// One element of BER or DER: a tag and a content, both still where they were found.
package struct BERElement: Sendable {
    package let tag: ASN1Tag
    package let isConstructed: Bool
    /// Whether the end was marked instead of the length given.
    package let isIndefinite: Bool
    /// The whole element, header and end marker included.
    package let encoding: ArraySlice<UInt8>
    private let contentRange: Range<Int>
    package let rules: ASN1EncodingRules
    package let limits: ASN1Limits
    /// The number of elements around this one.
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

    /// The content without header and end marker; for a constructed element the encodings of its members.
    package var content: ArraySlice<UInt8> {
        encoding[contentRange]
    }

    /// Reads the members of a constructed element.
    package func members(_ expected: String) throws(MalformedReceiptError) -> BERReader {
        guard isConstructed else {
            throw MalformedReceiptError(.unexpectedElement, at: offset, expected: "\(expected), constructed", found: "a primitive \(tag)")
        }
        return try BERReader(content, rules: rules, limits: limits, depth: depth + 1)
    }

    /// Reads the element inside an OCTET STRING that is in one piece, as the values of receipt attributes and
    /// certificate extensions are.
    package func wrapped(_ expected: String) throws(MalformedReceiptError) -> BERReader {
        try BERReader(octets(expected), rules: rules, limits: limits, depth: depth + 1)
    }

    /// Calls `body` with every member of a SEQUENCE OF or SET OF, as long as there are no more than `limit` of them.
    package func forEachMember(
        _ expected: String, limit: Int? = nil, _ body: (BERElement) throws(MalformedReceiptError) -> Void
    ) throws(MalformedReceiptError) {
        var members = try members(expected)
        let limit = min(limit ?? limits.maximumCount, limits.maximumCount)
        var count = 0
        while !members.isAtEnd {
            count += 1
            guard count <= limit else {
                throw MalformedReceiptError(.limitExceeded, at: members.offset, expected: "at most \(limit) members of \(expected)")
            }
            try body(members.next(expected))
        }
    }
}

extension BERElement {
    /// The bytes of an OCTET STRING: a slice of the input when it is in one piece, joined pieces otherwise.
    package func octets(_ expected: String) throws(MalformedReceiptError) -> ArraySlice<UInt8> {
        isConstructed ? joined(try octetPieces(expected)) : content
    }

    /// Where in the input the pieces of an OCTET STRING are.
    package func octetPieces(_ expected: String) throws(MalformedReceiptError) -> [Range<Int>] {
        guard isConstructed else { return [content.startIndex..<content.endIndex] }
        guard rules == .basic else {
            throw MalformedReceiptError(.invalidEncoding, at: offset, expected: "\(expected) in one piece", found: "a constructed one")
        }
        return try members(expected).octetPieces(expected)
    }

    /// The bytes of pieces: a slice of the input when there is one.
    package func joined(_ pieces: [Range<Int>]) -> ArraySlice<UInt8> {
        if pieces.count == 1 { return encoding[pieces[0]] }
        var joined: [UInt8] = []
        joined.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { joined += encoding[piece] }
        return joined[...]
    }
}
