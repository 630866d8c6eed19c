import Foundation

/// The meaning of a response for the purchases that were sent. ``HTTPDeliveryConvention`` has the table.
enum HTTPDeliveryVerdict: Sendable, Hashable {
    case accepted
    /// The app's server rejects the purchases, with a message for people if it has one.
    case rejected(message: String?)
    /// The app's server requests another attempt, optionally after a number of seconds and with a message for people.
    case retryRequested(after: TimeInterval?, message: String?)
    /// The response may not be from your server, or can't be understood.
    case undecided
    /// A verdict for each purchase, by its delivery key. The others are undecided.
    indirect case each([String: HTTPDeliveryVerdict])

    /// - Parameter contentType: The media type in lower case, without parameters.
    init(statusCode: Int, contentType: String?, body: Data, convention: HTTPDeliveryConvention) {
        let isSuccess = (200..<300).contains(statusCode)
        let text = HTTPResponseText(body)
        guard !text.isBlank else {
            self = isSuccess && convention.acceptsAnySuccess ? .accepted : .undecided
            return
        }
        guard contentType.map(HTTPResponseText.isJSON) ?? true, let reply = text.reply else {
            self = .undecided
            return
        }
        if let decisions = reply.decisions {
            self = .each(decisions.mapValues { Self($0, isSuccess: isSuccess) ?? .undecided })
        } else if let verdict = Self(reply, isSuccess: isSuccess) {
            self = verdict
        } else if isSuccess {
            self = convention.accepts(reply, text) ? .accepted : .undecided
        } else {
            let refuses = convention == .locSubscription && Self.isAboutPurchase(statusCode)
            self = refuses && reply.message != nil ? .rejected(message: reply.message) : .undecided
        }
    }

    /// Creates the verdict of an object with a decision; `nil` for one without.
    private init?(_ reply: HTTPServerReply, isSuccess: Bool) {
        switch reply.decision {
        case .rejected: self = .rejected(message: reply.message)
        case .retryLater: self = .retryRequested(after: reply.retryAfter, message: reply.message)
        case .accepted: self = isSuccess ? .accepted : .undecided
        case .unknown: self = .undecided
        case nil: return nil
        }
    }

    /// The verdict on one purchase.
    func verdict(on key: String) -> HTTPDeliveryVerdict {
        guard case .each(let verdicts) = self else { return self }
        return verdicts[key] ?? .undecided
    }

    /// Returns whether a client error can be about the purchases. Other errors are about the request, or were sent
    /// before the server read the purchases.
    private static func isAboutPurchase(_ statusCode: Int) -> Bool {
        switch statusCode {
        case 401, 404, 405, 407, 408, 425, 429: false
        case 400..<500: true
        default: false
        }
    }
}

extension HTTPDeliveryConvention {
    fileprivate var acceptsAnySuccess: Bool { self == .anySuccess || self == .locSubscription }

    /// Returns whether a successful response without a decision accepts the purchases.
    fileprivate func accepts(_ reply: HTTPServerReply, _ text: HTTPResponseText) -> Bool {
        switch self {
        case .decisionField: false
        case .field(let name, let values): text.field(name).map(values.contains) ?? false
        case .anySuccess, .locSubscription: !reply.reportsError
        }
    }
}

/// The body of a response. Only the parts that a decision needs are read.
struct HTTPResponseText: Sendable {
    private let bytes: Data

    init(_ body: Data) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        bytes = body.starts(with: byteOrderMark) ? body.dropFirst(byteOrderMark.count) : body
    }

    /// Whether the body is empty or white space, as JSON defines it (RFC 8259, 2).
    var isBlank: Bool { bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

    /// The decoded JSON; `nil` if the body isn't JSON in UTF-8.
    var reply: HTTPServerReply? { decoded() }

    /// The value of a field of the object, as a text; `nil` if it isn't a text or a truth value.
    func field(_ name: String) -> String? {
        let fields: [String: ServerText]? = decoded()
        return fields?[name]?.text
    }

    private func decoded<Value: Decodable>() -> Value? {
        // A decoder doesn't check all of the text, and accepts other encodings.
        guard let text = String(data: bytes, encoding: .utf8) else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    /// A text, or a truth value as a text. Any JSON can be decoded.
    private struct ServerText: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = (try? value.decode(String.self)) ?? (try? value.decode(Bool.self)).map { "\($0)" }
        }
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
        /// Any other decision.
        case unknown
    }

    private enum Key: String, CodingKey {
        case decision, decisions, retryAfter, message, detail, title, error, errors, errorMessage, success
    }

    /// `nil` if the object has no decision.
    var decision: Decision?
    /// The decisions by delivery key; `nil` if the object has none.
    var decisions: [String: HTTPServerReply]?
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
        if members.contains(.decisions), (try? members.decodeNil(forKey: .decisions)) != true {
            decisions = (try? members.decode([String: HTTPServerReply].self, forKey: .decisions)) ?? [:]
        }
        retryAfter = (try? members.decode(Double.self, forKey: .retryAfter)).flatMap {
            $0 > 0 && $0.isFinite ? $0 : nil
        }
        for key in [Key.message, .detail, .title] where message == nil {
            message = (try? members.decode(String.self, forKey: key)).flatMap(Self.forPeople)
        }
        let isFailure = (try? members.decode(Bool.self, forKey: .success)) == false
        reportsError = isFailure || [Key.error, .errors, .errorMessage].contains { Self.says(members, $0) }
    }

    /// The members of an object; `nil` if the value isn't an object. Throws if the names can't be read, because the
    /// object might contain a decision.
    private static func members(of decoder: any Decoder) throws -> KeyedDecodingContainer<Key>? {
        do {
            return try decoder.container(keyedBy: Key.self)
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
            return nil
        }
    }

    /// Returns whether the member exists and is neither `null` nor `false` nor empty.
    private static func says(_ members: KeyedDecodingContainer<Key>, _ key: Key) -> Bool {
        guard members.contains(key), (try? members.decodeNil(forKey: key)) == false else { return false }
        if let flag = try? members.decode(Bool.self, forKey: key) { return flag }
        if let text = try? members.decode(String.self, forKey: key) { return !text.isEmpty }
        if let list = try? members.nestedUnkeyedContainer(forKey: key) { return !list.isAtEnd }
        if let object = try? members.nestedContainer(keyedBy: AnyKey.self, forKey: key) {
            return !object.allKeys.isEmpty
        }
        return true
    }

    /// Returns the text on one line without control characters; `nil` if nothing is left.
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
