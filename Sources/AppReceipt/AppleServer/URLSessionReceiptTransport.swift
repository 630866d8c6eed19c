public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends over `URLSession`, one ephemeral session for each request: nothing is cached, no cookie is kept.
///
/// A response beyond the limit ends the request at once. On Linux `URLSession` cannot be told to slow down, so a server
/// that floods the connection may have more than the limit in memory until the cancellation has reached it.
public struct URLSessionReceiptTransport: ReceiptTransport {
    private let configuration: @Sendable () -> URLSessionConfiguration
    private var readsEverything = false

    /// Creates a transport.
    ///
    /// - Parameter timeout: how long to wait for a server that sends nothing, in seconds.
    public init(timeout: TimeInterval = 30) {
        self.init {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = timeout
            return configuration
        }
    }

    /// Creates a transport whose sessions are configured by the caller, for a proxy or protocol classes.
    ///
    /// - Parameter configuration: called once for each request, on any thread.
    public init(configuration: @escaping @Sendable () -> URLSessionConfiguration) {
        self.configuration = configuration
    }

    /// The same, which reads the body of every response, whatever its status, and follows redirections to where the
    /// request may go.
    package var readingEverything: URLSessionReceiptTransport {
        var copy = self
        copy.readsEverything = true
        return copy
    }

    /// Sends `body`; see ``ReceiptTransport``. A response beyond the limit is cut off as soon as it is, not when it has
    /// all come.
    public func post(_ body: Data, to url: URL, limit: Int) async throws -> ReceiptTransportResponse {
        var response = try await send(body, to: url, headers: [:], limit: limit, readsErrors: readsEverything)
        var (place, redirections) = (url, 0)
        // Sent again unchanged: the request is in the body.
        while readsEverything, redirections < 5, let next = response.redirection(from: place), Self.isSameOwner(place, next) {
            (place, redirections) = (next, redirections + 1)
            response = try await send(body, to: place, headers: [:], limit: limit, readsErrors: true)
        }
        return ReceiptTransportResponse(statusCode: response.statusCode, body: response.body)
    }

    /// Whether what was sent to one address may be sent to the other: both are Apple's, or it is the very same server.
    static func isSameOwner(_ from: URL, _ to: URL) -> Bool {
        let isSameServer = from.scheme == to.scheme && from.host == to.host && from.port == to.port
        return isSameServer || (isApples(from) && isApples(to))
    }

    private static func isApples(_ url: URL) -> Bool {
        url.scheme == "https" && url.host?.lowercased().hasSuffix(".apple.com") == true
    }

    /// Sends `body` as JSON with POST and header fields of the caller's, which go before this method's own; follows no
    /// redirection.
    ///
    /// - Parameter readsErrors: whether the body of a response matters when its status is not 200.
    /// - Throws: what ``post(_:to:limit:)`` throws.
    package func send(
        _ body: Data, to url: URL, headers: [String: String], limit: Int, readsErrors: Bool
    ) async throws -> HTTPResponse {
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let exchange = URLSessionExchange(limit: limit, readsErrors: readsErrors)
        let configuration = configuration()
        return try await withTaskCancellationHandler {
            try await withCheckedContinuation { continuation in
                exchange.start(request, configuration, continuation)
            }.get()
        } onCancel: {
            exchange.finish(.failure(CancellationError()))
        }
    }
}

/// A server's response to one request, whatever its status.
package struct HTTPResponse: Sendable {
    /// The status of HTTP.
    package var statusCode: Int
    /// The header fields, by name in lower case.
    package var headers: [String: String]
    /// The body, complete.
    package var body: Data

    /// Where the server says to ask instead.
    func redirection(from url: URL) -> URL? {
        guard (300...399).contains(statusCode), let location = headers["location"] else { return nil }
        return URL(string: location, relativeTo: url)?.absoluteURL
    }
}
