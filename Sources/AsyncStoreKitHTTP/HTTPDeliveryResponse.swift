public import AsyncStoreKit
public import Foundation

/// A server's response to a delivery.
public struct HTTPDeliveryResponse: Sendable, Hashable {
    /// The HTTP status code.
    public let statusCode: Int
    /// The header fields, by name in lower case.
    public let headers: [String: String]
    /// The complete body.
    public let body: Data

    /// Creates a response, for instance to test a decision of your own.
    ///
    /// The names of header fields may be in any case. If two differ only in case, one of them is kept.
    public init(statusCode: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.statusCode = statusCode
        self.headers = Dictionary(
            headers.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        self.body = body
    }

    /// The media type of the body in lower case, without parameters such as `charset`; `nil` if the server sent none.
    public var contentType: String? {
        let type = headers["content-type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
        return type.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the decision about the purchases that were sent.
    ///
    /// Gateways, firewalls, captive portals and web servers can respond instead of your server, even with status 200.
    /// Only a `decision` accepts or rejects a paid purchase. The first matching row applies:
    ///
    /// | Body | Status | Meaning |
    /// |---|---|---|
    /// | an object with `decisions` | any | for each purchase, the object with its delivery key in `decisions`, read by the rows below; a purchase that isn't named is tried again |
    /// | an object with `"decision": "accepted"` | 200 to 299 | accepted |
    /// | an object with `"decision": "rejected"` | 200 to 499 | rejected, with the object's message |
    /// | an object with `"decision": "retryLater"` | any | tried again, after `"retryAfter"` seconds if it has them |
    /// | anything else: an empty body, `text/html` and other types, another object, a name that occurs twice in an object | any | tried again |
    ///
    /// - A body is read if its content type is missing, `application/json`, `text/json` or one that ends in `+json`
    ///   (RFC 6839). The text is UTF-8 (RFC 8259, 8.1), with or without a byte order mark.
    /// - 409 and 422, which middleware sends for an `Idempotency-Key` in use or with another body, decide nothing
    ///   without a decision. After 422, the next request has another key.
    /// - After 413 without a decision, the purchases are sent again at once in two requests. A single purchase is tried
    ///   again later.
    /// - A delivery that is tried again without `"retryAfter"` waits as long as the header field `Retry-After` asks, or
    ///   else for a pause that grows with each attempt.
    /// - Parameter now: The current date. A date in `Retry-After` is relative to it.
    public func decision(at now: Date = Date()) -> DeliveryDecision {
        let header = retryAfter(now: now)
        guard let keys = reply?.decisions?.keys else { return decision(for: "", at: now) ?? .retryLater(after: header) }
        return .each(
            Dictionary(
                uniqueKeysWithValues: keys.map { ($0, decision(for: $0, at: now) ?? .retryLater(after: header)) })
        )
    }

    /// Returns the decision about a purchase; `nil` if the response doesn't decide.
    func decision(for key: String, at now: Date = Date()) -> DeliveryDecision? {
        reply?.decision(for: key, statusCode: statusCode, header: retryAfter(now: now))
    }

    private var reply: HTTPDeliveryReply? {
        let isJSON = contentType.map { type in
            ["application/json", "text/json"].contains(type) || (type.hasSuffix("+json") && type.contains("/"))
        }
        return isJSON ?? true ? HTTPDeliveryReply(body) : nil
    }

    /// The message for people in a JSON body: the first text that isn't empty among `message`, `detail` and `title`
    /// (RFC 9457); `nil` without one of these.
    ///
    /// At most 1,000 characters; line breaks and other control characters are replaced by spaces.
    public var message: String? { HTTPDeliveryReply(body)?.message }

    /// Returns the pause that `Retry-After` requests, in seconds, from a number or a date (RFC 9110, 10.2.3). `nil` if
    /// the header is missing or unreadable, or its time has passed.
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

    /// Returns a date in one of HTTP's three formats (RFC 9110, 5.6.7): the current one, and two obsolete ones.
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

    /// The status and the content type, for a log. Only a content type that is a media type of a known kind is
    /// included, because a server can repeat anything in the field.
    var summary: String {
        guard let contentType else { return "HTTP \(statusCode), no content type" }
        let isKnown = ["application/", "text/"].contains { contentType.hasPrefix($0) } && contentType.count <= 40
        let isMediaType = isKnown && contentType.utf8.allSatisfy { "/+-.abcdefghijklmnopqrstuvwxyz".utf8.contains($0) }
        return "HTTP \(statusCode), \(isMediaType ? contentType : "an unusual content type")"
    }
}
