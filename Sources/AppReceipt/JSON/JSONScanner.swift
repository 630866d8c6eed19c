/// Scans a JSON text once and lists its values. Open containers are on the scanner's own stack, so that no text can
/// exhaust the stack of the thread.
struct JSONScanner {
    let bytes: [UInt8]
    let limits: JSONTape.Limits
    private(set) var nodes: [JSONTape.Node] = []
    private var offset = 0
    /// The nodes of the open arrays and objects.
    private var open: [Int] = []

    private enum Expectation {
        case value, firstElement, firstName, name, separator
    }

    init(bytes: [UInt8], limits: JSONTape.Limits) {
        self.bytes = bytes
        self.limits = limits
        nodes.reserveCapacity(min(Self.greatestCount(of: bytes), limits.maximumCount))
    }

    /// Returns an upper bound for the number of values and names: each follows a comma, a colon or the start of a
    /// container. Growing the list needs up to three times its size in memory.
    private static func greatestCount(of bytes: [UInt8]) -> Int {
        bytes.withUnsafeBufferPointer { buffer in
            var count = 1
            var index = 0
            var isInString = false
            while index < buffer.count {
                switch buffer[index] {
                case UInt8(ascii: "\""): isInString.toggle()
                case UInt8(ascii: "\\"): index += 1
                case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"):
                    if !isInString { count += 1 }
                default: break
                }
                index += 1
            }
            return count
        }
    }

    mutating func scan() throws(MalformedReceiptError) {
        var expectation = Expectation.value
        repeat {
            skipSpace()
            switch expectation {
            case .value, .firstElement:
                if expectation == .firstElement, peek == UInt8(ascii: "]") {
                    close()
                    expectation = .separator
                } else {
                    expectation = try scanValue()
                }
            case .firstName, .name:
                if expectation == .firstName, peek == UInt8(ascii: "}") {
                    close()
                    expectation = .separator
                } else {
                    try scanName()
                    expectation = .value
                }
            case .separator:
                expectation = try scanSeparator()
            }
        } while !(open.isEmpty && expectation == .separator)
        skipSpace()
        guard offset == bytes.count else {
            throw MalformedReceiptError(.trailingBytes, at: offset, expected: "the end of the JSON text")
        }
    }

    private var peek: UInt8? {
        offset < bytes.count ? bytes[offset] : nil
    }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    private func unexpected(_ expected: String) -> MalformedReceiptError {
        offset < bytes.count
            ? MalformedReceiptError(.unexpectedElement, at: offset, expected: expected)
            : MalformedReceiptError(.truncated, at: offset, expected: expected, found: "the end")
    }

    private mutating func append(_ kind: JSONTape.Kind, from start: Int, to end: Int, hasEscapes: Bool = false)
        throws(MalformedReceiptError)
    {
        guard nodes.count < limits.maximumCount else {
            throw MalformedReceiptError(.limitExceeded, at: start, expected: "at most \(limits.maximumCount) values")
        }
        nodes.append(
            JSONTape.Node(
                kind: kind, hasEscapes: hasEscapes, start: Int32(clamping: start), end: Int32(clamping: end),
                next: Int32(clamping: nodes.count + 1)))
    }

    private mutating func scanValue() throws(MalformedReceiptError) -> Expectation {
        switch peek {
        case UInt8(ascii: "\""): try scanString()
        case UInt8(ascii: "{"):
            try enter(.object)
            return .firstName
        case UInt8(ascii: "["):
            try enter(.array)
            return .firstElement
        case .some(0x30...0x39), UInt8(ascii: "-"): try scanNumber()
        case UInt8(ascii: "t"): try scanWord("true", .isTrue)
        case UInt8(ascii: "f"): try scanWord("false", .isFalse)
        case UInt8(ascii: "n"): try scanWord("null", .null)
        default: throw unexpected("a JSON value")
        }
        return .separator
    }

    private mutating func enter(_ kind: JSONTape.Kind) throws(MalformedReceiptError) {
        guard open.count < limits.maximumDepth else {
            throw MalformedReceiptError(
                .limitExceeded, at: offset, expected: "at most \(limits.maximumDepth) levels of nesting")
        }
        open.append(nodes.count)
        try append(kind, from: offset, to: offset + 1)
        offset += 1
    }

    private mutating func close() {
        offset += 1
        guard let container = open.popLast() else { return }
        nodes[container].end = Int32(clamping: offset)
        nodes[container].next = Int32(clamping: nodes.count)
    }

    private mutating func scanName() throws(MalformedReceiptError) {
        guard peek == UInt8(ascii: "\"") else { throw unexpected("a name in quotation marks") }
        try scanString(limit: limits.maximumNameLength)
        skipSpace()
        guard peek == UInt8(ascii: ":") else { throw unexpected("a colon after the name") }
        offset += 1
    }

    private mutating func scanSeparator() throws(MalformedReceiptError) -> Expectation {
        guard let container = open.last else { return .separator }
        let isObject = nodes[container].kind == .object
        switch peek {
        case UInt8(ascii: ","):
            offset += 1
            return isObject ? .name : .value
        case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
            close()
            return .separator
        default:
            throw unexpected(isObject ? "a comma or a closing brace" : "a comma or a closing bracket")
        }
    }

    private mutating func scanWord(_ word: StaticString, _ kind: JSONTape.Kind) throws(MalformedReceiptError) {
        let length = word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer { buffer in bytes[offset...].prefix(length).elementsEqual(buffer) }
        guard matches else { throw unexpected("a JSON value") }
        try append(kind, from: offset, to: offset + length)
        offset += length
    }

    /// Scans a number (RFC 8259, section 6): an optional minus, no leading zeros, digits on both sides of the point.
    private mutating func scanNumber() throws(MalformedReceiptError) {
        let start = offset
        if peek == UInt8(ascii: "-") { offset += 1 }
        if peek == UInt8(ascii: "0") {
            offset += 1
        } else {
            try skipDigits()
        }
        if peek == UInt8(ascii: ".") {
            offset += 1
            try skipDigits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            offset += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
            try skipDigits()
        }
        guard offset - start <= limits.maximumNumberLength else {
            throw MalformedReceiptError(
                .limitExceeded, at: start, expected: "a number of at most \(limits.maximumNumberLength) characters")
        }
        try append(.number, from: start, to: offset)
    }

    private mutating func skipDigits() throws(MalformedReceiptError) {
        let start = offset
        while let byte = peek, (0x30...0x39).contains(byte) { offset += 1 }
        guard offset > start else { throw unexpected("a digit") }
    }

    private mutating func scanString(limit: Int? = nil) throws(MalformedReceiptError) {
        offset += 1
        let start = offset
        var hasEscapes = false
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                guard offset - start <= limit ?? .max else {
                    throw MalformedReceiptError(
                        .limitExceeded, at: start, expected: "a name of at most \(limits.maximumNameLength) bytes",
                        found: "a longer one")
                }
                try append(.string, from: start, to: offset, hasEscapes: hasEscapes)
                offset += 1
                return
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                offset += try JSONEscapes.length(in: bytes, at: offset)
            } else if byte >= 0x80 {
                offset += try UTF8Sequence.length(in: bytes, at: offset)
            } else if byte < 0x20 {
                throw MalformedReceiptError(
                    .invalidEncoding, at: offset, expected: "control characters in strings to be escaped")
            } else {
                offset += 1
            }
        }
        throw unexpected("a closing quotation mark")
    }
}
