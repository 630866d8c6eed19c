import Foundation

/// The meaning of a response for the purchases that were sent. ``HTTPDeliveryConvention`` has the table.
enum HTTPDeliveryVerdict: Sendable, Hashable {
    case accepted
    /// The app's server refuses for good, with a text for people if there is one.
    case rejected(message: String?)
    /// The app's server asks for another attempt, after so many seconds and with a text for people if it gives them.
    case retryRequested(after: TimeInterval?, message: String?)
    /// The response may not be from your server, or can't be understood.
    case undecided

    /// - Parameter contentType: The media type in lower case, without parameters.
    init(statusCode: Int, contentType: String?, body: Data, convention: HTTPDeliveryConvention) {
        let isSuccess = (200..<300).contains(statusCode)
        let text = HTTPResponseText(body)
        guard !text.isBlank else {
            self = isSuccess ? .accepted : .undecided
            return
        }
        guard contentType.map(HTTPResponseText.isJSON) ?? true, let reply = text.reply else {
            self = .undecided
            return
        }
        switch reply.decision {
        case .rejected: self = .rejected(message: reply.message)
        case .retryLater: self = .retryRequested(after: reply.retryAfter, message: reply.message)
        case .accepted: self = isSuccess ? .accepted : .undecided
        case .unknown: self = .undecided
        case nil where isSuccess: self = reply.reportsError ? .undecided : .accepted
        case nil:
            let refuses = convention == .locSubscription && Self.isAboutPurchase(statusCode)
            self = refuses && reply.message != nil ? .rejected(message: reply.message) : .undecided
        }
    }

    /// Whether a client error can be about the purchases. Other errors are about the request, or mean that it wasn't
    /// read at it.
    private static func isAboutPurchase(_ statusCode: Int) -> Bool {
        switch statusCode {
        case 401, 404, 405, 407, 408, 425, 429: false
        case 400..<500: true
        default: false
        }
    }
}

/// The body of a response, read no further than a decision needs.
struct HTTPResponseText: Sendable {
    private let bytes: Data

    init(_ body: Data) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        bytes = body.starts(with: byteOrderMark) ? body.dropFirst(byteOrderMark.count) : body
    }

    /// Whether there is nothing but white space, as JSON has it (RFC 8259, 2).
    var isBlank: Bool { bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

    /// The JSON; `nil` when it is none, or not in UTF-8.
    var reply: HTTPServerReply? {
        // A decoder looks at a text only where it is asked to, and guesses other encodings.
        guard let text = String(data: bytes, encoding: .utf8) else { return nil }
        return try? JSONDecoder().decode(HTTPServerReply.self, from: Data(text.utf8))
    }

    static func isJSON(_ contentType: String) -> Bool {
        contentType == "application/json" || contentType == "text/json"
            || (contentType.hasSuffix("+json") && contentType.contains("/"))
    }
}

/// The members of a server's JSON that decide something. Any JSON can be decoded; a value that isn't an object has no
/// members.
struct HTTPServerReply: Decodable, Sendable {
    enum Decision: String, Sendable {
        case accepted, rejected, retryLater
        /// There is a decision, but it is none of these.
        case unknown
    }

    private enum Key: String, CodingKey {
        case decision, retryAfter, message, detail, title, error, errors, errorMessage, success
    }

    /// `nil` when none is named.
    var decision: Decision?
    /// In seconds, above 0.
    var retryAfter: TimeInterval?
    /// For people: one line, at most 1,000 characters.
    var message: String?
    var reportsError = false

    init(from decoder: any Decoder) throws {
        guard let members = try Self.members(of: decoder) else {
            reportsError = (try? decoder.singleValueContainer().decode(Bool.self)) == false
            return
        }
        if members.contains(.decision) {
            decision = (try? members.decode(String.self, forKey: .decision)).flatMap(Decision.init) ?? .unknown
        }
        retryAfter = (try? members.decode(Double.self, forKey: .retryAfter)).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        for key in [Key.message, .detail, .title] where message == nil {
            message = (try? members.decode(String.self, forKey: key)).flatMap(Self.forPeople)
        }
        let isFailure = (try? members.decode(Bool.self, forKey: .success)) == false
        reportsError = isFailure || [Key.error, .errors, .errorMessage].contains { Self.says(members, $0) }
    }

    /// The members of an object; `nil` if the value isn't an object. An object whose names cannot be read is an error:
    /// it might say anything.
    private static func members(of decoder: any Decoder) throws -> KeyedDecodingContainer<Key>? {
        do {
            return try decoder.container(keyedBy: Key.self)
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
            return nil
        }
    }

    /// Whether the member is there and neither `null` nor `false` nor empty.
    private static func says(_ members: KeyedDecodingContainer<Key>, _ key: Key) -> Bool {
        guard members.contains(key), (try? members.decodeNil(forKey: key)) == false else { return false }
        if let flag = try? members.decode(Bool.self, forKey: key) { return flag }
        if let text = try? members.decode(String.self, forKey: key) { return !text.isEmpty }
        if let list = try? members.nestedUnkeyedContainer(forKey: key) { return !list.isAtEnd }
        if let object = try? members.nestedContainer(keyedBy: AnyKey.self, forKey: key) { return !object.allKeys.isEmpty }
        return true
    }

    /// The text on one line that commands no terminal; `nil` when nothing is left of it.
    private static func forPeople(_ text: String) -> String? {
        // Scalars are limited too: a single character may have any number of them.
        let scalars = text.unicodeScalars.prefix(4_000).map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        let line = String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespacesAndNewlines)
        return line.isEmpty ? nil : String(line.prefix(1_000))
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
