package import Foundation

/// A server's response with any status.
package struct HTTPResponse: Sendable {
    /// The HTTP status.
    package var statusCode: Int
    /// The header fields by lowercase name.
    package var headers: [String: String]
    /// The complete body.
    package var body: Data

    /// Returns the address of a redirection.
    package func redirection(from url: URL) -> URL? {
        guard (300...399).contains(statusCode), let location = headers["location"] else { return nil }
        return URL(string: location, relativeTo: url)?.absoluteURL
    }
}

/// A response exceeds its size limit.
package struct ResponseTooLargeError: Error {
    package init() {}
}
