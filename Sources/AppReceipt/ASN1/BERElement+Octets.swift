extension BERElement {
    /// The bytes of an OCTET STRING: a slice of the input when it is in one piece, joined pieces otherwise.
    package func octets(_ expected: String) throws(MalformedReceiptError) -> ArraySlice<UInt8> {
        guard isConstructed else { return content }
        let pieces = try octetPieces(expected)
        if pieces.count == 1 { return encoding[pieces[0]] }
        var joined: [UInt8] = []
        joined.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
        for piece in pieces {
            joined += encoding[piece]
        }
        return joined[...]
    }

    /// Where in the input the pieces of an OCTET STRING are (X.690, 8.7.3: the pieces of a constructed one are OCTET STRINGs themselves).
    package func octetPieces(_ expected: String) throws(MalformedReceiptError) -> [Range<Int>] {
        guard isConstructed else { return [content.startIndex..<content.endIndex] }
        guard rules == .basic else {
            throw MalformedReceiptError(.invalidEncoding, at: offset, expected: "\(expected) in one piece", found: "a constructed one")
        }
        var pieces: [Range<Int>] = []
        try collectPieces(expected, into: &pieces)
        return pieces
    }

    private func collectPieces(_ expected: String, into pieces: inout [Range<Int>]) throws(MalformedReceiptError) {
        guard isConstructed else {
            pieces.append(content.startIndex..<content.endIndex)
            return
        }
        var members = try members(expected)
        while !members.isAtEnd {
            try members.next(.octetString, "a piece of \(expected)").collectPieces(expected, into: &pieces)
            guard pieces.count <= limits.maximumCount else {
                throw MalformedReceiptError(.limitExceeded, at: offset, expected: "at most \(limits.maximumCount) pieces of \(expected)")
            }
        }
    }
}
