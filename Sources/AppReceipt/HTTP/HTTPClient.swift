package import Foundation

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Sends requests over `URLSession`, with a session for each request.
package struct HTTPClient: Sendable {
    private let configuration: @Sendable () -> URLSessionConfiguration

    /// Creates a client with ephemeral sessions, which don't cache responses or keep cookies.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait for data from the server, in seconds.
    ///   - deadline: the maximum duration of a request and its response, in seconds.
    package init(timeout: TimeInterval, deadline: TimeInterval) {
        self.init {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = timeout
            configuration.timeoutIntervalForResource = deadline
            return configuration
        }
    }

    /// Creates a client with custom session configurations.
    ///
    /// - Parameter configuration: called once for each request, on any thread.
    package init(configuration: @escaping @Sendable () -> URLSessionConfiguration) {
        self.configuration = configuration
    }

    /// Sends a JSON body with POST. The header fields replace the default ones. Doesn't follow redirections.
    ///
    /// The exchange ends after the configuration's `timeoutIntervalForResource`, even if the server keeps sending.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes of a response. A longer response ends the request immediately. On Linux,
    ///     `URLSession` can't limit the data rate, so memory may exceed the limit until the cancellation takes effect.
    ///   - readsErrors: whether to read the body of a response with a status other than 200.
    /// - Throws: ``ResponseTooLargeError`` for a longer response, `CancellationError` if the task is canceled, and the
    ///   errors of `URLSession`.
    package func send(
        _ body: Data, to url: URL, headers: [String: String] = [:], limit: Int, readsErrors: Bool
    ) async throws -> HTTPResponse {
        var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        request.httpMethod = "POST"
        request.httpBody = body
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let exchange = URLSessionExchange(limit: limit, readsErrors: readsErrors)
        let configuration = configuration()
        // `URLSession` on Linux ignores this limit, and its other one begins again with every byte.
        let seconds = max(0, min(configuration.timeoutIntervalForResource, 7 * 86_400))
        let deadline = Task {
            try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
            exchange.finish(.failure(URLError(.timedOut)))
        }
        defer { deadline.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedContinuation { continuation in
                exchange.start(request, configuration, continuation)
            }.get()
        } onCancel: {
            exchange.finish(.failure(CancellationError()))
        }
    }
}
