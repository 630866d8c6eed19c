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
            } else {
                let units = stride(from: offset, to: offset + length, by: 6).compactMap {
                    try? unit(in: source, at: $0)
                }
                result += String(decoding: units, as: UTF16.self).utf8
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

    /// Returns the UTF-16 code unit of the `\uXXXX` at `offset`.
    private static func unit(in bytes: [UInt8], at offset: Int) throws(MalformedReceiptError) -> UInt16 {
        guard offset + 6 <= bytes.count else {
            throw MalformedReceiptError(
                .truncated, at: offset, expected: "\\u and four hexadecimal digits", found: "the end")
        }
        let digits = bytes[(offset + 2)..<(offset + 6)]
        guard bytes[offset...].starts(with: #"\u"#.utf8),
            digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else {
            throw MalformedReceiptError(.invalidEncoding, at: offset, expected: "\\u and four hexadecimal digits")
        }
        return unit
    }
}

/// Well-formed UTF-8 beyond ASCII (RFC 3629, 4).
enum UTF8Sequence {
    /// Returns the length of the sequence at `offset`. Overlong forms, surrogates and values above U+10FFFF are
    /// malformed.
    static func length(in bytes: [UInt8], at offset: Int) throws(MalformedReceiptError) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes[offset...].makeIterator()
        guard case .valid(let sequence) = parser.parseScalar(from: &rest) else {
            throw MalformedReceiptError(.invalidEncoding, at: offset, expected: "well-formed UTF-8")
        }
        return sequence.count
    }
}
