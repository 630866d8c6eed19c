public import Foundation

/// What the server answered.
public struct HTTPDeliveryAnswer: Sendable, Hashable {
    /// The status of HTTP.
    public let statusCode: Int
    /// The header fields, by name in lower case.
    public let headers: [String: String]
    /// The body, complete.
    public let body: Data

    /// Describes an answer.
    public init(statusCode: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.statusCode = statusCode
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        self.body = body
    }

    /// What the answer usually means.
    ///
    /// - 2xx: accepted.
    /// - 4xx with a ``message``: the server knows the receipt, and refuses it for good.
    /// - 401, 404, 405, 407, 408, 425 and 429, which are said of the request before anybody has looked at the receipt, 4xx
    ///   without a message, and everything else: to be tried again, after ``retryAfter(now:)``.
    ///
    /// - Parameter now: What a date in `Retry-After` is measured against.
    public func decision(at now: Date = Date()) -> DeliveryDecision {
        switch statusCode {
        case 200..<300: return .accepted
        case 401, 404, 405, 407, 408, 425, 429: break
        case 400..<500:
            if let message { return .rejected(reason: message) }
        default: break
        }
        return .retryLater(after: retryAfter(now: now))
    }

    /// The text for people in a JSON body: its `message`, or `detail` or `title` (RFC 9457); `nil` when there is none.
    ///
    /// At most 1,000 characters; line breaks and other control characters are spaces.
    public var message: String? {
        guard let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any] else { return nil }
        for key in ["message", "detail", "title"] {
            guard let text = object[key] as? String else { continue }
            let scalars = text.unicodeScalars.prefix(4_000).map { scalar in
                scalar.properties.generalCategory == .control ? " " : scalar
            }
            let clean = String(String.UnicodeScalarView(scalars)).trimmingCharacters(in: .whitespacesAndNewlines)
            if !clean.isEmpty { return String(clean.prefix(1_000)) }
        }
        return nil
    }

    /// The seconds that `Retry-After` asks to wait, a number or a date (RFC 9110, 10.2.3); `nil` when there is none, it cannot
    /// be read, or its time has come.
    public func retryAfter(now: Date = Date()) -> TimeInterval? {
        guard let text = headers["retry-after"]?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        let seconds: TimeInterval?
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            seconds = TimeInterval(text)
        } else {
            seconds = Self.date(text)?.timeIntervalSince(now)
        }
        return seconds.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
    }

    /// A date in one of HTTP's three formats (RFC 9110, 5.6.7): the one in use, and two that are obsolete and still to be read.
    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for format in ["EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy"] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
