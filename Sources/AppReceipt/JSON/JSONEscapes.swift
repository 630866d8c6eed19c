/// The escapes in JSON's strings (RFC 8259, 7).
enum JSONEscapes {
    /// Returns the length of the escape at `offset`. A pair of surrogates is one escape.
    static func length(in bytes: [UInt8], at offset: Int) throws(MalformedReceiptError) -> Int {
        guard offset + 1 < bytes.count else {
            throw MalformedReceiptError(
                .truncated, at: offset, expected: "a character after the backslash", found: "the end")
        }
        guard bytes[offset + 1] == UInt8(ascii: "u") else {
            guard simple(bytes[offset + 1]) != nil else {
                throw MalformedReceiptError(.invalidEncoding, at: offset, expected: "an escape of RFC 8259")
            }
            return 2
        }
        let first = try unit(in: bytes, at: offset)
        switch first {
        case 0xD800...0xDBFF:
            guard let second = try? unit(in: bytes, at: offset + 6), (0xDC00...0xDFFF).contains(second) else {
                throw MalformedReceiptError(
                    .invalidEncoding, at: offset, expected: "a high surrogate followed by a low one")
            }
            return 12
        case 0xDC00...0xDFFF:
            throw MalformedReceiptError(
                .invalidEncoding, at: offset, expected: "a low surrogate only behind a high one")
        default:
            return 6
        }
    }

    /// Returns the bytes of a string with resolved escapes. Invalid escapes stay unchanged.
    static func resolved(_ source: ArraySlice<UInt8>) -> [UInt8] {
        let source = Array(source)
        var result: [UInt8] = []
        result.reserveCapacity(source.count)
        var offset = 0
        while offset < source.count {
            guard source[offset] == UInt8(ascii: "\\"), let length = try? length(in: source, at: offset) else {
                result.append(source[offset])
                offset += 1
                continue
            }
            if length == 2, let byte = simple(source[offset + 1]) {
                result.append(byte)
            } else if let scalar = scalar(in: source, at: offset, length: length) {
                result.append(contentsOf: String(Character(scalar)).utf8)
            }
            offset += length
        }
        return result
    }

    private static func simple(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    private static func scalar(in bytes: [UInt8], at offset: Int, length: Int) -> Unicode.Scalar? {
        guard let first = try? unit(in: bytes, at: offset) else { return nil }
        guard length == 12 else { return Unicode.Scalar(first) }
        guard let second = try? unit(in: bytes, at: offset + 6) else { return nil }
        return Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
    }

    /// Returns the UTF-16 code unit of the `\uXXXX` at `offset`.
    private static func unit(in bytes: [UInt8], at offset: Int) throws(MalformedReceiptError) -> UInt16 {
        guard offset + 6 <= bytes.count else {
            throw MalformedReceiptError(
                .truncated, at: offset, expected: "\\u and four hexadecimal digits", found: "the end")
        }
        guard bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u") else {
            throw MalformedReceiptError(.invalidEncoding, at: offset, expected: "\\u and four hexadecimal digits")
        }
        var unit: UInt16 = 0
        for byte in bytes[(offset + 2)..<(offset + 6)] {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default:
                throw MalformedReceiptError(.invalidEncoding, at: offset, expected: "\\u and four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}

/// Well-formed UTF-8 beyond ASCII (RFC 3629, 4).
enum UTF8Sequence {
    /// Returns the length of the sequence at `offset`. Overlong forms, surrogates and values above U+10FFFF are
    /// malformed.
    static func length(in bytes: [UInt8], at offset: Int) throws(MalformedReceiptError) -> Int {
        let length: Int
        // The second byte determines whether a sequence is overlong, a surrogate or too large.
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
