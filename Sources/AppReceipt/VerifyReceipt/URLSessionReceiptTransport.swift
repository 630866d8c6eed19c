public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Sends over `URLSession`, one ephemeral session for each request: nothing is cached, no cookie is kept.
///
/// An answer beyond the limit ends the request at once. On Linux `URLSession` cannot be told to slow down, so a server that floods the
/// connection may have more than the limit in memory until the cancellation has reached it.
public struct URLSessionReceiptTransport: ReceiptTransport {
    private let configuration: @Sendable () -> URLSessionConfiguration

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

    /// Sends `body`; see ``ReceiptTransport``. An answer beyond the limit is cut off as soon as it is, not when it has all come.
    public func post(_ body: Data, to url: URL, limit: Int) async throws -> ReceiptTransportResponse {
        let answer = try await send(body, to: url, headers: [:], limit: limit, readsErrors: false)
        return ReceiptTransportResponse(statusCode: answer.statusCode, body: answer.body)
    }

    /// Sends `body` as JSON with POST and header fields of the caller's, which go before this method's own; follows no redirection.
    ///
    /// - Parameter readsErrors: whether the body of an answer matters when its status is not 200.
    /// - Throws: what ``post(_:to:limit:)`` throws.
    package func send(
        _ body: Data, to url: URL, headers: [String: String], limit: Int, readsErrors: Bool
    ) async throws -> HTTPAnswer {
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
