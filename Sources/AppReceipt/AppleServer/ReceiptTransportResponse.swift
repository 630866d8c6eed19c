public import Foundation

/// A server's response, not yet trusted.
public struct ReceiptTransportResponse: Sendable, Hashable {
    /// The status of HTTP.
    public var statusCode: Int
    /// The body; it need not be there for another status than 200.
    public var body: Data

    /// Creates a response.
    public init(statusCode: Int, body: Data) {
        self.statusCode = statusCode
        self.body = body
    }
}
