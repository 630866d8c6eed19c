package import Foundation

/// What a server answered to one request, whatever its status.
package struct HTTPAnswer: Sendable {
    /// The status of HTTP.
    package var statusCode: Int
    /// The header fields, by name in lower case.
    package var headers: [String: String]
    /// The body, complete.
    package var body: Data
}
