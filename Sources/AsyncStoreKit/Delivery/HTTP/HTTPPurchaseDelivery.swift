import AppReceipt
public import Foundation

/// Delivers purchases through the app's own server: posts the receipt and the transactions as JSON, and follows the
/// response.
///
/// ```swift
/// store.setDelivery(try HTTPPurchaseDelivery(url: serverURL))
/// ```
///
/// Only your server can finish a paid purchase. ``HTTPDeliveryPayload/json()`` describes the request, and
/// ``HTTPDeliveryConvention`` the responses:
///
/// - Status 2xx with an empty body, or with JSON such as `{"decision": "accepted"}`, accepts the purchases. The
///   transactions are finished.
/// - `{"decision": "rejected", "message": "…"}` rejects the purchases. The transactions are finished, and the caller
///   gets the message as ``StoreError/Code/deliveryRejected``.
/// - Every other result, including no response, leaves the transactions unfinished. They are sent again after the pause
///   that the server requests or a growing pause, and at the next launch. The log has the status and the content type.
///
/// A request can reach the server more than once, if its response was lost or the app ended before the response. The
/// header field `Idempotency-Key` and each transaction's `deliveryKey` then stay the same. Redirections aren't
/// followed.
///
/// Over StoreKit 2, each transaction is sent as the App Store signed it, and no receipt is needed. Over StoreKit 1, a
/// receipt that lacks a transaction is refreshed first, see ``HTTPDeliveryOptions/receiptRefreshLimit``. If the receipt
/// still lacks the transaction, the transaction is sent with `isInReceipt` false. A rejection is then not final until
/// the attempts with refreshes are used up.
public struct HTTPPurchaseDelivery: PurchaseDelivery {
    private let url: URL
    private let options: HTTPDeliveryOptions
    private let client: HTTPClient

    /// Creates a delivery to a server.
    /// - Throws: ``StoreError/Code/invalidURL`` for a URL that isn't HTTPS, has no host, or contains a user name or
    ///   password. HTTP is accepted for this machine (`localhost`, 127.0.0.0/8, `::1`), and for other hosts only with
    ///   ``HTTPDeliveryOptions/allowsInsecureServer``.
    public init(url: URL, options: HTTPDeliveryOptions = HTTPDeliveryOptions()) throws(StoreError) {
        try HTTPDeliveryEndpoint.check(url, allowsInsecureServer: options.allowsInsecureServer)
        self.url = url
        self.options = options
        client = HTTPClient(configuration: options.session)
    }

    /// Sends the purchases, and returns the decision of the server's response. In a cancelled task, the function
    /// returns at once, and no purchase is lost.
    public func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
        let payload = await upToDate(request)
        let headers: [String: String]
        let body: Data
        do {
            headers = try await options.headers()
            body = try options.body(payload)
        } catch {
            log(.warning, "A delivery couldn't be created: \(type(of: error)).")
            return .retryLater
        }
        let response: HTTPDeliveryResponse
        do {
            let received = try await send(body, headers.merging(payload.headers) { own, _ in own })
            response = HTTPDeliveryResponse(
                statusCode: received.statusCode, headers: received.headers, body: received.body)
        } catch {
            log(.notice, "The delivery server couldn't be reached: \(Self.name(of: error)).")
            return .retryLater
        }
        let secrets = SecretRedaction(headers)
        let summary = secrets.redact(response.summary)
        switch options.decision?(response) ?? response.decision(by: options.convention) {
        case .accepted: return .accepted
        case .rejected where !payload.missing.isEmpty && request.attempt < options.receiptRefreshLimit:
            log(
                .notice,
                "The delivery server rejected a receipt that lacks the purchase (\(summary)). The delivery will be tried again."
            )
            return .retryLater
        case .rejected(let reason): return .rejected(reason: secrets.redact(reason))
        case .retryLater(let seconds, let reason):
            let isUndecided = options.decision == nil && response.verdict(by: options.convention) == .undecided
            let comment = isUndecided ? ", which decides nothing" : ""
            log(.notice, "The delivery server responded with \(summary)\(comment). The delivery will be tried again.")
            return .retryLater(after: seconds, reason: reason.map(secrets.redact))
        }
    }

    /// Returns the request with a receipt that contains its transactions, if possible.
    private func upToDate(_ request: DeliveryRequest) async -> HTTPDeliveryPayload {
        var payload = HTTPDeliveryPayload(request: request, receipt: request.receipt)
        // Fewer with each further attempt, so that the customer isn't asked for a password again and again.
        var refreshes = options.receiptRefreshLimit - min(request.attempt, options.receiptRefreshLimit)
        while !payload.missing.isEmpty, refreshes > 0, !Task.isCancelled {
            refreshes -= 1
            do throws(StoreError) {
                payload = HTTPDeliveryPayload(request: request, receipt: try await request.refreshedReceipt())
            } catch {
                log(.notice, "The receipt lacks a purchase and couldn't be refreshed: \(error.code).")
                break
            }
        }
        return payload
    }

    /// Sends the request. The time limit also ends a response that keeps arriving.
    private func send(_ body: Data, _ headers: [String: String]) async throws -> HTTPResponse {
        try await withThrowingTaskGroup(of: HTTPResponse.self) { [url, options, client] group in
            group.addTask {
                try await client.send(
                    body, to: url, headers: headers, limit: options.maximumResponseSize, readsErrors: true)
            }
            group.addTask {
                try await options.clock.sleep(whileRunningFor: options.timeout)
                throw URLError(.timedOut)
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }

    /// Returns the part of an error that may be logged. The description of an error often contains a URL, which may be
    /// secret.
    private static func name(of error: any Error) -> String {
        if error is CancellationError { return "cancelled" }
        if error is ResponseTooLargeError { return "responseTooLarge" }
        let error = error as NSError
        return "\(error.domain) \(error.code)"
    }

    private func log(_ level: StoreLogEvent.Level, _ message: String) {
        options.log(StoreLogEvent(level, message))
    }
}

extension HTTPPurchaseDelivery: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The server's host: paths, queries and header fields may hold secrets.
    public var description: String { "HTTPPurchaseDelivery(\(url.host ?? ""))" }
    /// The server's host.
    public var debugDescription: String { description }
    /// Empty, because the options may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
