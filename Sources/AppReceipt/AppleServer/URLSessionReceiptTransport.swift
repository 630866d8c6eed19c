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
    private let configuration: @Sendable () -> URLSessionConfiguration
    private var readsEverything = false

    /// Creates a transport.
    ///
    /// - Parameter timeout: how long to wait for data from the server, in seconds.
    public init(timeout: TimeInterval = 30) {
        self.init {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = timeout
            return configuration
        }
    }

    /// Creates a transport with custom session configurations, for example for a proxy or protocol classes.
    ///
    /// - Parameter configuration: called once for each request, on any thread.
    public init(configuration: @escaping @Sendable () -> URLSessionConfiguration) {
        self.configuration = configuration
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
        var response = try await send(body, to: url, headers: [:], limit: limit, readsErrors: readsEverything)
        var (place, redirections) = (url, 0)
        // Sends the same body again, which contains the whole request.
        while readsEverything, redirections < 5, let next = response.redirection(from: place),
            Self.isSameOwner(place, next)
        {
            (place, redirections) = (next, redirections + 1)
            response = try await send(body, to: place, headers: [:], limit: limit, readsErrors: true)
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

    /// Sends a JSON body with POST. The header fields replace the default ones. Doesn't follow redirections.
    ///
    /// - Parameter readsErrors: whether to read the body of a response with a status other than 200.
    /// - Throws: the errors of ``post(_:to:limit:)``.
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

/// A server's response with any status.
package struct HTTPResponse: Sendable {
    /// The HTTP status.
    package var statusCode: Int
    /// The header fields by lowercase name.
    package var headers: [String: String]
    /// The complete body.
    package var body: Data

    /// Returns the address of a redirection.
    func redirection(from url: URL) -> URL? {
        guard (300...399).contains(statusCode), let location = headers["location"] else { return nil }
        return URL(string: location, relativeTo: url)?.absoluteURL
    }
}
