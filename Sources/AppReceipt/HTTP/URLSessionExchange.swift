import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request and its response. The first response, error or cancellation ends the exchange and its session.
///
/// A cancellation resumes the waiter immediately. Later reports of the session are ignored.
// @unchecked because: everything mutable is in `state`, which is only accessed under `lock`.
final class URLSessionExchange: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    typealias Outcome = Result<HTTPResponse, any Error>

    private struct State {
        var waiter: CheckedContinuation<Outcome, Never>?
        var session: URLSession?
        var body = Data()
        /// Set when the exchange ends, even before there is a waiter.
        var outcome: Outcome?
    }

    private let limit: Int
    private let readsErrors: Bool
    private let lock = NSLock()
    private var state = State()

    /// - Parameters:
    ///   - limit: the maximum number of bytes of a response.
    ///   - readsErrors: whether to read the body of a response with a status other than 200.
    init(limit: Int, readsErrors: Bool) {
        self.limit = limit
        self.readsErrors = readsErrors
    }

    func start(
        _ request: URLRequest, _ configuration: URLSessionConfiguration, _ waiter: CheckedContinuation<Outcome, Never>
    ) {
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        // Created before the session can be invalidated: a task created afterwards raises an exception.
        let task = session.dataTask(with: request)
        // The exchange may be canceled before the request is created.
        let earlierOutcome = lock.withLock { () -> Outcome? in
            if state.outcome == nil {
                state.waiter = waiter
                state.session = session
            }
            return state.outcome
        }
        if let earlierOutcome {
            session.invalidateAndCancel()
            waiter.resume(returning: earlierOutcome)
        } else {
            task.resume()
        }
    }

    func finish(_ outcome: Outcome) {
        let (waiter, session) = lock.withLock { () -> (CheckedContinuation<Outcome, Never>?, URLSession?) in
            guard state.outcome == nil else { return (nil, nil) }
            state.outcome = outcome
            defer { (state.waiter, state.session) = (nil, nil) }
            return (state.waiter, state.session)
        }
        waiter?.resume(returning: outcome)
        session?.invalidateAndCancel()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status != 200, !readsErrors {
            // The body of an error isn't read.
            finish(.success(HTTPResponse(statusCode: status, headers: [:], body: Data())))
            return completionHandler(.cancel)
        }
        if response.expectedContentLength > Int64(clamping: limit) {
            finish(.failure(ResponseTooLargeError()))
            return completionHandler(.cancel)
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = lock.withLock {
            guard state.outcome == nil else { return false }
            guard data.count <= limit - state.body.count else { return true }
            state.body.append(data)
            return false
        }
        if isTooLarge { finish(.failure(ResponseTooLargeError())) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return finish(.failure(error)) }
        guard let response = task.response as? HTTPURLResponse else {
            return finish(.failure(URLError(.badServerResponse)))
        }
        let body = lock.withLock { state.body }
        finish(.success(HTTPResponse(statusCode: response.statusCode, headers: response.namedFields, body: body)))
    }
}

extension HTTPURLResponse {
    /// The header fields by lowercase name.
    fileprivate var namedFields: [String: String] {
        var fields: [String: String] = [:]
        for case (let name as String, let value as String) in allHeaderFields { fields[name.lowercased()] = value }
        return fields
    }
}
