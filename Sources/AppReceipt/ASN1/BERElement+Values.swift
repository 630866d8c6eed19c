package import Foundation

extension BERElement {
    private func primitiveContent(_ expected: String) throws(MalformedReceiptError) -> ArraySlice<UInt8> {
        guard !isConstructed else {
            throw MalformedReceiptError(
                .invalidEncoding, at: offset, expected: "\(expected), primitive", found: "a constructed \(tag)")
        }
        return content
    }

    private func require(_ wanted: ASN1Tag, _ expected: String) throws(MalformedReceiptError) {
        guard tag == wanted else {
            throw MalformedReceiptError(
                .unexpectedElement, at: offset, expected: "\(wanted) (\(expected))", found: "\(tag)")
        }
    }

    private func invalid(_ expected: String, _ found: String? = nil) -> MalformedReceiptError {
        MalformedReceiptError(.invalidValue, at: offset, expected: expected, found: found)
    }

    /// Returns the octets of an INTEGER: two's complement, in the shortest form (X.690, section 8.3).
    package func integerOctets(_ expected: String) throws(MalformedReceiptError) -> ArraySlice<UInt8> {
        try require(.integer, expected)
        let octets = try primitiveContent(expected)
        guard let first = octets.first else { throw invalid(expected, "an empty INTEGER") }
        if octets.count > 1 {
            let second = octets[octets.startIndex + 1]
            guard !(first == 0 && second < 0x80), !(first == 0xFF && second >= 0x80) else {
                throw invalid(expected, "an INTEGER with superfluous octets")
            }
        }
        return octets
    }

    /// Returns the value of an INTEGER of at most 64 bits.
    package func integer(_ expected: String) throws(MalformedReceiptError) -> Int64 {
        let octets = try integerOctets(expected)
        guard octets.count <= 8, let first = octets.first else {
            throw invalid(expected, "an INTEGER of \(octets.count) octets")
        }
        var value: Int64 = first >= 0x80 ? -1 : 0
        for octet in octets {
            value = value << 8 | Int64(octet)
        }
        return value
    }

    /// Returns the magnitude of a nonnegative INTEGER without leading zeros.
    package func magnitude(_ expected: String) throws(MalformedReceiptError) -> ArraySlice<UInt8> {
        let octets = try integerOctets(expected)
        guard let first = octets.first, first < 0x80 else { throw invalid(expected, "a negative INTEGER") }
        return octets.drop { $0 == 0 }
    }

    /// Returns the value of a BOOLEAN. The distinguished rules allow 00 and FF only; the basic rules allow any octet
    /// for true except 00 (X.690, sections 8.2 and 11.1).
    package func boolean(_ expected: String) throws(MalformedReceiptError) -> Bool {
        try require(.boolean, expected)
        let octets = try primitiveContent(expected)
        guard octets.count == 1, let octet = octets.first else {
            throw invalid(expected, "a BOOLEAN of \(octets.count) octets")
        }
        guard rules == .basic || octet == 0 || octet == 0xFF else {
            throw invalid(expected, "a BOOLEAN that is neither 00 nor FF")
        }
        return octet != 0
    }

    /// Returns the octets of a BIT STRING without unused bits, such as a key or a signature.
    package func wholeOctetBitString(_ expected: String) throws(MalformedReceiptError) -> ArraySlice<UInt8> {
        let bits = try bitString(expected)
        guard bits.unusedBits == 0 else { throw invalid(expected, "\(bits.unusedBits) unused bits") }
        return bits.octets
    }

    /// Returns the octets of a BIT STRING and the number of unused bits in the last octet (X.690, sections 8.6 and
    /// 11.2).
    package func bitString(_ expected: String) throws(MalformedReceiptError) -> (
        octets: ArraySlice<UInt8>, unusedBits: Int
    ) {
        try require(.bitString, expected)
        let content = try primitiveContent(expected)
        guard let unused = content.first, unused < 8, content.count > 1 || unused == 0 else {
            throw invalid(expected, "a BIT STRING without a count of unused bits below eight")
        }
        if rules == .distinguished, let last = content.dropFirst().last, last & (1 << unused &- 1) != 0 {
            throw invalid(expected, "unused bits that are not zero")
        }
        return (content.dropFirst(), Int(unused))
    }

    package func objectIdentifier(_ expected: String) throws(MalformedReceiptError) -> ASN1ObjectIdentifier {
        try require(.objectIdentifier, expected)
        guard let identifier = ASN1ObjectIdentifier(content: try primitiveContent(expected)) else {
            throw invalid(expected, "an OBJECT IDENTIFIER that is empty, cut off or padded")
        }
        return identifier
    }

    /// Returns the text of a UTF8String, IA5String, PrintableString or VisibleString, in one or several pieces.
    package func string(_ expected: String) throws(MalformedReceiptError) -> String {
        let octets: ArraySlice<UInt8>
        switch tag {
        case .utf8String: octets = try self.octets(expected)
        case .ia5String, .printableString, .visibleString:
            octets = try self.octets(expected)
            guard octets.allSatisfy({ $0 < 0x80 }) else { throw invalid(expected, "\(tag) with octets above 7F") }
        default:
            throw MalformedReceiptError(
                .unexpectedElement, at: offset, expected: "a character string (\(expected))", found: "\(tag)")
        }
        // Decodes with repair and compares, because the validating initializer isn't available on the deployment
        // targets.
        let text = String(decoding: octets, as: UTF8.self)
        guard text.utf8.elementsEqual(octets) else { throw invalid(expected, "octets that are not UTF-8") }
        return text
    }
}

extension BERElement {
    /// Returns the date of a UTCTime or GeneralizedTime in the format of certificates and signatures.
    ///
    /// RFC 5280, section 4.1.2.5: UTC with seconds and without fractions. Two-digit years of 50 or more belong to the
    /// twentieth century.
    package func time(_ expected: String) throws(MalformedReceiptError) -> Date {
        let yearDigits: Int
        switch tag {
        case .utcTime: yearDigits = 2
        case .generalizedTime: yearDigits = 4
        default:
            throw MalformedReceiptError(
                .unexpectedElement, at: offset, expected: "UTCTime or GeneralizedTime (\(expected))", found: "\(tag)")
        }
        guard !isConstructed, let date = BERElement.date(content, yearDigits: yearDigits) else {
            throw MalformedReceiptError(
                .invalidValue, at: offset, expected: "\(expected) as \(yearDigits == 2 ? "YY" : "YYYY")MMDDhhmmssZ")
        }
        return date
    }

    private static func date(_ text: ArraySlice<UInt8>, yearDigits: Int) -> Date? {
        var scanner = DigitScanner(text)
        guard let year = scanner.number(yearDigits), let month = scanner.number(2), let day = scanner.number(2),
            let hour = scanner.number(2), let minute = scanner.number(2), let second = scanner.number(2),
            scanner.character("Z") != nil,
            scanner.isAtEnd
        else { return nil }
        let century = yearDigits == 4 ? 0 : year < 50 ? 2000 : 1900
        return CalendarInstant(year: century + year, month: month, day: day, hour: hour, minute: minute, second: second)
            .date
    }
}
