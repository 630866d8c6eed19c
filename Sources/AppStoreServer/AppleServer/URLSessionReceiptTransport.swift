import AppReceipt
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A transport over `URLSession`, with an ephemeral session for each request. It doesn't cache responses or keep
/// cookies.
///
/// A response beyond the limit ends the request immediately. On Linux, `URLSession` can't limit the data rate, so
/// memory may exceed the limit until the cancellation takes effect.
public struct URLSessionReceiptTransport: ReceiptTransport {
    private let client: HTTPClient
    private var readsEverything = false

    /// Creates a transport.
    ///
    /// - Parameter timeout: how long to wait for data from the server, in seconds. A request and its response take at
    ///   most ten times as long.
    public init(timeout: TimeInterval = 30) {
        client = HTTPClient(timeout: timeout, deadline: 10 * timeout)
    }

    /// Creates a transport with custom session configurations, for example for a proxy or protocol classes. A request
    /// and its response take at most `timeoutIntervalForResource`.
    ///
    /// - Parameter configuration: called once for each request, on any thread.
    public init(configuration: @escaping @Sendable () -> URLSessionConfiguration) {
        client = HTTPClient(configuration: configuration)
    }

    /// A transport that reads the body of every response, regardless of the status, and follows redirections to the
    /// same owner.
    package var readingEverything: URLSessionReceiptTransport {
        var copy = self
        copy.readsEverything = true
        return copy
    }

    /// Sends `body`; see ``ReceiptTransport``. A response beyond the limit ends the request before all data has
    /// arrived.
    public func post(_ body: Data, to url: URL, limit: Int) async throws -> ReceiptTransportResponse {
        do {
            return try await response(to: body, from: url, limit)
        } catch is ResponseTooLargeError {
            throw VerifyReceiptError(.responseTooLarge)
        }
    }

    private func response(to body: Data, from url: URL, _ limit: Int) async throws -> ReceiptTransportResponse {
        var response = try await client.send(body, to: url, limit: limit, readsErrors: readsEverything)
        var (place, redirections) = (url, 0)
        // Sends the same body again, which contains the whole request.
        while readsEverything, redirections < 5, let next = response.redirection(from: place),
            Self.isSameOwner(place, next)
        {
            (place, redirections) = (next, redirections + 1)
            response = try await client.send(body, to: place, limit: limit, readsErrors: true)
        }
        return ReceiptTransportResponse(statusCode: response.statusCode, body: response.body)
    }

    /// Returns whether a body for one address may be sent to the other: both are the same server, or both are Apple's.
    static func isSameOwner(_ from: URL, _ to: URL) -> Bool {
        let isSameServer = from.scheme == to.scheme && from.host == to.host && from.port == to.port
        return isSameServer || (isAppleHost(from) && isAppleHost(to))
    }

    private static func isAppleHost(_ url: URL) -> Bool {
        url.scheme == "https" && url.host?.lowercased().hasSuffix(".apple.com") == true
    }
}
