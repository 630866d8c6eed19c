/// An error in the encoding of a receipt, a certificate or signed data.
///
/// The offset and the expected content help you tell a damaged file from a file of another kind.
public struct MalformedReceiptError: Error, Hashable, Sendable {
    /// The kind of damage.
    public var code: Code { details.value.code }

    /// The offset of the unexpected content, in bytes from the start of the input.
    public var offset: Int { details.value.offset }

    /// The expected content, as a noun phrase.
    public var expected: String { details.value.expected }

    /// The actual content, if it is short.
    public var found: String? { details.value.found }

    // Typed throws pass the error through many functions, and a reference is cheaper to pass than seven words.
    private let details: Shared<Details>

    private struct Details: Hashable, Sendable {
        let code: Code
        let offset: Int
        let expected: String
        let found: String?
    }

    // Not inlined, because readers create errors in about 150 places.
    @inline(never)
    package init(_ code: Code, at offset: Int, expected: String, found: String? = nil) {
        details = Shared(Details(code: code, offset: offset, expected: expected, found: found))
    }

    /// Returns the error with the offset in an enclosing input.
    package func relocated(by translate: (Int) -> Int) -> MalformedReceiptError {
        MalformedReceiptError(code, at: translate(offset), expected: expected, found: found)
    }
}

extension MalformedReceiptError {
    /// The kinds of damage, an open set.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable string for logs and exit reports.
        public let rawValue: String

        /// Creates a code from its raw value.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The input ends inside an element.
        public static let truncated = Code(rawValue: "truncated")
        /// An element doesn't have the expected type.
        public static let unexpectedElement = Code(rawValue: "unexpectedElement")
        /// The encoding rules don't allow the encoding of a tag or a length.
        public static let invalidEncoding = Code(rawValue: "invalidEncoding")
        /// An element has the expected type but an impossible value.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// The input continues after the end of the structure.
        public static let trailingBytes = Code(rawValue: "trailingBytes")
        /// The input exceeds a limit of size, depth or count and wasn't read further.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// The structure is valid, but its kind or version isn't supported.
        public static let unsupported = Code(rawValue: "unsupported")
    }
}

extension MalformedReceiptError: CustomStringConvertible {
    /// One line with the offset, the expectation and the actual content.
    public var description: String {
        let instead = found.map { ", found \($0)" } ?? ""
        return "\(code.rawValue) at byte \(offset): expected \(expected)\(instead)"
    }
}
