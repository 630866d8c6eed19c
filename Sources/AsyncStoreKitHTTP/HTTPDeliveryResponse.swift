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
    /// - Parameters:
    ///   - convention: Which responses accept or reject; ``HTTPDeliveryConvention`` has the table.
    ///   - now: The current date. A date in `Retry-After` is relative to it.
    public func decision(
        by convention: HTTPDeliveryConvention = .decisionField, at now: Date = Date()
    ) -> DeliveryDecision {
        decision(for: verdict(by: convention), at: now)
    }

    private func decision(for verdict: HTTPDeliveryVerdict, at now: Date) -> DeliveryDecision {
        switch verdict {
        case .each(let verdicts): .each(verdicts.mapValues { decision(for: $0, at: now) })
        case .accepted: .accepted
        case .rejected(let message):
            .rejected(reason: message ?? "The app's server refused the purchase without a reason.")
        case .retryRequested(let seconds, let message):
            .retryLater(after: seconds ?? retryAfter(now: now), reason: message)
        case .undecided: .retryLater(after: retryAfter(now: now))
        }
    }

    func verdict(by convention: HTTPDeliveryConvention) -> HTTPDeliveryVerdict {
        HTTPDeliveryVerdict(statusCode: statusCode, contentType: contentType, body: body, convention: convention)
    }

    /// The message for people in a JSON body: its `message`, `detail` or `title` (RFC 9457); `nil` without one of
    /// these.
    ///
    /// At most 1,000 characters; line breaks and other control characters are replaced by spaces.
    public var message: String? { HTTPResponseText(body).reply?.message }

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

    /// The status and the content type, for a log. The content type is included only if it is a media type (RFC 9110,
    /// 8.3.1).
    var summary: String {
        guard let contentType else { return "HTTP \(statusCode), no content type" }
        let isMediaType = contentType.count <= 100 && contentType.utf8.allSatisfy(Self.isMediaTypeByte)
        return "HTTP \(statusCode), \(isMediaType ? contentType : "a content type that cannot be read")"
    }

    private static func isMediaTypeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "/!#$&^_.+-".utf8.contains(byte)
        }
    }
}
