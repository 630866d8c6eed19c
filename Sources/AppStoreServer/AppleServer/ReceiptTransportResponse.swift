import AppReceipt
public import Foundation

/// An unverified response from a server.
public struct ReceiptTransportResponse: Sendable, Hashable {
    /// The HTTP status.
    public var statusCode: Int
    /// The body, which may be empty for statuses other than 200.
    public var body: Data

    /// Creates a response.
    public init(statusCode: Int, body: Data) {
        self.statusCode = statusCode
        self.body = body
    }
}
