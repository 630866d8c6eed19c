/// Bytes that are not what a receipt, a certificate or a signed transaction has to be.
///
/// The error has the offset and the expectation, so that a damaged file can be told from a file of another
/// kind.
public struct MalformedReceiptError: Error, Hashable, Sendable {
    /// What kind of damage was met.
    public var code: Code { details.value.code }

    /// The offset in bytes, from the first byte of the input, at which the expectation was disappointed.
    public var offset: Int { details.value.offset }

    /// What should have been there, as a noun phrase.
    public var expected: String { details.value.expected }

    /// The actual content, if it is short.
    public var found: String? { details.value.found }

    // A reference is handed on in a register, at each of the many calls that may throw this; seven words are copied
    // there.
    private let details: Shared<Details>

    private struct Details: Hashable, Sendable {
        let code: Code
        let offset: Int
        let expected: String
        let found: String?
    }

    package init(_ code: Code, at offset: Int, expected: String, found: String? = nil) {
        details = Shared(Details(code: code, offset: offset, expected: expected, found: found))
    }

    /// The same error for bytes that begin elsewhere in the input than where they were read.
    package func relocated(by translate: (Int) -> Int) -> MalformedReceiptError {
        MalformedReceiptError(code, at: translate(offset), expected: expected, found: found)
    }
}

extension MalformedReceiptError {
    /// The kind of damage; the set may grow.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable word for logs and for exit reports.
        public let rawValue: String

        /// Creates a code from its stable word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The input ends inside an element.
        public static let truncated = Code(rawValue: "truncated")
        /// An element of another type stands where a certain one has to be.
        public static let unexpectedElement = Code(rawValue: "unexpectedElement")
        /// A tag or a length is encoded in a way the encoding rules forbid.
        public static let invalidEncoding = Code(rawValue: "invalidEncoding")
        /// An element has the right type and an impossible value.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// Bytes follow where the structure ends.
        public static let trailingBytes = Code(rawValue: "trailingBytes")
        /// The input is deeper, longer or more numerous than any real one, and was not read further.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// The structure is sound, but of a kind or version that is not supported.
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
