public import Foundation

/// A server's answer, before anybody has believed it.
public struct ReceiptTransportResponse: Sendable, Hashable {
    /// The status of HTTP.
    public var statusCode: Int
    /// The body; it need not be there for another status than 200.
    public var body: Data

    /// Creates an answer.
    public init(statusCode: Int, body: Data) {
        self.statusCode = statusCode
        self.body = body
    }
}
