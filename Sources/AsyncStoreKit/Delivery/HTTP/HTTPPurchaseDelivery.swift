import AppReceipt
public import Foundation

/// Delivers purchases through the app's own server: posts the receipt and the transactions as JSON, and does what the
/// response says.
///
/// ```swift
/// store.setDelivery(try HTTPPurchaseDelivery(url: serverURL))
/// ```
///
/// Only the app's server ends a purchase that is paid for. ``HTTPDeliveryPayload/json()`` describes what it gets, and
/// ``HTTPDeliveryConvention`` which responses say what:
///
/// - It accepts with status 2xx and an empty body, or JSON such as `{"decision": "accepted"}`: the transactions are
///   finished.
/// - It rejects with `{"decision": "rejected", "message": "…"}`: the transactions are finished, and the caller
///   gets the message as ``StoreError/Code/deliveryRejected``.
/// - Everything else, no response included, leaves the transactions unfinished. They are sent again after the time that
///   the server asks for or a growing pause, and at the next launch; why is logged with status and content type.
///
/// A request can reach the server more than once, when its response was lost or the app ended before it came: the
/// header field `Idempotency-Key` and each transaction's `deliveryKey` stay the same then. Redirections are not
/// followed.
///
/// Over StoreKit 2 each transaction is sent as the App Store has signed it, and no receipt is needed. Over StoreKit 1,
/// when the receipt does not hold a transaction yet, it is refreshed first, see
/// ``HTTPDeliveryOptions/receiptRefreshLimit``. If the receipt still lacks it, the transaction is sent with
/// `isInReceipt` false; a refusal is not final then until the attempts with refreshes are used up.
public struct HTTPPurchaseDelivery: PurchaseDelivery {
    private let url: URL
    private let options: HTTPDeliveryOptions
    private let transport: URLSessionReceiptTransport

    /// A delivery to this server.
    /// - Throws: ``StoreError/Code/invalidURL`` for a URL that is not HTTPS, names no host, or holds a user name or
    ///   password. HTTP is accepted for this machine itself (`localhost`, 127.0.0.0/8, `::1`), and for others only when
    ///   ``HTTPDeliveryOptions/allowsInsecureServer`` says so.
    public init(url: URL, options: HTTPDeliveryOptions = HTTPDeliveryOptions()) throws(StoreError) {
        try HTTPDeliveryEndpoint.check(url, allowsInsecureServer: options.allowsInsecureServer)
        self.url = url
        self.options = options
        transport = URLSessionReceiptTransport(configuration: options.session)
    }

    /// Sends the purchases, and returns what the server's response means. Cancelled, it returns at once; nothing is
    /// lost by it.
    public func deliver(_ request: DeliveryRequest) async -> DeliveryDecision {
        let payload = await upToDate(request)
        let headers: [String: String]
        let body: Data
        do {
            headers = try await options.headers()
            body = try options.body(payload)
        } catch {
            log(.warning, "A delivery could not be put together: \(type(of: error)).")
            return .retryLater
        }
        let response: HTTPDeliveryResponse
        do {
            let received = try await send(body, headers.merging(payload.headers) { own, _ in own })
            response = HTTPDeliveryResponse(statusCode: received.statusCode, headers: received.headers, body: received.body)
        } catch {
            log(.notice, "The delivery server could not be asked: \(Self.name(of: error)).")
            return .retryLater
        }
        let secrets = SecretRedaction(headers)
        let summary = secrets.redact(response.summary)
        switch options.decision?(response) ?? response.decision(by: options.convention) {
        case .accepted: return .accepted
        case .rejected where !payload.missing.isEmpty && request.attempt < options.receiptRefreshLimit:
            log(.notice, "The delivery server refused a receipt that lacks the purchase (\(summary)); it will be asked again.")
            return .retryLater
        case .rejected(let reason): return .rejected(reason: secrets.redact(reason))
        case .retryLater(let seconds, let reason):
            let isUndecided = options.decision == nil && response.verdict(by: options.convention) == .undecided
            let comment = isUndecided ? ", which decides nothing" : ""
            log(.notice, "The delivery server responded with \(summary)\(comment): the delivery will be tried again.")
            return .retryLater(after: seconds, reason: reason.map(secrets.redact))
        }
    }

    /// The request with a receipt that holds its transactions, if one can be had.
    private func upToDate(_ request: DeliveryRequest) async -> HTTPDeliveryPayload {
        var payload = HTTPDeliveryPayload(request: request, receipt: request.receipt)
        // Fewer with each further attempt, so that the customer isn't asked for a password again and again.
        var refreshes = options.receiptRefreshLimit - min(request.attempt, options.receiptRefreshLimit)
        while !payload.missing.isEmpty, refreshes > 0, !Task.isCancelled {
            refreshes -= 1
            do throws(StoreError) {
                payload = HTTPDeliveryPayload(request: request, receipt: try await request.refreshedReceipt())
            } catch {
                log(.notice, "The receipt lacks a purchase and could not be refreshed: \(error.code).")
                break
            }
        }
        return payload
    }

    /// Sends, and gives up after the time allowed, however busily the server may be sending.
    private func send(_ body: Data, _ headers: [String: String]) async throws -> HTTPResponse {
        try await withThrowingTaskGroup(of: HTTPResponse.self) { [url, options, transport] group in
            group.addTask {
                try await transport.send(
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

    /// What may be said of an error: a URL, which may hold a secret, is often part of its description.
    private static func name(of error: any Error) -> String {
        if error is CancellationError { return "cancelled" }
        if let error = error as? VerifyReceiptError { return error.code.rawValue }
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
