/// Well-formed UTF-8 beyond ASCII (RFC 3629, 4).
enum UTF8Sequence {
    /// The length of the sequence at `offset`; overlong forms, surrogates and values above U+10FFFF are malformed.
    static func length(in bytes: [UInt8], at offset: Int) throws(MalformedReceiptError) -> Int {
        let length: Int
        // The second byte alone decides whether a sequence is overlong, a surrogate or too large.
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch offset < bytes.count ? bytes[offset] : 0 {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: length = 3
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw malformed(offset)
        }
        guard offset + length <= bytes.count, second.contains(bytes[offset + 1]),
            bytes[(offset + 2)..<(offset + length)].allSatisfy({ (0x80...0xBF).contains($0) })
        else { throw malformed(offset) }
        return length
    }

    private static func malformed(_ offset: Int) -> MalformedReceiptError {
        MalformedReceiptError(.invalidEncoding, at: offset, expected: "well-formed UTF-8")
    }
}
